package import PinholeModel

/// Asks a SOCKS5 proxy (RFC 1928) for a connection: bytes in and bytes out, until the connection is open.
///
/// The proxy resolves names.
package struct SOCKSConnector: Sendable {
    private enum State: Sendable, Equatable {
        case method
        case credentials
        case reply
        case over
    }

    private let request: [UInt8]
    private let credentials: [UInt8]?
    private var state = State.method

    /// Creates a connector.
    ///
    /// - Parameters:
    ///   - authority: The server to reach.
    ///   - user: The user name of 1 to 255 bytes (RFC 1929); `nil` for none.
    ///   - password: The password of 1 to 255 bytes; `nil` for none.
    package init(to authority: Authority, user: [UInt8]? = nil, password: [UInt8]? = nil) {
        let port = [UInt8(authority.port >> 8), UInt8(authority.port & 0xff)]
        let host: [UInt8] =
            switch authority.host {
            case .name(let name): [3, UInt8(clamping: name.utf8.count)] + Array(name.utf8)
            case .address(let address): [address.isVersion6 ? 4 : 1] + address.bytes
            }
        request = [5, 1, 0] + host + port
        credentials = user.map { user in
            let password = password ?? []
            return [1, UInt8(clamping: user.count)] + user.prefix(255) + [UInt8(clamping: password.count)]
                + password.prefix(255)
        }
    }

    /// The bytes to send first.
    package var greeting: [UInt8] { credentials == nil ? [5, 1, 0] : [5, 2, 0, 2] }

    /// Reads the answers.
    ///
    /// - Parameters:
    ///   - input: The bytes of the proxy. Complete answers are consumed; the bytes after the last one come
    ///     from the server.
    ///   - output: Receives the bytes to send.
    /// - Returns: Whether the connection is open; otherwise more bytes are needed.
    /// - Throws: ``HopRefusal`` when the proxy refuses the connection.
    package mutating func next(
        _ input: inout ByteQueue,
        into output: inout [UInt8]
    ) throws(HopRefusal) -> Bool {
        while state != .over {
            var cursor = ByteCursor(input.slice(min(input.count, 300)))
            let available = cursor.rest.count
            switch state {
            case .method: guard try readMethod(&cursor, &output) else { return false }
            case .credentials: guard try readVerdict(&cursor, &output) else { return false }
            case .reply: guard try readReply(&cursor) else { return false }
            case .over: break
            }
            input.consume(available - cursor.rest.count)
        }
        return true
    }

    private mutating func readMethod(
        _ cursor: inout ByteCursor,
        _ output: inout [UInt8]
    ) throws(HopRefusal) -> Bool {
        guard let version = cursor.byte() else { return false }
        guard version == 5 else {
            throw HopRefusal(
                .malformed,
                "expected SOCKS5, found the first byte \(version): it is no proxy of SOCKS5"
            )
        }
        guard let method = cursor.byte() else { return false }
        switch (method, credentials) {
        case (0, _):
            state = .reply
            output += request
        case (2, let credentials?):
            state = .credentials
            output += credentials
        case (0xff, nil):
            throw HopRefusal(.authentication, "it accepts no client without a user name and a password")
        case (0xff, _):
            throw HopRefusal(.authentication, "it accepts neither a password nor a client without one")
        default: throw HopRefusal(.malformed, "it chose the method \(method), which was not offered")
        }
        return true
    }

    private mutating func readVerdict(
        _ cursor: inout ByteCursor,
        _ output: inout [UInt8]
    ) throws(HopRefusal) -> Bool {
        guard cursor.byte() != nil, let status = cursor.byte() else { return false }
        guard status == 0 else {
            throw HopRefusal(
                .authentication,
                "it refuses the user name or the password (RFC 1929 status \(status))"
            )
        }
        state = .reply
        output += request
        return true
    }

    private mutating func readReply(_ cursor: inout ByteCursor) throws(HopRefusal) -> Bool {
        guard let version = cursor.byte(), let code = cursor.byte() else { return false }
        guard version == 5 else {
            throw HopRefusal(.malformed, "expected a reply of version 5, found \(version)")
        }
        guard code == 0 else {
            let meaning = SOCKSReply(rawValue: code)?.meaning ?? "an unknown code"
            throw HopRefusal(.refused, "it answered \(meaning) (\(code))")
        }
        guard cursor.byte() != nil, let kind = cursor.byte() else { return false }
        let bound: ArraySlice<UInt8>?
        switch kind {
        case 1: bound = cursor.bytes(4)
        case 3: bound = cursor.vector(1)
        case 4: bound = cursor.bytes(16)
        default: throw HopRefusal(.malformed, "its reply has an address of the unknown type \(kind)")
        }
        guard bound != nil, cursor.uint16() != nil else { return false }
        state = .over
        return true
    }
}
