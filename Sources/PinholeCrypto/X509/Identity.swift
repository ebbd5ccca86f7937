/// A certificate chain and the private key of its leaf.
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
        guard leaf.handle.hasKey(of: key.handle) else {
            throw .drainingQueue("the private key does not belong to the certificate “\(leaf.subject)”")
        }
        self.chain = chain
        self.key = key
    }

    /// Reads a PEM text with one private key and the certificates of its chain in any order.
    ///
    /// - Parameter pem: The key, its certificate, and the known certificates above it.
    /// - Throws: ``CryptoFailure`` when a part is missing, damaged or does not belong to the others.
    package init(pem: String) throws(CryptoFailure) {
        let blocks = PEM.blocks(in: Array(pem.utf8))
        let certificates = try Certificate.certificates(in: blocks)
        try self.init(unordered: certificates, key: try PrivateKey(blocks: blocks))
    }

    /// Reads a certificate with its chain, and its key, from one PEM text or two.
    ///
    /// - Parameters:
    ///   - pem: The certificate, and the known certificates above it.
    ///   - keyPEM: The key; `nil` if it stands in `pem`.
    ///   - passphrase: The passphrase of an encrypted key; `nil` if none is known.
    /// - Throws: ``CryptoFailure`` when a part is missing, damaged or does not belong to the others.
    package init(pem: String, keyPEM: String?, passphrase: String?) throws(CryptoFailure) {
        let certificates = try Certificate.certificates(in: PEM.blocks(in: Array(pem.utf8)))
        let key = try PrivateKey(pem: keyPEM ?? pem, passphrase: passphrase)
        try self.init(unordered: certificates, key: key)
    }

    /// Builds the chain from certificates in any order.
    ///
    /// - Parameters:
    ///   - certificates: The leaf, and the known certificates above it.
    ///   - key: The private key of the leaf.
    /// - Throws: ``CryptoFailure`` when no certificate has the key, or a certificate is not part of the chain.
    package init(unordered certificates: [Certificate], key: PrivateKey) throws(CryptoFailure) {
        let chain = try ChainBuilder(certificates: certificates).chain(of: key)
        try self.init(chain: chain, key: key)
    }

    /// The leaf, whose key is ``key``.
    package var certificate: Certificate { chain[0] }

    /// The chain and the key in PEM, leaf first, key last.
    package var pem: String {
        get throws(CryptoFailure) { chain.map(\.pem).joined() + (try key.pem) }
    }
}
