import PinholeModel

/// A question to a name server (RFC 1035 §4), and the answer from a ``NamePool``.
struct NameQuery {
    private static let headerLength = 12
    private static let lifetime: [UInt8] = [0, 0, 0, 60]
    private static let typeA = 1
    private static let typePTR = 12

    /// The message up to the end of its question.
    private let message: [UInt8]
    /// The name in the question, in lower case.
    let name: String
    private let type: Int

    /// Reads a message; `nil` if it is no query with one question.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.headerLength, bytes.count <= 512 else { return nil }
        // The message must be a query (QR 0) of the standard kind (OPCODE 0) with one question.
        guard bytes[2] & 0xf8 == 0, bytes[4] == 0, bytes[5] == 1 else { return nil }
        var labels: [String] = []
        var index = Self.headerLength
        while index < bytes.count, bytes[index] != 0 {
            let length = Int(bytes[index])
            // A larger value would be a pointer, which the first name cannot contain.
            guard length <= 63, index + 1 + length < bytes.count else { return nil }
            labels.append(String(decoding: bytes[(index + 1)...(index + length)], as: UTF8.self).lowercased())
            index += 1 + length
        }
        guard index + 5 <= bytes.count else { return nil }
        type = Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
        message = Array(bytes[..<(index + 5)])
        name = labels.joined(separator: ".")
    }

    /// Answers the question.
    ///
    /// Each name that a server can have gets an IPv4 address; other types get no data.
    ///
    /// IPv6 is left out (no data), so that clients use the IPv4 address.
    func answer(from pool: NamePool) -> [UInt8] {
        guard type != Self.typePTR, case .name(let host)? = try? Host(name) else {
            return reply(code: 3, nil)
        }
        guard type == Self.typeA else { return reply(code: 0, nil) }
        if host == "localhost" || host.hasSuffix(".localhost") { return reply(code: 0, [127, 0, 0, 1]) }
        guard let address = pool.address(of: host) else { return reply(code: 2, nil) }
        return reply(code: 0, address.bytes)
    }

    private func reply(code: UInt8, _ address: [UInt8]?) -> [UInt8] {
        var reply = message
        // The flags say: a response, recursion desired as in the query, recursion available.
        reply[2] = 0x80 | (message[2] & 1)
        reply[3] = 0x80 | code
        let counts: [UInt8] = [0, 1, 0, address == nil ? 0 : 1, 0, 0, 0, 0]
        reply.replaceSubrange(4..<Self.headerLength, with: counts)
        guard let address else { return reply }
        // The name is the one of the question, at offset 12; type A, class IN.
        reply += [0xc0, UInt8(Self.headerLength), 0, UInt8(Self.typeA), 0, 1]
        return reply + Self.lifetime + [0, UInt8(address.count)] + address
    }
}
