import PinholeModel
import PinholeProxy

/// A connection to a server that is being made: straight by a ``Dialer``, or through another proxy by a
/// ``HopDialer``.
protocol ServerDialing: AnyObject {
    /// Goes on with an answer of the resolver.
    func begin(_ answer: Resolver.Answer, on loop: isolated EventLoop)
    /// Gives up without telling anybody.
    func cancel(on loop: isolated EventLoop)
    /// The engines that the connection came with; `nil` where nothing was said on it yet.
    func takePeer() -> Boxed<PeerStack>?
}

extension Dialer: ServerDialing {
    func takePeer() -> Boxed<PeerStack>? { nil }
}
