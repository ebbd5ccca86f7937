import COpenSSL

extension PrivateKey {
    /// Reads the only key of a PEM text, which may be encrypted: PKCS#8, or the older `RSA`/`EC PRIVATE KEY`.
    ///
    /// - Parameters:
    ///   - pem: A text with exactly one private key; other blocks are ignored.
    ///   - passphrase: The passphrase of an encrypted key; `nil` if none is known.
    /// - Throws: ``CryptoFailure`` that says what the text contains instead, or that the passphrase is
    ///   missing or wrong.
    package init(pem: String, passphrase: String?) throws(CryptoFailure) {
        let blocks = PEM.blocks(in: Array(pem.utf8))
        let keys = blocks.filter { $0.label.hasSuffix("PRIVATE KEY") }
        guard let passphrase, let block = keys.first, keys.count == 1, block.isSecret else {
            try self.init(blocks: blocks)
            return
        }
        OpenSSLQueue.clear()
        let pointer = pem.withCString { text -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(text, -1) else { return nil }
            defer { BIO_free(bio) }
            // Without a callback, OpenSSL takes the last argument as the passphrase.
            return passphrase.withCString { secret in
                PEM_read_bio_PrivateKey(bio, nil, nil, UnsafeMutableRawPointer(mutating: secret))
            }
        }
        guard let pointer else {
            throw .drainingQueue(
                "the passphrase does not fit the private key in line \(block.line), or the key is damaged"
            )
        }
        OpenSSLQueue.clear()
        self.init(taking: pointer)
    }

    init(blocks: [PEM.Block]) throws(CryptoFailure) {
        let keys = blocks.filter { $0.label.hasSuffix("PRIVATE KEY") }
        guard let block = keys.first else {
            throw CryptoFailure(
                "expected a private key in PEM (“-----BEGIN PRIVATE KEY-----”), found \(Self.found(blocks))"
            )
        }
        guard keys.count == 1 else {
            throw CryptoFailure(
                "expected one private key, found \(keys.count) (lines "
                    + keys.map { String($0.line) }.joined(separator: ", ") + ")"
            )
        }
        guard !block.isSecret else {
            throw CryptoFailure(
                "the private key in line \(block.line) is encrypted, and there is no passphrase; decrypt it first: "
                    + "openssl pkey -in ENCRYPTED.pem -out KEY.pem"
            )
        }
        guard let content = block.content else {
            throw CryptoFailure("the private key in line \(block.line) is damaged: no Base64 or no END line")
        }
        try self.init(der: content)
    }

    /// Parses DER: PKCS#8, or the older structures of RSA and EC keys.
    ///
    /// - Parameter der: The key, with no bytes after it.
    /// - Throws: ``CryptoFailure`` when it is no key that OpenSSL supports.
    package init(der: [UInt8]) throws(CryptoFailure) {
        OpenSSLQueue.clear()
        guard let pointer = parsed(der, by: d2i_AutoPrivateKey, release: EVP_PKEY_free) else {
            throw .drainingQueue("expected one private key in DER")
        }
        // d2i leaves errors about the formats that it tried before the right one.
        OpenSSLQueue.clear()
        self.init(taking: pointer)
    }

    private static func found(_ blocks: [PEM.Block]) -> String {
        blocks.isEmpty ? "no PEM block" : "only " + Set(blocks.map(\.label)).sorted().joined(separator: ", ")
    }
}

extension PEM.Block {
    /// Whether reading the content requires a passphrase.
    fileprivate var isSecret: Bool { label == "ENCRYPTED PRIVATE KEY" || isEncrypted }
}
