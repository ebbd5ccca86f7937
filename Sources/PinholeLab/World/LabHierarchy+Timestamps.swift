import PinholeCrypto
import PinholeModel

extension LabHierarchy {
    /// Makes the list of timestamps that the leaves of public CAs carry (RFC 6962 §3.2, §3.3): of two logs.
    ///
    /// The timestamps have no valid signature: the lab has no logs, and policies that look at timestamps here only
    /// count them.
    static func timestamps(at moment: Timestamp) -> [UInt8] {
        let milliseconds = UInt64(max(0, moment.seconds)) * 1000
        let entries = (1...2).flatMap { (log: UInt8) -> [UInt8] in
            // Version 1, the log's key, the time, no extensions; ECDSA over SHA-256, and the signature.
            let body =
                [0] + [UInt8](repeating: log, count: 32) + bytes(milliseconds, 8) + [0, 0, 4, 3]
                + vector([UInt8](repeating: 0x5a, count: 64))
            return vector(body)
        }
        return vector(entries)
    }

    private static func vector(_ content: [UInt8]) -> [UInt8] { bytes(UInt64(content.count), 2) + content }

    private static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }
}
