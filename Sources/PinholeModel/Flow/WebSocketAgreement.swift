/// The extensions of a WebSocket that the server chose (Sec-WebSocket-Extensions in its answer).
package struct WebSocketAgreement: Sendable, Equatable {
    /// The parameters of permessage-deflate (RFC 7692 §7); `nil` if messages are not compressed.
    package var deflate: PermessageDeflate?
    /// The unknown extensions, as written; they may change the meaning of frames.
    package var unknown: [String] = []

    /// Creates an agreement without extensions.
    package init() {}

    /// Reads the agreement from the fields of the answer that opened the WebSocket.
    ///
    /// A malformed extension counts as unknown, because only the peers know how they treat it.
    package init(answer fields: HeaderFields) {
        for index in fields.indices where fields.isNamed("sec-websocket-extensions", at: index) {
            for member in fields.members(at: index) {
                if deflate == nil, let parameters = PermessageDeflate(member) {
                    deflate = parameters
                } else {
                    unknown.append(String(decoding: member, as: UTF8.self))
                }
            }
        }
    }

    /// Whether an answer with this status and these fields opens a WebSocket over HTTP/1.1
    /// (RFC 6455 §4.1: 101, `Upgrade: websocket`).
    package static func isOpened(status: Int?, answer fields: HeaderFields) -> Bool {
        status == 101 && fields.list("upgrade", contains: "websocket")
    }
}

/// The parameters of permessage-deflate that a server answered with (RFC 7692 §7.1).
package struct PermessageDeflate: Sendable, Equatable {
    /// Whether the server begins each message with an empty window.
    package var serverNoContextTakeover = false
    /// Whether the client begins each message with an empty window.
    package var clientNoContextTakeover = false
    /// The size of the server's window, as a power of two.
    package var serverMaxWindowBits = 15
    /// The size of the client's window, as a power of two.
    package var clientMaxWindowBits = 15

    /// Creates the default parameters.
    package init() {}

    /// Whether a message of `sender` may refer to its earlier ones.
    package func takesOverContext(from sender: Side) -> Bool {
        sender == .client ? !clientNoContextTakeover : !serverNoContextTakeover
    }

    /// Reads one member of Sec-WebSocket-Extensions.
    ///
    /// The result is `nil` if the member is another extension, or has a parameter that an answer must not have (RFC
    /// 7692 §7.1).
    init?(_ member: ArraySlice<UInt8>) {
        let parts = String(decoding: member, as: UTF8.self).lowercased()
            .split(separator: ";", omittingEmptySubsequences: false)
            .map { Self.trimmed($0) }
        guard parts.first == "permessage-deflate" else { return nil }
        var seen: Set<Substring> = []
        for part in parts.dropFirst() {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { Self.trimmed($0) }
            guard let name = words.first, seen.insert(name).inserted,
                read(name, words.count > 1 ? Self.unquoted(words[1]) : nil)
            else { return nil }
        }
    }

    /// Sets a parameter, and returns whether RFC 7692 defines it and allows the value.
    private mutating func read(_ name: Substring, _ value: Substring?) -> Bool {
        switch name {
        case "server_no_context_takeover" where value == nil: serverNoContextTakeover = true
        case "client_no_context_takeover" where value == nil: clientNoContextTakeover = true
        case "server_max_window_bits":
            guard let bits = Self.windowBits(value) else { return false }
            serverMaxWindowBits = bits
        case "client_max_window_bits":
            guard let bits = Self.windowBits(value) else { return false }
            clientMaxWindowBits = bits
        default: return false
        }
        return true
    }

    /// Returns the value of a window parameter, a decimal number from 8 to 15 without leading zeroes (RFC 7692
    /// §7.1.2.1).
    private static func windowBits(_ value: Substring?) -> Int? {
        guard let value, !value.hasPrefix("0"), !value.hasPrefix("+"), let bits = Int(value),
            (8...15).contains(bits)
        else { return nil }
        return bits
    }

    /// Removes quotes; a value that needs none may be a quoted string (RFC 6455 §9.1).
    private static func unquoted(_ value: Substring) -> Substring {
        guard value.count >= 2, value.first == "\"", value.last == "\"" else { return value }
        return value.dropFirst().dropLast()
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let front = text.drop(while: blank)
        guard let last = front.lastIndex(where: { !blank($0) }) else { return "" }
        return front[...last]
    }
}
