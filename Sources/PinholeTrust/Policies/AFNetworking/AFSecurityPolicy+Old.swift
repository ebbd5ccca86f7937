extension AFSecurityPolicy.Evaluation {
    /// Judges like the versions before 2.6.0.
    ///
    /// With `validatesCertificateChain`, the default, every certificate of the chain must be pinned.
    mutating func oldPinning() -> Judgement {
        // The chain is read before the pins become anchors, as in versions before 3.0.0.
        let chain = trust.builtChain()
        return policy.pinningMode == .certificate ? oldCertificates(chain) : oldKeys(chain)
    }

    private mutating func oldCertificates(_ chain: [CertificateFacts]) -> Judgement {
        if let rejection = evaluateAgainstPins() { return rejection }
        let name = "every certificate of the chain is pinned"
        guard policy.validatesCertificateChain else {
            builder.skip(name, "validatesCertificateChain is NO: the pins are the anchors, no more")
            return builder.trust()
        }
        let missing = chain.filter { !policy.pinnedCertificates.contains($0) }
        guard missing.isEmpty else {
            return builder.reject(name, .pinMismatch, unpinned(missing, of: chain))
        }
        builder.pass(name, "all \(chain.count) are")
        return builder.trust()
    }

    private mutating func oldKeys(_ chain: [CertificateFacts]) -> Judgement {
        let pinned = policy.pinnedCertificates
        guard policy.validatesCertificateChain else {
            let leaf = Array(chain.prefix(1))
            let name = "pinned key of the leaf"
            guard let match = leaf.first(where: { leaf in pinned.contains { $0.key == leaf.key } }) else {
                let reason: Rejection.Reason = pinned.isEmpty ? .noPins : .pinMismatch
                return builder.reject(name, reason, PinMismatch.keys(leaf, pinned, in: "the leaf"))
            }
            builder.pass(name, "the key of \(match.title) is pinned")
            return builder.trust()
        }
        let name = "every key of the chain is pinned"
        guard !pinned.isEmpty else { return builder.reject(name, .noPins, "no certificate is pinned") }
        // The source counts the pairs of a chain key and a pinned key, and requires as many as there are
        // certificates. So a key that is pinned twice counts twice.
        let pairs = chain.map { link in pinned.count { $0.key == link.key } }.reduce(0, +)
        guard pairs > 0, pairs == chain.count else {
            let missing = chain.filter { link in !pinned.contains { $0.key == link.key } }
            return builder.reject(name, .pinMismatch, unpinned(missing, of: chain))
        }
        builder.pass(name, "all \(chain.count) are")
        return builder.trust()
    }

    private func unpinned(_ missing: [CertificateFacts], of chain: [CertificateFacts]) -> String {
        "before AFNetworking 2.6.0 every certificate of the chain must be pinned (validatesCertificateChain);"
            + " not pinned: \(ChainText.pins(missing)); pinned:"
            + " \(ChainText.pins(policy.pinnedCertificates))"
    }
}
