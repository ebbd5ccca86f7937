import COpenSSL

/// Certificates in the forms in which trust stores take them.
package enum TrustStore {
    /// The passphrase that Java trust stores have by custom; what it guards is public.
    package static let customaryPassphrase = "changeit"

    /// The PKCS#12 of trusted certificates, without any key, as Java reads it.
    ///
    /// The certificates are not encrypted, since they are public; the passphrase is for the
    /// integrity of the file.
    ///
    /// - Parameters:
    ///   - certificates: What is to be trusted.
    ///   - passphrase: The passphrase of the file.
    /// - Returns: The content of the file.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package static func pkcs12(
        _ certificates: [Certificate],
        passphrase: String = customaryPassphrase
    ) throws(CryptoFailure) -> [UInt8] {
        OpenSSLQueue.clear()
        guard let bags = OPENSSL_sk_new_null() else { throw .drainingQueue("could not make a trust store") }
        defer { freeBags(bags) }
        for (index, certificate) in certificates.enumerated() {
            // Java lowers the alias and keeps the last of two that are the same, hence the number.
            let alias = "\(index + 1) \(certificate.subject)"
            guard let bag = trustedBag(certificate, alias: alias) else {
                throw .drainingQueue("could not put “\(certificate.subject)” into a trust store")
            }
            guard OPENSSL_sk_push(bags, UnsafeRawPointer(bag)) > 0 else {
                PKCS12_SAFEBAG_free(bag)
                throw .drainingQueue("could not make a trust store")
            }
        }
        var safes: OpaquePointer?
        // -1: the safe is not encrypted.
        guard PKCS12_add_safe(&safes, bags, -1, 0, nil) == 1, let safes else {
            throw .drainingQueue("could not make a trust store")
        }
        defer { freeSafes(safes) }
        guard let store = PKCS12_add_safes(safes, 0) else {
            throw .drainingQueue("could not make a trust store")
        }
        defer { PKCS12_free(store) }
        guard PKCS12_set_mac(store, passphrase, -1, nil, 0, iterations, EVP_sha256()) == 1,
            let bytes = encoded(by: { i2d_PKCS12(store, $0) })
        else { throw .drainingQueue("could not make a trust store") }
        return bytes
    }

    /// The file name under which Android's system store keeps `certificate`, whose content is PEM.
    package static func androidFileName(_ certificate: Certificate) -> String {
        hashName(X509_subject_name_hash_old(certificate.handle.pointer))
    }

    /// The file name under which OpenSSL looks for `certificate` in a directory (`SSL_CERT_DIR`).
    package static func openSSLFileName(_ certificate: Certificate) -> String {
        hashName(X509_subject_name_hash(certificate.handle.pointer))
    }

    /// The customary number of rounds; the passphrase is no secret.
    private static let iterations: Int32 = 10_000

    private static func hashName(_ hash: UInt) -> String {
        let digits = String(hash & 0xffff_ffff, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits + ".0"
    }

    /// A bag with the attribute by which Java tells a trusted certificate from one of a chain
    /// (trustedKeyUsage of Oracle, here anyExtendedKeyUsage).
    private static func trustedBag(_ certificate: Certificate, alias: String) -> OpaquePointer? {
        guard let bag = PKCS12_SAFEBAG_create_cert(certificate.handle.pointer) else { return nil }
        let usage = OBJ_nid2obj(NID_anyExtendedKeyUsage)
        // With the length -1 the value is the object itself and is copied (X509_ATTRIBUTE_set1_data).
        guard PKCS12_add_friendlyname_utf8(bag, alias, Int32(clamping: alias.utf8.count)) == 1,
            let usage,
            PKCS12_add1_attr_by_txt(
                bag,
                "2.16.840.1.113894.746875.1.1",
                V_ASN1_OBJECT,
                UnsafeRawPointer(usage).assumingMemoryBound(to: UInt8.self),
                -1
            ) == 1
        else {
            PKCS12_SAFEBAG_free(bag)
            return nil
        }
        return bag
    }

    private static func freeBags(_ bags: OpaquePointer) {
        while let bag = OPENSSL_sk_pop(bags) { PKCS12_SAFEBAG_free(OpaquePointer(bag)) }
        OPENSSL_sk_free(bags)
    }

    private static func freeSafes(_ safes: OpaquePointer) {
        while let safe = OPENSSL_sk_pop(safes) {
            PKCS7_free(safe.assumingMemoryBound(to: PKCS7.self))
        }
        OPENSSL_sk_free(safes)
    }
}

extension Identity {
    /// The chain and the key in PKCS#12, encrypted with AES-256.
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase of the file.
    ///   - friendlyName: The name that stores show for it.
    /// - Returns: The content of the file.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package func pkcs12(
        passphrase: String,
        friendlyName: String = "pinhole"
    ) throws(CryptoFailure) -> [UInt8] {
        OpenSSLQueue.clear()
        guard let others = OPENSSL_sk_new_null() else {
            throw .drainingQueue("could not make a PKCS#12 file")
        }
        // The stack borrows: PKCS12_create copies what it needs.
        defer { OPENSSL_sk_free(others) }
        for certificate in chain.dropFirst() {
            OPENSSL_sk_push(others, UnsafeRawPointer(certificate.handle.pointer))
        }
        // 0: the algorithms and rounds of OpenSSL's choice, AES-256 and SHA-256.
        let store = PKCS12_create(
            passphrase,
            friendlyName,
            key.handle.pointer,
            certificate.handle.pointer,
            others,
            0,
            0,
            0,
            0,
            0
        )
        guard let store else { throw .drainingQueue("could not make a PKCS#12 file") }
        defer { PKCS12_free(store) }
        guard let bytes = encoded(by: { i2d_PKCS12(store, $0) }) else {
            throw .drainingQueue("could not make a PKCS#12 file")
        }
        return bytes
    }
}
