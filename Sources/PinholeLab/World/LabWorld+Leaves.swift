package import PinholeCrypto

extension LabWorld {
    /// Makes a certificate for the host by another issuer, with the attacker's key.
    ///
    /// - Parameter issuer: The issuer, with its chain.
    /// - Returns: The leaf and the issuer's chain.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package func leaf(below issuer: Identity) throws(CryptoFailure) -> Identity {
        let leaf = try honest.template(for: [host]).signed(by: issuer, key: attackerKey)
        return try Identity(chain: [leaf] + issuer.chain, key: attackerKey)
    }
}
