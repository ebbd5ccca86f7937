package import PinholeCrypto
package import PinholeModel

extension LabHierarchy {
    /// Makes a leaf that may break rules, and the chain that a server sends: leaf and issuing CA.
    ///
    /// The template is that of a good leaf of the issuing CA, which `change` then spoils.
    ///
    /// - Parameters:
    ///   - host: Its name, in the subject and in the subjectAltName.
    ///   - key: Its key.
    ///   - signer: The key that signs in the issuing CA's name; `nil` for the issuing CA itself.
    ///   - change: Changes the template.
    /// - Returns: The chain with the key.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package func crafted(
        for host: Host,
        key: PrivateKey,
        signer: PrivateKey? = nil,
        _ change: (inout CraftedCertificate) -> Void = { _ in }
    ) throws(CryptoFailure) -> Identity {
        let good = template(for: [host])
        var leaf = CraftedCertificate(
            // A serial number is positive, and another key gets another number, since no number is to be given twice.
            serial: [0x40] + Digest.sha256(key.spki).prefix(15),
            subject: host.description,
            notBefore: good.notBefore,
            notAfter: good.notAfter,
            key: key
        )
        leaf.setBasicConstraints(authority: false)
        leaf.setKeyUsage(.digitalSignature)
        leaf.setPurposes([CraftedCertificate.serverAuth])
        if let identifier = issuer.certificate.subjectKeyIdentifier {
            leaf.set(
                CraftedCertificate.authorityKeyIdentifier,
                ASN1.sequence(ASN1.context(0, identifier))
            )
        }
        leaf.setNames([.dns(host.description)])
        change(&leaf)
        let sign = { () throws(CryptoFailure) in
            try leaf.signed(by: Self.issuerName(name), signer ?? issuer.key)
        }
        var der = try sign()
        // A certificate that cannot be read gets no timestamps.
        if let logs, let submitted = try? Certificate(der: der),
            let list = try logs.timestamps(.complete, for: submitted, by: issuer, at: good.notBefore)
        {
            leaf.set(CraftedCertificate.signedTimestamps, ASN1.octets(list))
            der = try sign()
        }
        return try Identity(chain: [try Certificate(der: der)] + issuer.chain, key: key)
    }
}
