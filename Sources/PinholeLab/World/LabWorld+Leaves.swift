package import PinholeCrypto

extension LabWorld {
    /// A certificate for the host that somebody else signed, with the attacker's key.
    ///
    /// - Parameter issuer: Who signs, with the chain above.
    /// - Returns: The leaf and that chain.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package func leaf(below issuer: Identity) throws(CryptoFailure) -> Identity {
        let leaf = try honest.template(for: [host]).signed(by: issuer, key: attackerKey)
        return try Identity(chain: [leaf] + issuer.chain, key: attackerKey)
    }
}
