import COpenSSL

extension PrivateKey {
    /// Makes a key with the public half of a certificate's key and the private half of another key.
    ///
    /// OpenSSL compares only public halves when a key is put beside a certificate, so a server accepts the
    /// key. Its signatures do not verify. An attacker who copied a certificate but not its key has nothing better.
    ///
    /// - Parameter certificate: A certificate with an RSA key, or with an EC key on a named curve.
    /// - Returns: The key.
    /// - Throws: ``CryptoFailure`` for another kind of key.
    package static func impostor(of certificate: Certificate) throws(CryptoFailure) -> PrivateKey {
        OpenSSLQueue.clear()
        let shown = certificate.handle.publicKey
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

    /// Makes a key with the public point of a certificate's EC key and explicit parameters: the generator is
    /// the point itself, so the private number is 1 (CVE-2020-0601).
    ///
    /// A verifier that compares points but not parameters takes it for the certificate's key.
    ///
    /// - Parameter certificate: A certificate with an EC key on a prime field.
    /// - Returns: The key, with explicit parameters.
    /// - Throws: ``CryptoFailure`` for another kind of key.
    package static func withOwnGenerator(like certificate: Certificate) throws(CryptoFailure) -> PrivateKey {
        OpenSSLQueue.clear()
        guard let shown = certificate.handle.publicKey,
            let forged = pinhole_EC_own_generator(shown)
        else {
            throw .drainingQueue("expected an EC key in “\(certificate.subject)”")
        }
        return PrivateKey(taking: forged)
    }
}
