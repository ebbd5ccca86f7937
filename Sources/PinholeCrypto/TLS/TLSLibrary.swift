import COpenSSL
import PinholeModel

/// The TLS library that this process runs with, which decides about the versions, ciphers and groups that exist.
package enum TLSLibrary {
    /// The name, the version and the date, as the library states them: `OpenSSL 3.0.17 1 Jul 2025`.
    package static let version = OpenSSL_version(OPENSSL_VERSION).map { String(cString: $0) } ?? "libssl"

    /// The groups to offer and to accept, in the notation of OpenSSL 3.5, which older versions refuse.
    ///
    /// All post-quantum groups come first, of which a server prefers any to a curve alone. A client sends two key shares:
    /// of X25519MLKEM768, and of X25519 (`DEFAULT`).
    static let groups = list([4588, 4587, 4589, 4590, 513, 514, 512], sharing: [4588]) + "/DEFAULT"

    /// Returns groups in the notation of OpenSSL 3.5, which ignores those that it does not have.
    ///
    /// - Parameters:
    ///   - groups: The numbers of the groups.
    ///   - shares: The groups for which a client sends key shares.
    /// - Returns: The list.
    package static func list(_ groups: [UInt16], sharing shares: [UInt16]) -> String {
        groups.map { "?\(shares.contains($0) ? "*" : "")\(TLSGroup(rawValue: $0))" }.joined(separator: ":")
    }
}
