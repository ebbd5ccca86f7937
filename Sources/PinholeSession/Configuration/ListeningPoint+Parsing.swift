package import PinholeModel
import PinholeProxy
package import PinholeRuntime

extension ListeningPoint {
    /// Returns the address at which clients on this machine reach a proxy.
    ///
    /// - Parameter points: The addresses on which the proxy listens.
    /// - Returns: The first address for clients that are configured for a proxy; `nil` if there is none.
    package static func address(of points: [ListeningPoint]) -> Authority? {
        guard let point = points.first(where: { $0.mode.isProxy }) else { return nil }
        let own = point.address.address
        // A listener on the unspecified address is reached by loopback.
        guard own.isUnspecified, let loopback = IPAddress(own.isVersion6 ? "::1" : "127.0.0.1") else {
            return Authority(host: .address(own), port: point.address.port)
        }
        return Authority(host: .address(loopback), port: point.address.port)
    }

    /// Parses `127.0.0.1:8080`, or a mode before the address: `reverse:https://origin.example@127.0.0.1:9000`.
    ///
    /// - Throws: ``AddressFailure`` for any other text.
    package init(_ text: String) throws(AddressFailure) {
        guard let at = text.lastIndex(of: "@") else {
            // The word of a mode is no address, so the message is about modes.
            guard !text.hasPrefix("reverse") else { throw Self.unknown(text) }
            self.init(try SocketAddress(listening: text))
            return
        }
        guard let mode = try ListenerMode(String(text[..<at])) else { throw Self.unknown(text) }
        self.init(try SocketAddress(listening: String(text[text.index(after: at)...])), mode)
    }

    private static func unknown(_ text: String) -> AddressFailure {
        let forms = ["ADDRESS:PORT"] + ListenerMode.forms.flatMap(\.texts).map { "\($0)@ADDRESS:PORT" }
        let others = forms.dropLast().joined(separator: ", ")
        return AddressFailure(text, expected: "\(others) or \(forms.last ?? "")")
    }
}
