import COpenSSL
import PinholeModel

/// The TLS library that this process runs with, which decides about the versions, ciphers and groups that exist.
package enum TLSLibrary {
    /// The name, the version and the date, as the library states them: `OpenSSL 3.0.17 1 Jul 2025`.
    package static let version = OpenSSL_version(OPENSSL_VERSION).map { String(cString: $0) } ?? "libssl"

    /// Returns the groups to offer and to accept, in the notation of OpenSSL 3.5, which older versions refuse.
    ///
    /// All post-quantum groups come first, of which a server prefers any to a curve alone. The library ignores the
    /// groups that it does not have. A client sends two key shares: of the marked group, and of X25519 (`DEFAULT`).
    ///
    /// - Parameter shared: The post-quantum group whose key share a client sends.
    /// - Returns: The list.
    static func groups(sharing shared: TLSGroup) -> String {
        let groups = [4588, 4587, 4589, 4590, 513, 514, 512].map(TLSGroup.init(rawValue:))
        return groups.map { "?\($0 == shared ? "*" : "")\($0)" }.joined(separator: ":") + "/DEFAULT"
    }
}
