import COpenSSL

/// SHA-256 of a key and a text, for many texts: OpenSSL looks the algorithm up and allocates its state once.
package final class KeyedDigest {
    private let key: [UInt8]
    private let context: OpaquePointer

    /// Prepares digests with a key.
    ///
    /// - Parameter key: The bytes before each text.
    package init(key: [UInt8]) {
        self.key = key
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            // The call fails only if the system's OpenSSL configuration switches the algorithm off.
            preconditionFailure("OpenSSL does not offer SHA-256")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Returns the digest of the key and a text.
    package func digest(of text: ArraySlice<UInt8>) -> SIMD32<UInt8> {
        var digest = SIMD32<UInt8>()
        // Without an algorithm, the context begins again with the one that it has.
        let isDone =
            EVP_DigestInit_ex(context, nil, nil) == 1 && EVP_DigestUpdate(context, key, key.count) == 1
            && text.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) } == 1
            && withUnsafeMutableBytes(of: &digest) { bytes in
                EVP_DigestFinal_ex(context, bytes.bindMemory(to: UInt8.self).baseAddress, nil)
            } == 1
        precondition(isDone, "OpenSSL does not offer SHA-256")
        return digest
    }
}
