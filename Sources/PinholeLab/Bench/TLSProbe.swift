/// A record that is out of place, and that some TLS libraries once accepted.
package enum TLSProbe: String, Sendable, Hashable, CaseIterable {
    /// A heartbeat that claims to be longer than it is, so that the answer contains memory (CVE-2014-0160).
    case heartbeat = "a heartbeat that claims to be longer than it is"
    /// A ChangeCipherSpec before keys are agreed, so that the keys are made of known values (CVE-2014-0224).
    case earlyChangeCipherSpec = "a ChangeCipherSpec before there are keys"

    /// The record, of TLS 1.2.
    var record: [UInt8] {
        switch self {
        // A request of one byte that claims to have 16,384 (RFC 6520 §4).
        case .heartbeat: [Self.heartbeatType, 3, 3, 0, 4, 1, 0x40, 0, 0x42]
        case .earlyChangeCipherSpec: [20, 3, 3, 0, 1, 1]
        }
    }

    /// The type of records that are heartbeats (RFC 6520 §6).
    static let heartbeatType: UInt8 = 24

    /// The note about a client that answered.
    static let answered = "a heartbeat of the client's"

    /// Returns the length of the first record in `bytes` (RFC 8446 §5.1); `nil` if the record is not complete.
    static func length(ofRecordIn bytes: [UInt8]) -> Int? {
        guard bytes.count >= 5 else { return nil }
        let length = 5 + Int(bytes[3]) << 8 + Int(bytes[4])
        return bytes.count >= length ? length : nil
    }
}
