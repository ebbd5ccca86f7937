import PinholeCrypto
package import PinholeModel

/// Decides who may use the proxy.
package struct AccessRules: Sendable, Equatable {
    /// Why a request is refused.
    package enum Refusal: Sendable, Equatable {
        /// The client's address is not on the list.
        case address
        /// No credentials came, or wrong ones.
        case credentials
    }

    /// The networks whose clients may connect; empty for everybody who can reach the listener.
    package var clients: [AddressRange]
    /// `user:password` of the one user; `nil` for no authentication.
    package var credentials: String?

    /// Creates rules.
    package init(clients: [AddressRange] = [], credentials: String? = nil) {
        self.clients = clients
        self.credentials = credentials
    }

    /// Judges a client by its address and its Proxy-Authorization field.
    ///
    /// - Parameters:
    ///   - client: The client's address.
    ///   - authorization: The value of Proxy-Authorization (RFC 7617); `nil` when there was none.
    /// - Returns: Why the request is refused; `nil` when it is not.
    package func refusal(of client: IPAddress, authorization: String?) -> Refusal? {
        guard admits(client) else { return .address }
        guard let credentials else { return nil }
        let expected = Base64.encode(Array(credentials.utf8))
        let words = (authorization ?? "").split(separator: " ", maxSplits: 1)
        let given = words.count == 2 && words[0].lowercased() == "basic" ? String(words[1]) : ""
        return Self.isEqual(Array(expected.utf8), Array(given.utf8)) ? nil : .credentials
    }

    /// Whether the address of a client is one of those that may connect.
    func admits(_ client: IPAddress) -> Bool {
        clients.isEmpty || clients.contains { $0.contains(client) }
    }

    /// Whether a user name and a password, as SOCKS5 carries them (RFC 1929), are the ones; without credentials
    /// any are.
    func admits(user: [UInt8], password: [UInt8]) -> Bool {
        guard let credentials else { return true }
        return Self.isEqual(Array(credentials.utf8), user + [0x3a] + password)
    }

    /// Compares in a time that depends on the length of what was given alone, so that it tells nothing
    /// of how many characters were right.
    private static func isEqual(_ expected: [UInt8], _ given: [UInt8]) -> Bool {
        guard !expected.isEmpty else { return given.isEmpty }
        var difference = expected.count ^ given.count
        for (index, byte) in given.enumerated() {
            difference |= Int(byte ^ expected[index % expected.count])
        }
        return difference == 0
    }
}

/// A network: `192.0.2.0/24`, `2001:db8::/32`, or a single address.
package struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    private let address: IPAddress
    private let prefix: Int

    /// Parses an address with or without a prefix length.
    ///
    /// - Parameter text: The network in CIDR notation (RFC 4632).
    /// - Throws: ``AddressFailure`` when it is none.
    package init(_ text: String) throws(AddressFailure) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress($0) }) else {
            throw AddressFailure(text, expected: "an address or a network such as 192.168.0.0/16")
        }
        let bits = address.bytes.count * 8
        guard let prefix = parts.count == 2 ? Int(parts[1]) : bits, (0...bits).contains(prefix) else {
            throw AddressFailure(text, expected: "a prefix length of 0 to \(bits) after the slash")
        }
        self.address = address
        self.prefix = prefix
    }

    /// Whether `candidate` lies in the network; an IPv4-mapped address counts as IPv4.
    package func contains(_ candidate: IPAddress) -> Bool {
        let candidate = candidate.unmapped
        guard candidate.bytes.count == address.bytes.count else { return false }
        return (0..<prefix).allSatisfy { bit in
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            return candidate.bytes[bit / 8] & mask == address.bytes[bit / 8] & mask
        }
    }

    /// The network in CIDR notation.
    package var description: String { "\(address)/\(prefix)" }
}
