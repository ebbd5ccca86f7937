/// Code of your program that decides about exchanges.
///
/// Each exchange waits for the decision about it. The proxy asks about many exchanges at the same time, so an
/// interceptor keeps its state in an actor or behind a lock. It is not asked about messages of WebSockets.
public protocol Interceptor: Sendable {
    /// The name of the interceptor in records; by default the name of the type.
    var name: String { get }

    /// The filter of the exchanges that the interceptor is asked about, in the language of docs/FILTERS.md; by default
    /// all exchanges.
    var filter: String { get }

    /// The points of an exchange at which the interceptor is asked; by default whole requests and whole responses.
    ///
    /// A head is decided about without waiting for its body, whatever the length of the body. A body that is longer
    /// than 8 MiB, or that is a stream, is not held: the interceptor is not asked at a point that needs the whole
    /// body.
    var points: Set<InterceptionPoint> { get }

    /// The time that the interceptor may take over one message; 5 seconds by default.
    var patience: Duration { get }

    /// The treatment of a message if the interceptor throws or takes too long; by default the message goes on
    /// unchanged.
    var failurePolicy: FailurePolicy { get }

    /// Decides about a request before it is sent to the server.
    ///
    /// - Parameter request: The request; changes to it are sent to the server.
    /// - Returns: What to do with the request.
    /// - Throws: Any error that prevents a decision; then ``failurePolicy`` applies.
    func decide(_ request: inout Request) async throws -> Decision

    /// Decides about a response before it is sent to the client.
    ///
    /// - Parameters:
    ///   - response: The response; changes to it are sent to the client.
    ///   - request: The head of the request as it was sent to the server, without its body.
    /// - Returns: What to do with the response.
    /// - Throws: Any error that prevents a decision; then ``failurePolicy`` applies.
    func decide(_ response: inout Response, to request: Request) async throws -> Decision
}

/// A point of an exchange at which an ``Interceptor`` is asked.
public enum InterceptionPoint: Sendable, Hashable, CaseIterable {
    /// The head of the request has arrived; its body is not held.
    case requestHead
    /// The whole request has arrived.
    case request
    /// The head of the response has arrived; its body is not held.
    case responseHead
    /// The whole response has arrived.
    case response
}

/// The treatment of a message about which an ``Interceptor`` made no decision.
public enum FailurePolicy: Sendable, Hashable {
    /// The message goes on unchanged.
    case pass
    /// The exchange ends without a response.
    case close
}

extension Interceptor {
    /// The name of the type.
    public var name: String { "\(Self.self)" }
    /// The empty filter, which selects all exchanges.
    public var filter: String { "" }
    /// Whole requests and whole responses.
    public var points: Set<InterceptionPoint> { [.request, .response] }
    /// Five seconds.
    public var patience: Duration { .seconds(5) }
    /// The message goes on unchanged.
    public var failurePolicy: FailurePolicy { .pass }

    /// Lets the request go on unchanged.
    public func decide(_: inout Request) async throws -> Decision { .proceed }

    /// Lets the response go on unchanged.
    public func decide(_: inout Response, to _: Request) async throws -> Decision { .proceed }
}
