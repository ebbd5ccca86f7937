import PinholeModel
import PinholeProxy
import PinholeRuntime

extension ListeningPoint {
    /// Parses `127.0.0.1:8080`, or a mode before the address: `reverse:https://origin.example@127.0.0.1:9000`.
    ///
    /// - Parameter text: The mode and the address.
    /// - Throws: ``AddressFailure`` for any other text.
    init(_ text: String) throws(AddressFailure) {
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
