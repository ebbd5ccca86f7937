/// Answers challenges, at two levels as URLSession's delegates do.
///
/// Whether a method is implemented matters to URLSession, so both are optional here: without a handler
/// the client does what it does by default.
package struct ClientDelegate: Sendable {
    /// Answers one challenge; it may take its time, as the handshake or the request waits.
    package typealias Handler = @Sendable (AuthenticationChallenge) async -> ChallengeDisposition

    /// Which handler was asked.
    package enum Level: String, Sendable {
        /// `urlSession(_:didReceive:completionHandler:)`.
        case session
        /// `urlSession(_:task:didReceive:completionHandler:)`.
        case task
    }

    /// `urlSession(_:didReceive:completionHandler:)`: challenges of connections.
    package var session: Handler?
    /// `urlSession(_:task:didReceive:completionHandler:)`: challenges of requests, and those of connections
    /// where there is no handler for the session.
    package var task: Handler?

    /// Creates a delegate; without handlers everything is default handling.
    package init(session: Handler? = nil, task: Handler? = nil) {
        self.session = session
        self.task = task
    }

    /// The handler for a method by Apple's precedence (docs/JUDGE.md#challenges); `nil` for default handling.
    ///
    /// TLS concerns the connection: session first, task where that is missing. HTTP authentication, a
    /// proxy's included, concerns the request: never the session.
    package func handler(for method: AuthenticationMethod) -> (level: Level, handler: Handler)? {
        if method.isPerConnection, let session { return (.session, session) }
        return task.map { (.task, $0) }
    }
}
