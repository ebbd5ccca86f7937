import COpenSSL

/// Writes certificates in the formats that trust stores accept.
package enum TrustStore {
    /// The passphrase that Java trust stores usually have.
    ///
    /// The certificates in such a store are public.
    package static let customaryPassphrase = "changeit"

    /// Makes a PKCS#12 file of trusted certificates, without any key, that Java can read.
    ///
    /// The certificates are not encrypted, since they are public. The passphrase only protects the integrity
    /// of the file.
    ///
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
            // Java lowercases the alias and keeps only the last of two equal ones, hence the number.
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
        hashName(certificate.handle.oldSubjectHash)
    }

    /// The usual number of rounds.
    ///
    /// More would gain nothing, since the passphrase is no secret.
    private static let iterations: Int32 = 10_000

    static func hashName(_ hash: UInt) -> String {
        let digits = String(hash & 0xffff_ffff, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits + ".0"
    }

    /// Makes a bag with the attribute that marks a trusted certificate for Java (trustedKeyUsage of Oracle,
    /// here anyExtendedKeyUsage).
    ///
    /// Without the attribute, Java takes the certificate for a part of a chain.
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
    /// Encodes the chain and the key in PKCS#12, encrypted with AES-256.
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase of the file.
    ///   - friendlyName: The name that stores show for the identity.
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
        // The stack owns no references: PKCS12_create copies what it needs.
        defer { OPENSSL_sk_free(others) }
        for certificate in chain.dropFirst() {
            OPENSSL_sk_push(others, UnsafeRawPointer(certificate.handle.pointer))
        }
        // 0 lets OpenSSL choose the algorithms and rounds: AES-256 and SHA-256.
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
