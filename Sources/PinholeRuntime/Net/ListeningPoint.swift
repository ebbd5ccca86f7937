package import PinholeProxy

/// An address to listen on, and the mode of its connections.
package struct ListeningPoint: Hashable, Sendable {
    /// The address to listen on.
    package var address: SocketAddress
    /// The mode of the connections.
    package var mode: ListenerMode

    /// Creates a point.
    package init(_ address: SocketAddress, _ mode: ListenerMode = .explicit) {
        self.address = address
        self.mode = mode
    }
}

extension ListeningPoint: CustomStringConvertible {
    /// The point in the notation of `proxy.listen`: `127.0.0.1:8080` or `transparent@127.0.0.1:7070`.
    package var description: String {
        mode.text.map { "\($0)@\(address)" } ?? "\(address)"
    }
}
