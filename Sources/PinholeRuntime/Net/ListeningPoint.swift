package import PinholeProxy

/// An address that is listened on, and what it is to those who connect.
package struct ListeningPoint: Hashable, Sendable {
    /// The address.
    package var address: SocketAddress
    /// What it is.
    package var mode: ListenerMode

    /// Creates a point.
    package init(_ address: SocketAddress, _ mode: ListenerMode = .explicit) {
        self.address = address
        self.mode = mode
    }
}

extension ListeningPoint: CustomStringConvertible {
    /// As it is written in `proxy.listen`: `127.0.0.1:8080`, `reverse:https://origin.example@127.0.0.1:9000`,
    /// `reverse:tcp://mail.example:143@127.0.0.1:9143`, `transparent@127.0.0.1:7070`.
    package var description: String {
        switch mode {
        case .transparent(let diversion): "\(diversion.rawValue)@\(address)"
        case .reverse(let origin) where origin.keepsHost: "reverse-keep-host:\(origin)@\(address)"
        case .explicit, .reverse, .forwarding: mode.server.map { "reverse:\($0)@\(address)" } ?? "\(address)"
        }
    }
}
