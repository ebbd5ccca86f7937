/// Default handling, then a pinned certificate, compared as a whole.
package struct CertificatePolicy: TrustPolicy, Hashable {
    /// The pinned certificates; none refuses every peer.
    package var certificates: [CertificateFacts]
    /// What they are compared with.
    package var scope: PinScope

    /// `certificate`.
    package var mechanism: String { "certificate" }

    /// Pins certificates.
    package init(certificates: [CertificateFacts], scope: PinScope = .chain) {
        self.certificates = certificates
        self.scope = scope
    }

    /// Validates, then looks for a pinned certificate in the validated chain.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = judgement.requireSystemTrust(evidence, evaluator) { return rejection }
        return judgement.comparing(
            certificates: certificates,
            with: scope.certificates(of: judgement.path?.certificates ?? []),
            in: scope.title
        )
    }
}

extension JudgementBuilder {
    /// Trusts when one of `chain` is one of `pinned`, byte for byte.
    package mutating func comparing(
        certificates pinned: [CertificateFacts],
        with chain: [CertificateFacts],
        in what: String
    ) -> Judgement {
        let name = "pinned certificates in \(what)"
        guard !pinned.isEmpty else { return reject(name, .noPins, "no certificate is pinned") }
        guard let match = chain.first(where: pinned.contains) else {
            return reject(name, .pinMismatch, PinMismatch.certificates(chain, pinned, in: what))
        }
        pass(name, "\(match.title) is pinned")
        return trust()
    }
}
