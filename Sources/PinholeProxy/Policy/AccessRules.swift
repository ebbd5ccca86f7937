package import PinholeModel

/// The rules that decide which clients may use the proxy.
package struct AccessRules: Sendable, Equatable {
    /// The reason why a request is refused.
    package enum Refusal: Sendable, Equatable {
        /// The client's address is not in the list.
        case address
        /// Too many logins are already being verified.
        case busy
        /// The request has no credentials, or wrong ones.
        case credentials
    }

    /// The decision about a client.
    package enum Verdict: Sendable, Equatable {
        /// The client may use the proxy, as the user who logged in; `nil` if no login is needed.
        case admitted(user: String?)
        /// The client may not use the proxy.
        case refused(Refusal)
        /// The login must be verified first, which takes time.
        case unverified(LoginCheck)
    }

    /// The networks whose clients may connect; empty if all clients may.
    package var clients: [AddressRange]
    /// The login of one user as `user:password`; `nil` if there is none.
    package var credentials: String?
    /// More users; `nil` if there are none.
    package var users: UserDirectory?

    /// Creates rules.
    package init(clients: [AddressRange] = [], credentials: String? = nil, users: UserDirectory? = nil) {
        self.clients = clients
        self.credentials = credentials
        self.users = users
    }

    /// Whether clients must log in.
    package var asksForPassword: Bool { credentials != nil || users != nil }

    /// Judges a client by its address and its Proxy-Authorization field.
    ///
    /// - Parameters:
    ///   - client: The client's address.
    ///   - authorization: The value of Proxy-Authorization (RFC 7617); `nil` if the request has none.
    /// - Returns: The decision.
    package func verdict(on client: IPAddress, authorization: String?) -> Verdict {
        guard admits(client) else { return .refused(.address) }
        guard asksForPassword else { return .admitted(user: nil) }
        guard let login = Login(authorization: authorization) else { return .refused(.credentials) }
        return verdict(on: login, of: client)
    }

    /// Whether the address of a client is allowed to connect.
    func admits(_ client: IPAddress) -> Bool {
        clients.isEmpty || clients.contains { $0.contains(client) }
    }

    /// Judges the login of a client whose address is allowed; every login is accepted if none is needed.
    func verdict(on login: Login, of client: IPAddress) -> Verdict {
        guard asksForPassword else { return .admitted(user: nil) }
        if let credentials, Self.isEqual(Array(credentials.utf8), login.pair) {
            return .admitted(user: login.name)
        }
        guard let users else { return .refused(.credentials) }
        return users.knows(login)
            ? .admitted(user: login.name)
            : .unverified(LoginCheck(login: login, users: users, client: client))
    }

    /// Compares in a time that depends only on the length of `given`, so that timing does not reveal how many
    /// characters are right.
    private static func isEqual(_ expected: [UInt8], _ given: [UInt8]) -> Bool {
        guard !expected.isEmpty else { return given.isEmpty }
        var difference = expected.count ^ given.count
        for (index, byte) in given.enumerated() {
            difference |= Int(byte ^ expected[index % expected.count])
        }
        return difference == 0
    }
}

/// An IP network: `192.0.2.0/24`, `2001:db8::/32`, or a single address.
package struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    private let address: IPAddress
    private let prefix: Int

    /// Parses an address with or without a prefix length.
    ///
    /// - Parameter text: The network in CIDR notation (RFC 4632).
    /// - Throws: ``AddressFailure`` if the text is not a network.
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
