package import PinholeModel

/// Speaks SOCKS with a client: bytes in, questions out, answers in, bytes out.
///
/// The acceptor supports SOCKS5 (RFC 1928) with or without user name and password (RFC 1929), and SOCKS4 and
/// 4a, which have no password. The only command is CONNECT. After the request nothing more is read: the
/// following bytes belong to the tunnel.
package struct SOCKSAcceptor: Sendable {
    /// A message of the client that needs an answer.
    package enum Event: Sendable, Equatable {
        /// The client's user name and password; ``judge(areRight:)`` continues.
        case credentials(user: [UInt8], password: [UInt8])
        /// The server that the client wants to reach; ``reply(_:)`` answers.
        case request(Authority)
    }

    private enum State: Sendable, Equatable {
        case greeting
        case credentials
        case judging
        case request
        case over
    }

    private enum Step {
        case needsMore
        case goesOn
        case event(Event)
    }

    /// The largest message that is read.
    ///
    /// All messages of SOCKS5, and all valid ones of SOCKS4, are shorter.
    private static let longest = 1024

    /// The version that the client speaks.
    package let version: SOCKSVersion
    private let asksForPassword: Bool
    private var state: State

    /// Creates the acceptor for a client whose first byte is a version.
    ///
    /// The byte is still to be read.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - asksForPassword: Whether a client without user name and password is refused.
    package init(_ version: SOCKSVersion, asksForPassword: Bool) {
        self.version = version
        self.asksForPassword = asksForPassword
        state = version == .socks5 ? .greeting : .request
    }

    /// Reads the next message.
    ///
    /// - Parameters:
    ///   - input: The bytes of the client; complete messages are consumed.
    ///   - output: Receives the bytes to send, even if the call throws.
    /// - Returns: The client's message; `nil` if more bytes or an answer are needed.
    /// - Throws: ``SOCKSFailure`` when the connection must be closed after `output` is sent.
    package mutating func next(
        _ input: inout ByteQueue,
        into output: inout [UInt8]
    ) throws(SOCKSFailure) -> Event? {
        do throws(SOCKSFailure) {
            while true {
                var cursor = ByteCursor(input.slice(min(input.count, Self.longest)))
                let available = cursor.rest.count
                let step =
                    switch state {
                    case .greeting: try readGreeting(&cursor, &output)
                    case .credentials: try readCredentials(&cursor, &output)
                    case .request:
                        version == .socks5
                            ? try readRequest(&cursor, &output) : try readRequest4(&cursor, &output)
                    case .judging, .over: Step.needsMore
                    }
                if case .needsMore = step { return nil }
                input.consume(available - cursor.rest.count)
                if case .event(let event) = step { return event }
            }
        } catch {
            state = .over
            throw error
        }
    }

    /// Answers the credentials, and continues if they are right.
    ///
    /// - Parameter areRight: Whether the credentials are right.
    /// - Returns: The bytes to send.
    package mutating func judge(areRight: Bool) -> [UInt8] {
        state = areRight ? .request : .over
        return [1, areRight ? 0 : 1]
    }

    /// Answers the request, or refuses a client that has not asked for anything yet.
    ///
    /// The bound address in the reply is empty: it would be the proxy's and of no use to the client.
    ///
    /// - Returns: The bytes to send.
    package mutating func reply(_ reply: SOCKSReply) -> [UInt8] {
        defer { state = .over }
        if version == .socks4 { return [0, reply == .succeeded ? 0x5a : 0x5b, 0, 0, 0, 0, 0, 0] }
        if state == .greeting { return [5, 0xff] }
        return [5, reply.rawValue, 0, 1, 0, 0, 0, 0, 0, 0]
    }

    // MARK: SOCKS5

    private mutating func readGreeting(
        _ cursor: inout ByteCursor,
        _ output: inout [UInt8]
    ) throws(SOCKSFailure) -> Step {
        guard cursor.byte() != nil, let methods = cursor.vector(1) else { return .needsMore }
        let wanted: UInt8 = asksForPassword || !methods.contains(0) ? 2 : 0
        guard methods.contains(wanted) else {
            output += [5, 0xff]
            throw SOCKSFailure(
                .noCommonMethod,
                asksForPassword
                    ? "expected a SOCKS5 client that sends a user name and a password, and this one offers none"
                    : "expected authentication by none (0) or by password (2), and the client offers neither"
            )
        }
        output += [5, wanted]
        state = wanted == 2 ? .credentials : .request
        return .goesOn
    }

    private mutating func readCredentials(
        _ cursor: inout ByteCursor,
        _ output: inout [UInt8]
    ) throws(SOCKSFailure) -> Step {
        guard let version = cursor.byte() else { return .needsMore }
        guard version == 1 else {
            output += [1, 1]
            throw SOCKSFailure(
                .badSubnegotiation,
                "expected version 1 of user name and password (RFC 1929), found \(version)"
            )
        }
        guard let user = cursor.vector(1), let password = cursor.vector(1) else { return .needsMore }
        state = .judging
        return .event(.credentials(user: Array(user), password: Array(password)))
    }

    private mutating func readRequest(
        _ cursor: inout ByteCursor,
        _ output: inout [UInt8]
    ) throws(SOCKSFailure) -> Step {
        guard let version = cursor.byte(), let command = cursor.byte(), let reserved = cursor.byte(),
            let kind = cursor.byte()
        else { return .needsMore }
        guard version == 5, reserved == 0 else {
            throw refuse(
                .generalFailure,
                .badRequest,
                "expected a request that begins with 5, a command and 0, found \(version), \(command) and \(reserved)",
                &output
            )
        }
        try check(command, &output)
        guard let host = try readHost(kind, &cursor, &output), let port = cursor.uint16() else {
            return .needsMore
        }
        return try destination(host, port, &output)
    }

    /// - Returns: The host as text; `nil` if more bytes are needed.
    private mutating func readHost(
        _ kind: UInt8,
        _ cursor: inout ByteCursor,
        _ output: inout [UInt8]
    ) throws(SOCKSFailure) -> String? {
        switch kind {
        case 1: return cursor.bytes(4).flatMap { IPAddress(bytes: Array($0)) }?.description
        case 3: return cursor.vector(1).map { String(decoding: $0, as: UTF8.self) }
        case 4: return cursor.bytes(16).flatMap { IPAddress(bytes: Array($0)) }?.description
        default:
            throw refuse(
                .addressTypeNotSupported,
                .badAddressType,
                "expected an IPv4 address (1), a name (3) or an IPv6 address (4), found the type \(kind)",
                &output
            )
        }
    }

    private mutating func check(_ command: UInt8, _ output: inout [UInt8]) throws(SOCKSFailure) {
        guard command != 1 else { return }
        let found = Self.name(ofCommand: command)
        throw refuse(
            .commandNotSupported,
            .badCommand,
            "expected the command CONNECT (1), found \(found)",
            &output
        )
    }

    private static func name(ofCommand command: UInt8) -> String {
        switch command {
        case 2: "BIND (2)"
        case 3: "UDP ASSOCIATE (3)"
        default: "\(command)"
        }
    }

    // MARK: SOCKS4

    private mutating func readRequest4(
        _ cursor: inout ByteCursor,
        _ output: inout [UInt8]
    ) throws(SOCKSFailure) -> Step {
        let isFull = cursor.rest.count == Self.longest
        guard cursor.byte() != nil, let command = cursor.byte(), let port = cursor.uint16(),
            let address = cursor.bytes(4)
        else { return .needsMore }
        try check(command, &output)
        // SOCKS4a: an address 0.0.0.x means that a name follows the user.
        let isNamed = address.dropLast().allSatisfy { $0 == 0 } && address.last != 0
        guard cursor.text() != nil, let name = isNamed ? cursor.text() : [] else {
            guard isFull else { return .needsMore }
            throw refuse(
                .generalFailure,
                .tooLong,
                "expected a user and a name that end with 0 within \(Self.longest) bytes",
                &output
            )
        }
        guard !asksForPassword else {
            throw refuse(
                .notAllowed,
                .noCommonMethod,
                "expected SOCKS5 with a user name and a password; SOCKS4 has no password",
                &output
            )
        }
        let host =
            isNamed
            ? String(decoding: name, as: UTF8.self)
            : IPAddress(bytes: Array(address)).map(\.description) ?? ""
        return try destination(host, port, &output)
    }

    // MARK: Both

    private mutating func destination(
        _ host: String,
        _ port: UInt16,
        _ output: inout [UInt8]
    ) throws(SOCKSFailure) -> Step {
        do throws(AddressFailure) {
            guard port > 0 else { throw AddressFailure("\(host):0", expected: "a port of 1 to 65535") }
            let authority = Authority(host: try Host(host), port: port)
            state = .judging
            return .event(.request(authority))
        } catch {
            // The detail is recorded, so a user name and a password before an “@” are left out.
            let shown = AddressFailure(UserInfo.hidden(in: error.text), expected: error.expected)
            throw refuse(.generalFailure, .badDestination, shown.description, &output)
        }
    }

    private mutating func refuse(
        _ answer: SOCKSReply,
        _ code: SOCKSFailure.Code,
        _ detail: String,
        _ output: inout [UInt8]
    ) -> SOCKSFailure {
        output += reply(answer)
        return SOCKSFailure(code, detail)
    }
}

extension ByteCursor {
    /// Reads a text up to a 0 byte, which is consumed.
    fileprivate mutating func text() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        let text = bytes(end - rest.startIndex)
        _ = byte()
        return text
    }
}
