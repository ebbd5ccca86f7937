/// A host as it is named in an authority: a DNS name or an IP address.
package enum Host: Hashable, Sendable {
    /// A DNS name in lower case, ASCII (A-labels for internationalised names), without a trailing dot.
    case name(String)
    /// An IP literal.
    case address(IPAddress)

    /// Parses a host: `example.com`, `192.0.2.1`, `2001:db8::1` or `[2001:db8::1]`.
    ///
    /// Underscores are accepted, since service names on real networks have them. One trailing dot
    /// is dropped and letters are lowered.
    ///
    /// - Parameter text: The host, without port.
    /// - Throws: ``AddressFailure`` if the text is neither a name nor an address.
    package init(_ text: some StringProtocol) throws(AddressFailure) {
        try self.init(utf8: Array(text.utf8)[...])
    }

    /// Parses a host in UTF-8; every request of HTTP/2 names its server, so this path avoids a `String`.
    init(utf8 text: ArraySlice<UInt8>) throws(AddressFailure) {
        if text.first == 0x5b, text.count > 1, text.last == 0x5d {
            guard let address = IPAddress(utf8: text.dropFirst().dropLast()), address.isVersion6 else {
                throw Self.failure(text, expected: "an IPv6 address between the brackets")
            }
            self = .address(address)
        } else if let address = IPAddress(utf8: text) {
            self = .address(address)
        } else {
            self = .name(try Self.checkedName(text))
        }
    }

    /// The name; `nil` for an address, which never goes into SNI (RFC 6066 §3).
    package var name: String? {
        guard case .name(let name) = self else { return nil }
        return name
    }

    /// The address; `nil` for a name.
    package var address: IPAddress? {
        guard case .address(let address) = self else { return nil }
        return address
    }

    /// The host in the one spelling that certificates and policies are compared with: an IPv4-mapped address
    /// (`::ffff:192.0.2.1`) is the IPv4 address in it.
    package var canonical: Host {
        guard case .address(let address) = self else { return self }
        return .address(address.unmapped)
    }

    private static func checkedName(_ text: ArraySlice<UInt8>) throws(AddressFailure) -> String {
        let name = text.last == dot ? text.dropLast() : text
        guard name.allSatisfy({ $0 < 0x80 }) else {
            throw failure(text, expected: "an ASCII name; write an internationalised name as xn--…")
        }
        guard (1...253).contains(name.count) else {
            throw failure(text, expected: "a name of 1 to 253 characters")
        }
        var label = name.startIndex
        for index in name.indices where name[index] == dot {
            try check(name[label..<index], of: text)
            label = index + 1
        }
        let last = name[label...]
        try check(last, of: text)
        // WHATWG URL §3.5: a name whose last label is a number is a misspelt IPv4 address (127.1, 0x7f.1).
        guard !last.allSatisfy({ (0x30...0x39).contains($0) }), !last.starts(with: "0x".utf8) else {
            throw failure(text, expected: "a name, or an IPv4 address of four decimal numbers")
        }
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    private static func check(_ label: ArraySlice<UInt8>, of text: ArraySlice<UInt8>) throws(AddressFailure) {
        guard (1...63).contains(label.count), label.allSatisfy(isNameCharacter) else {
            throw failure(text, expected: "labels of 1 to 63 letters, digits, '-' or '_'")
        }
    }

    private static func failure(_ text: ArraySlice<UInt8>, expected: String) -> AddressFailure {
        AddressFailure(String(decoding: text, as: UTF8.self), expected: expected)
    }

    private static let dot: UInt8 = 0x2e

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
        default: false
        }
    }
}

extension Host: CustomStringConvertible {
    /// The name or the address, IPv6 without brackets.
    package var description: String {
        switch self {
        case .name(let name): name
        case .address(let address): address.description
        }
    }

    /// The host in the notation of a URL or an authority, with IPv6 in brackets.
    package var uriText: String {
        guard case .address(let address) = self, address.isVersion6 else { return description }
        return "[\(address)]"
    }
}

/// The reason why a text is not a host, an authority or a pattern.
package struct AddressFailure: Error, Equatable, CustomStringConvertible {
    /// The text that was parsed.
    package let text: String
    /// The expectation, for the message after “expected”.
    package let expected: String
    /// The kind of text that was expected, in a word or two.
    package let noun: String

    /// Creates a failure of `text`, which should have been `expected`.
    package init(_ text: String, expected: String, noun: String = "address") {
        self.text = text
        self.expected = expected
        self.noun = noun
    }

    /// The message: the text and the expectation, in one sentence.
    package var description: String {
        "\(TerminalText.quoted(text, longest: 300)) is not a valid \(noun): expected \(expected)"
    }
}
