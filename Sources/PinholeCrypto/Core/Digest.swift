import COpenSSL

/// Digests of bytes.
package enum Digest {
    /// The SHA-256 of `bytes`.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha256()) }

    /// The MD5 of `bytes`, only for HTTP Digest (RFC 7616); `nil` if the system's OpenSSL has MD5 switched off.
    package static func md5(_ bytes: [UInt8]) -> [UInt8]? { attempt(bytes, EVP_md5()) }

    /// The SHA-512/256 of `bytes`; `nil` if the system's OpenSSL has it switched off.
    package static func sha512Truncated(_ bytes: [UInt8]) -> [UInt8]? { attempt(bytes, EVP_sha512_256()) }

    /// The HMAC of `bytes` with SHA-256 (RFC 2104).
    package static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var written: UInt32 = 0
            let code = HMAC(
                EVP_sha256(),
                key,
                Int32(clamping: key.count),
                bytes,
                bytes.count,
                buffer.baseAddress,
                &written
            )
            // The call fails only if the system's OpenSSL configuration switches SHA-256 off.
            precondition(code != nil, "OpenSSL does not offer HMAC with SHA-256")
            count = Int(written)
        }
    }

    /// A digest in readable form: pairs of hexadecimal digits, `12:AB:…`.
    package static func text(_ digest: [UInt8]) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }

    /// The SHA-512 of `bytes`.
    static func sha512(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha512()) }

    /// The SHA-1 of `bytes`, for key identifiers (RFC 5280 §4.2.1.2), which need no collision resistance.
    static func sha1(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha1()) }

    private static func attempt(_ bytes: [UInt8], _ algorithm: OpaquePointer?) -> [UInt8]? {
        OpenSSLQueue.quietly {
            var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
            var count: UInt32 = 0
            guard EVP_Digest(bytes, bytes.count, &digest, &count, algorithm, nil) == 1 else { return nil }
            return Array(digest.prefix(Int(count)))
        }
    }

    private static func digest(_ bytes: [UInt8], _ algorithm: OpaquePointer?) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var written: UInt32 = 0
            let done = EVP_Digest(bytes, bytes.count, buffer.baseAddress, &written, algorithm, nil)
            // The call fails only if the system's OpenSSL configuration switches the algorithm off.
            precondition(done == 1, "OpenSSL offers neither SHA-1 nor SHA-256")
            count = Int(written)
        }
    }
}
