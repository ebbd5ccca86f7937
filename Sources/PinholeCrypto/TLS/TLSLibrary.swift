import COpenSSL

/// The TLS library that this process runs with, which decides about the versions, ciphers and groups that exist.
package enum TLSLibrary {
    /// The name, the version and the date, as the library states them: `OpenSSL 3.0.17 1 Jul 2025`.
    package static let version = OpenSSL_version(OPENSSL_VERSION).map { String(cString: $0) } ?? "libssl"
}
