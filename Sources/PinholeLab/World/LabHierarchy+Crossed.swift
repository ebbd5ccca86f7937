package import PinholeCrypto

extension LabHierarchy {
    /// A certificate by another authority for the issuing CA's name and key.
    ///
    /// - Parameter other: The authority that signs.
    /// - Returns: The cross-certificate.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package func crossCertificate(by other: Identity) throws(CryptoFailure) -> Certificate {
        let template = Self.authority(Self.issuerName(name), pathLength: 0, now: now)
        return try template.signed(by: other, key: issuer.key)
    }

    /// A certificate by another authority for the root's name and key.
    ///
    /// - Parameter other: The authority that signs.
    /// - Returns: The cross-certificate.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package func rootCrossCertificate(by other: Identity) throws(CryptoFailure) -> Certificate {
        try Self.rootTemplate(name, now: now).signed(by: other, key: root.key)
    }
}
