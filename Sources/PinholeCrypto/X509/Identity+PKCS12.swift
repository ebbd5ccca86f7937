import COpenSSL

extension Identity {
    /// Reads a PKCS#12 file with one private key and its chain.
    ///
    /// - Parameters:
    ///   - pkcs12: The content of the file.
    ///   - passphrase: Its passphrase; empty if it has none.
    /// - Throws: ``CryptoFailure`` for a wrong passphrase, a damaged file, or a file without a key or a certificate.
    package init(pkcs12: [UInt8], passphrase: String) throws(CryptoFailure) {
        OpenSSLQueue.clear()
        let store = pkcs12.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            return d2i_PKCS12(nil, &cursor, buffer.count)
        }
        guard let store else { throw .drainingQueue("expected a PKCS#12 file (.p12, .pfx)") }
        defer { PKCS12_free(store) }
        try Self.checkPassphrase(passphrase, of: store)
        let (key, certificates) = try Self.parse(store, passphrase: passphrase)
        guard let key else { throw CryptoFailure("the PKCS#12 file holds no private key") }
        guard !certificates.isEmpty else { throw CryptoFailure("the PKCS#12 file holds no certificate") }
        try self.init(unordered: certificates, key: key)
    }

    /// PKCS12_parse reports a wrong passphrase and a damaged file alike; the MAC tells them apart.
    private static func checkPassphrase(_ passphrase: String, of store: OpaquePointer) throws(CryptoFailure) {
        guard PKCS12_mac_present(store) == 1 else { return }
        let isEmpty = passphrase.isEmpty
        guard
            PKCS12_verify_mac(store, passphrase, -1) == 1
                || isEmpty && PKCS12_verify_mac(store, nil, 0) == 1
        else { throw .drainingQueue("the passphrase does not fit the PKCS#12 file") }
    }

    private static func parse(
        _ store: OpaquePointer,
        passphrase: String
    ) throws(CryptoFailure) -> (PrivateKey?, [Certificate]) {
        OpenSSLQueue.clear()
        var key: OpaquePointer?
        var leaf: OpaquePointer?
        var others: OpaquePointer?
        guard PKCS12_parse(store, passphrase, &key, &leaf, &others) == 1 else {
            throw .drainingQueue(
                "could not open the PKCS#12 file; if it is encrypted with RC2 or 3DES, convert it: "
                    + "openssl pkcs12 -legacy -in OLD.p12 -nodes -out NEW.pem"
            )
        }
        OpenSSLQueue.clear()
        var certificates: [Certificate] = []
        let owned = key.map { PrivateKey(taking: $0) }
        defer {
            X509_free(leaf)
            if let others { OPENSSL_sk_free(others) }
        }
        if let leaf { certificates.append(try Certificate(borrowing: leaf)) }
        certificates += try takeAll(others)
        return (owned, certificates)
    }

    /// Returns the certificates of a stack, and releases the references that the stack held.
    private static func takeAll(_ stack: OpaquePointer?) throws(CryptoFailure) -> [Certificate] {
        guard let stack else { return [] }
        let pointers = (0..<max(0, OPENSSL_sk_num(stack))).compactMap { OPENSSL_sk_value(stack, $0) }
            .map { OpaquePointer($0) }
        defer { for pointer in pointers { X509_free(pointer) } }
        var certificates: [Certificate] = []
        for pointer in pointers { certificates.append(try Certificate(borrowing: pointer)) }
        return certificates
    }
}
