package import PinholeModel

/// The claim of a signed certificate timestamp (RFC 6962 §3.2).
///
/// Its signature cannot be checked without a list of logs and their keys, so it remains a claim.
package struct SignedTimestamp: Hashable, Sendable {
    /// The SHA-256 of the log's key.
    package let log: [UInt8]
    /// The time at which the log claims to have accepted the certificate.
    package let time: Timestamp

    /// Reads a SignedCertificateTimestampList (RFC 6962 §3.3); `nil` if it is malformed.
    ///
    /// Timestamps with another version than v1 are skipped.
    package static func list(_ bytes: [UInt8]) -> [SignedTimestamp]? {
        var rest = bytes[...]
        guard let body = take(prefixed: &rest), rest.isEmpty else { return nil }
        rest = body
        var found: [SignedTimestamp] = []
        while !rest.isEmpty {
            guard let entry = take(prefixed: &rest), !entry.isEmpty else { return nil }
            guard entry.first == 0 else { continue }
            guard let timestamp = SignedTimestamp(entry) else { return nil }
            found.append(timestamp)
        }
        return found
    }

    /// Reads a timestamp of version 1: version, log, milliseconds, extensions, algorithm, signature.
    private init?(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes.dropFirst()
        guard rest.count >= 40 else { return nil }
        log = Array(rest.prefix(32))
        let milliseconds = rest.dropFirst(32).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(40)
        guard milliseconds <= UInt64(Int64.max / 1000), Self.take(prefixed: &rest) != nil, rest.count >= 2
        else { return nil }
        rest = rest.dropFirst(2)
        guard Self.take(prefixed: &rest) != nil, rest.isEmpty else { return nil }
        time = Timestamp(microseconds: Int64(milliseconds) * 1000)
    }

    /// Takes the bytes that a length of two bytes announces; `nil` if there are too few.
    private static func take(prefixed rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.count >= 2 else { return nil }
        let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        guard rest.count >= 2 + length else { return nil }
        let taken = rest.dropFirst(2).prefix(length)
        rest = rest.dropFirst(2 + length)
        return taken
    }
}
