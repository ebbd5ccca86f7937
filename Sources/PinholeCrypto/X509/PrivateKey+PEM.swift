import COpenSSL

extension PrivateKey {
    /// Reads the one unencrypted key of a PEM text: PKCS#8, or the older `RSA`/`EC PRIVATE KEY`.
    ///
    /// - Parameter pem: A text with exactly one private key; other blocks are ignored.
    /// - Throws: ``CryptoFailure`` that says what is there instead.
    package init(pem: String) throws(CryptoFailure) {
        try self.init(blocks: PEM.blocks(in: Array(pem.utf8)))
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
        guard block.label != "ENCRYPTED PRIVATE KEY", !block.isEncrypted else {
            throw CryptoFailure(
                "the private key in line \(block.line) is encrypted; decrypt it first: "
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
    /// - Parameter der: The key, nothing after it.
    /// - Throws: ``CryptoFailure`` when it is no key that OpenSSL knows.
    package init(der: [UInt8]) throws(CryptoFailure) {
        OpenSSLQueue.clear()
        let pointer = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            guard let parsed = d2i_AutoPrivateKey(nil, &cursor, buffer.count) else { return nil }
            guard cursor == buffer.baseAddress.map({ $0 + buffer.count }) else {
                EVP_PKEY_free(parsed)
                return nil
            }
            return parsed
        }
        guard let pointer else { throw .drainingQueue("expected one private key in DER") }
        // d2i leaves complaints about the formats that it tried before the right one.
        OpenSSLQueue.clear()
        self.init(taking: pointer)
    }

    private static func found(_ blocks: [PEM.Block]) -> String {
        blocks.isEmpty ? "no PEM block" : "only " + Set(blocks.map(\.label)).sorted().joined(separator: ", ")
    }
}
