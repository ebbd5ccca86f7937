/// A record that has no business where it is put, and that TLS libraries once fell for.
package enum TLSProbe: String, Sendable, Hashable, CaseIterable {
    /// A heartbeat that claims to be longer than it is, so that memory comes back (CVE-2014-0160).
    case heartbeat = "a heartbeat that claims to be longer than it is"
    /// A ChangeCipherSpec before there are keys, so that they are made of nothing (CVE-2014-0224).
    case earlyChangeCipherSpec = "a ChangeCipherSpec before there are keys"

    /// The record, of TLS 1.2.
    var record: [UInt8] {
        switch self {
        // A request of one byte that says it has 16,384 (RFC 6520 §4).
        case .heartbeat: [Self.heartbeatType, 3, 3, 0, 4, 1, 0x40, 0, 0x42]
        case .earlyChangeCipherSpec: [20, 3, 3, 0, 1, 1]
        }
    }

    /// The type of records that are heartbeats (RFC 6520 §6).
    static let heartbeatType: UInt8 = 24

    /// The note about a client that answered.
    static let answered = "a heartbeat of the client's"

    /// The length of the record that bytes begin with (RFC 8446 §5.1); `nil` where it is not all there.
    static func length(ofRecordIn bytes: [UInt8]) -> Int? {
        guard bytes.count >= 5 else { return nil }
        let length = 5 + Int(bytes[3]) << 8 + Int(bytes[4])
        return bytes.count >= length ? length : nil
    }
}
