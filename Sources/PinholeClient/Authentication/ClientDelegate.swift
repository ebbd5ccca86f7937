/// Answers challenges, at two levels as URLSession's delegates do.
///
/// URLSession distinguishes delegates by the methods that they implement, so both handlers are optional here. Without
/// a handler, the client uses default handling.
package struct ClientDelegate: Sendable {
    /// Answers one challenge; the handshake or the request waits for it.
    package typealias Handler = @Sendable (AuthenticationChallenge) async -> ChallengeDisposition

    /// The handlers of a delegate.
    package enum Level: String, Sendable {
        /// The session's handler, `urlSession(_:didReceive:completionHandler:)`.
        case session
        /// The task's handler, `urlSession(_:task:didReceive:completionHandler:)`.
        case task
    }

    /// The handler of `urlSession(_:didReceive:completionHandler:)`: for challenges of connections.
    package var session: Handler?
    /// The handler of `urlSession(_:task:didReceive:completionHandler:)`: for challenges of requests, and for those of
    /// connections if there is no handler for the session.
    package var task: Handler?

    /// Creates a delegate.
    ///
    /// - Parameters:
    ///   - session: The handler of the session; `nil` for none.
    ///   - task: The handler of the task; `nil` for none.
    package init(session: Handler? = nil, task: Handler? = nil) {
        self.session = session
        self.task = task
    }

    /// Returns the handler for a method by Apple's precedence (docs/JUDGE.md#challenges); `nil` for default handling.
    ///
    /// TLS concerns the connection, so the session's handler comes first, and the task's if that is missing. HTTP
    /// authentication, with a proxy too, concerns the request, so only the task's handler is asked.
    package func handler(for method: AuthenticationMethod) -> (level: Level, handler: Handler)? {
        if method.isPerConnection, let session { return (.session, session) }
        return task.map { (.task, $0) }
    }
}
