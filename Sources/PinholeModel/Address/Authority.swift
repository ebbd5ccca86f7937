/// Host and port as requested: the target of a CONNECT, or the authority of a URL.
package struct Authority: Hashable, Sendable, CustomStringConvertible {
    /// The name or the address of the host.
    package var host: Host
    /// The TCP port, 1 to 65535.
    package var port: UInt16

    /// Creates an authority.
    package init(host: Host, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses `host:port`, `[v6]:port` or, if `defaultPort` is given, a bare host.
    ///
    /// - Parameters:
    ///   - text: The authority (RFC 9112 §3.2.3), without user information.
    ///   - defaultPort: The port of a text without one; `nil` if a port is required.
    /// - Throws: ``AddressFailure`` with the part that is wrong.
    package init(_ text: some StringProtocol, defaultPort: UInt16? = nil) throws(AddressFailure) {
        try self.init(utf8: Array(text.utf8)[...], defaultPort: defaultPort)
    }

    /// Parses the bytes of an authority, as the other initializer parses its text.
    package init(utf8 text: ArraySlice<UInt8>, defaultPort: UInt16?) throws(AddressFailure) {
        guard let colon = text.lastIndex(of: Self.colon), !text[colon...].contains(0x5d),
            !Self.isBareVersion6(text)
        else {
            guard let defaultPort else {
                throw Self.failure(text, expected: "host:port (an IPv6 address in brackets)")
            }
            self.init(host: try Host(utf8: text), port: defaultPort)
            return
        }
        let digits = text[colon...].dropFirst()
        guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(exactly: digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }), port > 0
        else { throw Self.failure(text, expected: "a port of 1 to 65535 after the colon") }
        self.init(host: try Host(utf8: text[..<colon]), port: port)
    }

    /// `host:port`, IPv6 in brackets.
    package var description: String { "\(host.uriText):\(port)" }

    /// Returns the authority as it is written in a URL: without the port if that is the default of the scheme.
    package func text(defaultPort: UInt16) -> String {
        port == defaultPort ? host.uriText : description
    }

    private static let colon: UInt8 = 0x3a

    private static func isBareVersion6(_ text: ArraySlice<UInt8>) -> Bool {
        text.first != 0x5b && text.count { $0 == colon } > 1
    }

    private static func failure(_ text: ArraySlice<UInt8>, expected: String) -> AddressFailure {
        AddressFailure(String(decoding: text, as: UTF8.self), expected: expected)
    }
}
