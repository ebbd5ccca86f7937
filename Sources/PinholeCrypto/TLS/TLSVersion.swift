/// A version of the TLS protocol.
///
/// The proxy speaks ``allCases``. The older versions serve only the lab, whose servers may be as weak as real ones.
package enum TLSVersion: String, Sendable, Comparable, CaseIterable, Codable {
    /// TLS 1.0 (RFC 2246), forbidden by RFC 8996.
    case tls10 = "1.0"
    /// TLS 1.1 (RFC 4346), forbidden by RFC 8996.
    case tls11 = "1.1"
    /// TLS 1.2 (RFC 5246).
    case tls12 = "1.2"
    /// TLS 1.3 (RFC 8446).
    case tls13 = "1.3"

    /// The versions that a user can choose.
    package static let allCases: [TLSVersion] = [.tls12, .tls13]

    /// The number of the version in the protocol.
    package var code: UInt16 {
        switch self {
        case .tls10: 0x0301
        case .tls11: 0x0302
        case .tls12: 0x0303
        case .tls13: 0x0304
        }
    }

    /// Returns the name of a version by its number in the protocol; the number for an unknown one.
    package static func name(ofCode code: UInt16) -> String {
        let known = [tls10, tls11, tls12, tls13].first { $0.code == code }
        return known.map { "TLS \($0.rawValue)" } ?? "0x" + String(code, radix: 16)
    }

    /// Whether `left` is older than `right`.
    package static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.code < right.code }
}
