/// The versions of SOCKS that clients speak.
package enum SOCKSVersion: UInt8, Sendable, Equatable {
    /// SOCKS4, and SOCKS4a, which adds names.
    case socks4 = 4
    /// SOCKS5 (RFC 1928).
    case socks5 = 5
}
