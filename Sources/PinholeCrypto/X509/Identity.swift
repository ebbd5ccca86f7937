import COpenSSL

/// A chain and its private key, ready to be presented.
package struct Identity: Sendable {
    /// The chain as it is sent, leaf first.
    package let chain: [Certificate]
    /// The key of the leaf.
    package let key: PrivateKey

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - chain: The chain as it is to be sent, leaf first; at least the leaf.
    ///   - key: The private key of the leaf.
    /// - Throws: ``CryptoFailure`` when the chain is empty or the key is not the leaf's.
    package init(chain: [Certificate], key: PrivateKey) throws(CryptoFailure) {
        guard let leaf = chain.first else {
            throw CryptoFailure("an identity needs at least one certificate")
        }
        OpenSSLQueue.clear()
        guard X509_check_private_key(leaf.handle.pointer, key.handle.pointer) == 1 else {
            throw .drainingQueue("the private key does not belong to the certificate “\(leaf.subject)”")
        }
        self.chain = chain
        self.key = key
    }
}
