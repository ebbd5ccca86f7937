import COpenSSL

extension PrivateKey {
    /// Makes a key that looks like the one of a certificate and is not: the public half is right, the private
    /// half is another key's.
    ///
    /// OpenSSL compares public halves when a key is put beside a certificate, so a server takes it; what it signs
    /// does not verify. It is all that somebody has who copied a certificate and not its key.
    ///
    /// - Parameter certificate: The certificate; its key is RSA, or EC on a named curve.
    /// - Returns: The key.
    /// - Throws: ``CryptoFailure`` for another kind of key.
    package static func impostor(of certificate: Certificate) throws(CryptoFailure) -> PrivateKey {
        OpenSSLQueue.clear()
        let shown = X509_get0_pubkey(certificate.handle.pointer)
        let forged: OpaquePointer?
        switch shown.map({ EVP_PKEY_get_base_id($0) }) {
        case EVP_PKEY_RSA:
            let other = try generateRSA(Int(EVP_PKEY_get_bits(shown)))
            forged = pinhole_RSA_mismatch(shown, other.handle.pointer)
        case EVP_PKEY_EC:
            var group = [CChar](repeating: 0, count: 80)
            EVP_PKEY_get_group_name(shown, &group, group.count, nil)
            let other = pinhole_EVP_EC_gen(group)
            defer { EVP_PKEY_free(other) }
            forged = pinhole_EC_mismatch(shown, other)
        default:
            throw CryptoFailure(
                "expected an RSA or EC key in “\(certificate.subject)”, found \(describe(publicKey: shown))"
            )
        }
        guard let forged else {
            throw .drainingQueue("could not make a key that looks like that of “\(certificate.subject)”")
        }
        return PrivateKey(taking: forged)
    }

    /// Makes a key with the public point of a certificate's EC key, on its curve with another generator: the point
    /// itself, so that the private number is 1 (CVE-2020-0601).
    ///
    /// Who compares points and not parameters takes it for the certificate's key.
    ///
    /// - Parameter certificate: The certificate; its key is EC on a prime field.
    /// - Returns: The key, whose parameters are written out.
    /// - Throws: ``CryptoFailure`` for another kind of key.
    package static func withOwnGenerator(like certificate: Certificate) throws(CryptoFailure) -> PrivateKey {
        OpenSSLQueue.clear()
        guard let shown = X509_get0_pubkey(certificate.handle.pointer),
            let forged = pinhole_EC_own_generator(shown)
        else {
            throw .drainingQueue("expected an EC key in “\(certificate.subject)”")
        }
        return PrivateKey(taking: forged)
    }
}
