import COpenSSL

/// SHA-256 (FIPS 180-4).
package enum SHA256Digest {
    /// The 32 bytes of the digest of `bytes`.
    package static func of(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
        return digest
    }
}
