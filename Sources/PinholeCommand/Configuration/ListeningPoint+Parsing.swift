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
        let before = try ListenerMode(before: server, keepsHost: keepsHost)
        self.init(try SocketAddress(listening: String(text[text.index(after: at)...])), before)
    }
}

extension ListeningPoint {
    /// What it is, where that is no proxy: `, before https://origin.example`.
    var purpose: String {
        switch mode {
        case .explicit, .reverse, .forwarding: mode.server.map { ", before \($0)" } ?? ""
        case .transparent(.redirect): ", for connections that are redirected"
        case .transparent(.tproxy): ", for connections that come by TPROXY"
        }
    }
}
