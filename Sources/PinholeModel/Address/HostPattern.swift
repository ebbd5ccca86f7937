/// A pattern that hosts are matched against: a name, an address or a glob, with or without a port.
///
/// `*` stands for any run of characters, dots included, so `*.example.com` matches every host below `example.com`
/// (but not `example.com` itself), and `*` matches every host. A pattern is compared with the authority that the client
/// asked for: the host and port of its CONNECT or URL. The name in the ClientHello and the Host field do not count.
package struct HostPattern: Hashable, Sendable, CustomStringConvertible {
    /// The pattern as it was written.
    package let description: String
    /// The port; `nil` for every port.
    package let port: UInt16?
    private let host: [UInt8]

    /// The host, in lower case, IPv6 without brackets, `*` for any run of characters.
    package var hostText: String { String(decoding: host, as: UTF8.self) }

    /// Parses `example.com`, `*.example.com`, `*:8443`, `192.0.2.*` or `[::1]:443`.
    ///
    /// - Parameter text: The pattern.
    /// - Throws: ``AddressFailure`` if the pattern could match no host.
    package init(_ text: some StringProtocol) throws(AddressFailure) {
        description = String(text)
        var name = text.lowercased()[...]
        port = try Self.splitPort(&name, of: description)
        if name.hasSuffix(".") { name = name.dropLast() }
        if name.hasPrefix("["), name.hasSuffix("]") {
            guard let address = IPAddress(name.dropFirst().dropLast()) else {
                throw Self.failure(description, expected: "an IPv6 address between the brackets")
            }
            name = address.description[...]
        } else if let address = IPAddress(name) {
            name = address.description[...]
        }
        guard !name.isEmpty else {
            throw Self.failure(description, expected: "a host name, an address or a glob")
        }
        for byte in name.utf8 where !Self.isPatternCharacter(byte) {
            throw Self.failure(
                description,
                expected: "letters, digits, '.', '-', '_', ':' and '*' (xn--… for IDN)"
            )
        }
        try Self.checkHost(name, of: description)
        host = Array(name.utf8)
    }

    /// Whether the pattern matches an authority.
    package func matches(_ authority: Authority) -> Bool {
        if let port, port != authority.port { return false }
        return CaseFolding.matches(Array(authority.host.description.utf8), glob: host)
    }

    /// Refuses a host that no authority can have.
    private static func checkHost(_ name: Substring, of text: String) throws(AddressFailure) {
        guard name.contains("*") else {
            do throws(AddressFailure) {
                _ = try Host(name)
                return
            } catch {
                throw failure(text, expected: error.expected)
            }
        }
        guard name.utf8.count <= 253, !name.contains("..") else {
            throw failure(text, expected: "at most 253 characters, and a character between two dots")
        }
    }

    private static func splitPort(_ name: inout Substring, of text: String) throws(AddressFailure) -> UInt16?
    {
        guard let colon = name.lastIndex(of: ":"), !name[colon...].contains("]"),
            name.hasPrefix("[") || name.count(where: { $0 == ":" }) == 1
        else { return nil }
        let digits = name[name.index(after: colon)...]
        // `UInt16` alone would accept a sign.
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0
        else {
            throw failure(text, expected: "a port of 1 to 65535 after the colon")
        }
        name = name[..<colon]
        return port
    }

    private static func failure(_ text: String, expected: String) -> AddressFailure {
        AddressFailure(text, expected: expected, noun: "pattern of hosts")
    }

    private static func isPatternCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7a, 0x2d, 0x2e, 0x3a, 0x5f, 0x2a: true
        default: false
        }
    }
}

/// An ordered list of patterns that decides whether an authority is included.
///
/// The last rule that matches decides. A rule with `!` in front excludes authorities that earlier rules included.
package struct HostRules: Hashable, Sendable {
    /// A line of the list.
    package struct Rule: Hashable, Sendable, CustomStringConvertible {
        /// The pattern of the authorities that the rule is about.
        package let pattern: HostPattern
        /// Whether the rule excludes (`!`) instead of including.
        package let isNegated: Bool

        /// The rule as it was written.
        package var description: String { (isNegated ? "!" : "") + pattern.description }
    }

    /// The rules in the order in which they were written.
    package let rules: [Rule]

    /// Parses rules, one from each text.
    ///
    /// - Parameter texts: Patterns, with `!` in front to negate.
    /// - Throws: ``AddressFailure`` for the first text that is not a pattern.
    package init(_ texts: [String] = []) throws(AddressFailure) {
        var rules: [Rule] = []
        for text in texts {
            let isNegated = text.hasPrefix("!")
            rules.append(
                Rule(pattern: try HostPattern(text.dropFirst(isNegated ? 1 : 0)), isNegated: isNegated)
            )
        }
        self.rules = rules
    }

    /// Returns the rule that decides about `authority`, which is the last that matches; `nil` if none does.
    package func deciding(_ authority: Authority) -> Rule? {
        rules.last { $0.pattern.matches(authority) }
    }
}
