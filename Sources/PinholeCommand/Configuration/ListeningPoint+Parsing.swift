import PinholeModel
import PinholeProxy
import PinholeRuntime

extension ListeningPoint {
    /// Parses `127.0.0.1:8080`, `reverse:https://origin.example@127.0.0.1:9000`, or the same with
    /// `reverse-keep-host`, `reverse:tcp://mail.example:143@127.0.0.1:9143`, `transparent@127.0.0.1:7070` or
    /// `tproxy@127.0.0.1:7070`.
    ///
    /// - Parameter text: The mode and the address.
    /// - Throws: ``AddressFailure`` when it is something else.
    init(_ text: String) throws(AddressFailure) {
        let expected =
            "ADDRESS:PORT, reverse:https://HOST@ADDRESS:PORT, transparent@ADDRESS:PORT or tproxy@ADDRESS:PORT"
        guard let at = text.lastIndex(of: "@") else {
            guard !text.hasPrefix("reverse") else { throw AddressFailure(text, expected: expected) }
            self.init(try SocketAddress(listening: text))
            return
        }
        let mode = text[..<at]
        if let diversion = Diversion(rawValue: String(mode)) {
            let address = try SocketAddress(listening: String(text[text.index(after: at)...]))
            self.init(address, .transparent(diversion))
            return
        }
        let keepsHost = mode.hasPrefix("reverse-keep-host:")
        guard keepsHost || mode.hasPrefix("reverse:"), let colon = mode.firstIndex(of: ":") else {
            throw AddressFailure(text, expected: expected)
        }
        let server = String(mode[mode.index(after: colon)...])
        let address = String(text[text.index(after: at)...])
        if !keepsHost, let forwarded = try Self.forwarded(server) {
            self.init(try SocketAddress(listening: address), .forwarding(forwarded))
            return
        }
        let origin = try ReverseOrigin(server, keepsHost: keepsHost)
        self.init(try SocketAddress(listening: address), .reverse(origin))
    }

    /// Whose port is meant by `tcp://mail.example:143`; `nil` where it is written as another server.
    private static func forwarded(_ text: String) throws(AddressFailure) -> Authority? {
        let word = "tcp://"
        guard text.lowercased().hasPrefix(word) else { return nil }
        do throws(AddressFailure) {
            return try Authority(text.dropFirst(word.count), defaultPort: nil)
        } catch {
            throw AddressFailure(text, expected: "tcp://HOST:PORT, without a path")
        }
    }
}

extension ListeningPoint {
    /// What it is, where that is no proxy: `, before https://origin.example`.
    var purpose: String {
        switch mode {
        case .explicit: ""
        case .reverse(let origin): ", before \(origin)"
        case .forwarding(let server): ", before tcp://\(server)"
        case .transparent(.redirect): ", for connections that are redirected"
        case .transparent(.tproxy): ", for connections that come by TPROXY"
        }
    }
}
