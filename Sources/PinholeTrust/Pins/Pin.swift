import PinholeModel

/// The digest of a public key that a policy expects.
///
/// Its text is `sha256/` and the Base64 of the SHA-256 of a SubjectPublicKeyInfo (RFC 7469 §2.4).
package struct Pin: Hashable, Sendable, CustomStringConvertible {
    /// The digest algorithm of a pin.
    package enum Algorithm: String, Hashable, Sendable {
        /// SHA-256, 32 bytes.
        case sha256
        /// SHA-1, 20 bytes, which only OkHttp accepts.
        case sha1

        /// The length of the digest in bytes.
        package var length: Int { self == .sha256 ? 32 : 20 }
    }

    /// The algorithm of the digest.
    package let algorithm: Algorithm
    /// The bytes of the digest.
    package let digest: [UInt8]

    /// Wraps a digest; `nil` if its length does not fit the algorithm.
    package init?(_ algorithm: Algorithm = .sha256, digest: [UInt8]) {
        guard digest.count == algorithm.length else { return nil }
        self.algorithm = algorithm
        self.digest = digest
    }

    /// Whether the pin is the digest of the key of `certificate`.
    package func matches(_ certificate: CertificateFacts) -> Bool {
        switch algorithm {
        case .sha256: certificate.spkiSHA256 == digest
        case .sha1: certificate.spkiSHA1 == digest
        }
    }

    /// The pin as text: `sha256/` and Base64.
    package var description: String { "\(algorithm.rawValue)/\(Base64.encode(digest))" }
}
