/// The reason why a proxy could not be started, in a sentence that says what to do.
public struct ProxyFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence about the reason and the remedy.
    public let description: String

    init(_ description: String) { self.description = description }
}
