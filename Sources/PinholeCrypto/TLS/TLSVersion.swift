/// A protocol version that the proxy speaks.
package enum TLSVersion: String, Sendable, Comparable, CaseIterable, Codable {
    /// TLS 1.2 (RFC 5246).
    case tls12 = "1.2"
    /// TLS 1.3 (RFC 8446).
    case tls13 = "1.3"

    /// The version on the wire.
    package var code: UInt16 { self == .tls12 ? 0x0303 : 0x0304 }

    /// Whether `left` is older than `right`.
    package static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.code < right.code }
}
