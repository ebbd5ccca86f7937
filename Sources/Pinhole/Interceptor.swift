/// Code of yours that decides what becomes of exchanges.
///
/// Exchanges wait for it one by one, and it is asked about many at the same time, so it takes the time that it needs and
/// keeps what it learns in an actor or behind a lock. Messages of WebSockets are not asked about.
public protocol Interceptor: Sendable {
    /// How it is called in records; the name of the type by default.
    var name: String { get }

    /// Which exchanges it is asked about, in the language of docs/FILTERS.md; all of them by default.
    var filter: String { get }

    /// Where it is asked; about whole requests and whole responses by default.
    ///
    /// Heads alone pass without delay for their bodies, whatever their length; a body that is longer than 8 MiB, or a
    /// stream, is not held, and not asked about at a point that wants it.
    var points: Set<InterceptionPoint> { get }

    /// How long it may take over one message; 5 seconds by default.
    var patience: Duration { get }

    /// What becomes of a message where it throws or takes too long; by default it goes on as it came.
    var failurePolicy: FailurePolicy { get }

    /// Decides about a request before the server is asked.
    ///
    /// - Parameter request: The request; what is changed of it is sent on.
    /// - Returns: What becomes of it.
    /// - Throws: Whatever kept it from deciding; then ``failurePolicy`` counts.
    func decide(_ request: inout Request) async throws -> Decision

    /// Decides about a response before the client gets it.
    ///
    /// - Parameters:
    ///   - response: The response; what is changed of it is sent on.
    ///   - request: The head of the request as it was sent to the server; its body is not kept.
    /// - Returns: What becomes of it.
    /// - Throws: Whatever kept it from deciding; then ``failurePolicy`` counts.
    func decide(_ response: inout Response, to request: Request) async throws -> Decision
}

/// A point of an exchange at which an ``Interceptor`` is asked.
public enum InterceptionPoint: Sendable, Hashable, CaseIterable {
    /// The head of the request is there; its body passes as it comes.
    case requestHead
    /// All of the request is there.
    case request
    /// The head of the response is there; its body passes as it comes.
    case responseHead
    /// All of the response is there.
    case response
}

/// What becomes of a message about which an ``Interceptor`` gave no decision.
public enum FailurePolicy: Sendable, Hashable {
    /// It goes on as it came.
    case pass
    /// The exchange ends.
    case close
}

extension Interceptor {
    /// The name of the type.
    public var name: String { "\(Self.self)" }
    /// Everything.
    public var filter: String { "" }
    /// Whole requests and whole responses.
    public var points: Set<InterceptionPoint> { [.request, .response] }
    /// Five seconds.
    public var patience: Duration { .seconds(5) }
    /// It goes on as it came.
    public var failurePolicy: FailurePolicy { .pass }

    /// Lets it go on.
    public func decide(_: inout Request) async throws -> Decision { .proceed }

    /// Lets it go on.
    public func decide(_: inout Response, to _: Request) async throws -> Decision { .proceed }
}
