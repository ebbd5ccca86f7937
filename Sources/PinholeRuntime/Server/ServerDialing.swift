import PinholeModel
import PinholeProxy

/// A connection to a server that is being made: directly by a ``Dialer``, or through another proxy by a
/// ``HopDialer``.
protocol ServerDialing: AnyObject {
    /// Continues with an answer of the resolver.
    func begin(_ answer: Resolver.Answer, on loop: isolated EventLoop)
    /// Ends the attempt without calling the owner.
    func cancel(on loop: isolated EventLoop)
    /// Takes the engines of the connection; `nil` if no data was exchanged yet.
    func takePeer() -> Boxed<HTTPPeer>?
}

extension Dialer: ServerDialing {
    func takePeer() -> Boxed<HTTPPeer>? { nil }
}
