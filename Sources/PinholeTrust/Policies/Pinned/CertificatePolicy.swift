/// Default handling, followed by a comparison of whole certificates with pinned ones.
package struct CertificatePolicy: TrustPolicy, Hashable {
    /// The pinned certificates.
    ///
    /// An empty list refuses every server.
    package var certificates: [CertificateFacts]
    /// The certificates that are compared.
    package var scope: PinScope

    /// The name `certificate`.
    package var mechanism: String { "certificate" }
    /// True, since an app makes these checks itself or by a library.
    package var isForDelegates: Bool { true }

    /// Creates a policy.
    package init(certificates: [CertificateFacts], scope: PinScope = .chain) {
        self.certificates = certificates
        self.scope = scope
    }

    /// Validates the chain, and then looks for a pinned certificate in it.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = judgement.requireSystemTrust(question(evidence), evaluator) { return rejection }
        return judgement.comparing(
            certificates: certificates,
            with: scope.certificates(of: judgement.path?.certificates ?? []),
            in: scope.title
        )
    }
}

extension JudgementBuilder {
    /// Trusts if a certificate of `chain` equals one of `pinned`, byte for byte.
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

extension CertificatePolicy {
    /// The pinned certificates.
    package var pinLists: [PinList] {
        get {
            [
                PinList(
                    certificates,
                    at: "certificates",
                    position: scope.position,
                    comparison: .certificates
                )
            ]
        }
        set { certificates.take(newValue.first) }
    }

    /// The findings about an empty list and about certificates that a renewal replaces.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        certificates.isEmpty
            ? [.emptyPins(at: "certificates", "Every server is refused then.")]
            : certificates.compactMap { .leafCertificate($0, at: "certificates") }
    }
}
