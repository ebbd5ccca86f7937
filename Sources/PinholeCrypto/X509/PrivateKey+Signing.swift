import COpenSSL

extension PrivateKey {
    /// The digest that is signed.
    package enum SignatureDigest: String, Hashable, Sendable, CaseIterable {
        /// MD5, which is broken; for certificates that a verifier has to refuse.
        case md5
        /// SHA-1, which is too weak; for certificates that a verifier has to refuse.
        case sha1
        /// SHA-256 (FIPS 180-4).
        case sha256
        /// SHA-384 (FIPS 180-4).
        case sha384
    }

    /// Signs `bytes`.
    ///
    /// - Returns: The signature: PKCS#1 v1.5 for RSA, a DER sequence for EC.
    /// - Throws: ``CryptoFailure`` when OpenSSL refuses.
    package func signature(
        over bytes: [UInt8],
        digest: SignatureDigest
    ) throws(CryptoFailure) -> [UInt8] {
        OpenSSLQueue.clear()
        let algorithm =
            switch digest {
            case .md5: EVP_md5()
            case .sha1: EVP_sha1()
            case .sha256: EVP_sha256()
            case .sha384: EVP_sha384()
            }
        guard let context = EVP_MD_CTX_new() else { throw .drainingQueue("no memory for a signature") }
        defer { EVP_MD_CTX_free(context) }
        var count = 0
        guard EVP_DigestSignInit(context, nil, algorithm, nil, handle.pointer) == 1,
            EVP_DigestSign(context, nil, &count, bytes, bytes.count) == 1
        else { throw .drainingQueue("could not begin a signature") }
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1 else {
            throw .drainingQueue("could not sign")
        }
        return Array(signature.prefix(count))
    }
}
