/// Checks the parts of field lines.
package enum FieldText {
    /// Whether `name` is a token (RFC 9110 §5.6.2).
    package static func isToken(_ name: String) -> Bool {
        let marks: Set<UInt8> = Set("!#$%&'*+-.^_`|~".utf8)
        return !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || marks.contains(byte)
            }
    }

    /// Whether `value` contains no control characters except tabs.
    ///
    /// A line break would begin another field.
    package static func isValue(_ value: some Sequence<UInt8>) -> Bool {
        value.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }
    }

    /// Whether `path` may stand in a request line: it has no control character, no space and no fragment.
    package static func isPath(_ path: some Sequence<UInt8>) -> Bool {
        path.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != 0x23 }
    }

    /// The fields that frame messages or belong to the connection.
    ///
    /// Only the engines write them.
    package static let framing: Set<String> = [
        "connection", "content-length", "host", "http2-settings", "keep-alive", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]
}
