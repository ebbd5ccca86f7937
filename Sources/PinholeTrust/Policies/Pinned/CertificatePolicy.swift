/// Default handling, followed by a comparison of whole certificates with pinned ones.
package struct CertificatePolicy: TrustPolicy, Hashable {
    /// The pinned certificates.
    ///
    /// A policy without certificates and fingerprints refuses every server.
    package var certificates: [CertificateFacts]
    /// The SHA-256 of further certificates that are pinned, 32 bytes each.
    package var fingerprints: [[UInt8]]
    /// The certificates that are compared.
    package var scope: PinScope
    /// Whether default handling comes first.
    ///
    /// Apps that switch it off compare the presented certificates, and neither names nor dates.
    package var validatesChain: Bool

    /// The name `certificate`.
    package var mechanism: String { "certificate" }
    /// True, since an app makes these checks itself or by a library.
    package var isForDelegates: Bool { true }

    /// Creates a policy.
    package init(
        certificates: [CertificateFacts] = [],
        fingerprints: [[UInt8]] = [],
        scope: PinScope = .chain,
        validatesChain: Bool = true
    ) {
        self.certificates = certificates
        self.fingerprints = fingerprints
        self.scope = scope
        self.validatesChain = validatesChain
    }

    /// Validates the chain, and then looks for a pinned certificate in it.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if validatesChain {
            if let rejection = judgement.requireSystemTrust(question(evidence), evaluator) {
                return rejection
            }
        } else {
            judgement.skip("chain", "validatesChain is false: neither issuer, name nor dates are looked at")
        }
        let chain =
            validatesChain ? judgement.path?.certificates ?? [] : evidence.presented.certificates
        return judgement.comparing(
            certificates: values,
            with: scope.certificates(of: chain),
            in: validatesChain || scope == .leaf ? scope.title : "the presented chain"
        )
    }

    /// The pins of both kinds: the certificates, and then the fingerprints.
    private var values: [PinnedValue] {
        certificates.map { PinnedValue($0) } + fingerprints.map { PinnedValue(.certificateSHA256, $0) }
    }
}

extension JudgementBuilder {
    /// Trusts if one of `pinned` is a certificate of `chain`, whole or by its fingerprint.
    mutating func comparing(
        certificates pinned: [PinnedValue],
        with chain: [CertificateFacts],
        in what: String
    ) -> Judgement {
        let name = "pinned certificates in \(what)"
        guard !pinned.isEmpty else { return reject(name, .noPins, "no certificate is pinned") }
        guard let match = chain.first(where: { link in pinned.contains { $0.matches(link) } }) else {
            return reject(name, .pinMismatch, PinMismatch.certificates(chain, pinned, in: what))
        }
        pass(name, "\(match.title) is pinned")
        return trust()
    }
}

extension CertificatePolicy {
    /// The pinned certificates and fingerprints.
    package var pinLists: [PinList] {
        get {
            [
                PinList(
                    values,
                    at: certificates.isEmpty && !fingerprints.isEmpty ? "fingerprints" : "certificates",
                    position: scope.position,
                    comparison: .certificates
                )
            ]
        }
        set {
            guard let new = newValue.first?.values else { return }
            certificates = zip(certificates, new).map { $1.certificate ?? $0 }
            fingerprints = zip(fingerprints, new.dropFirst(certificates.count)).map { old, value in
                value.certificate?.sha256 ?? (value.notation == .certificateSHA256 ? value.bytes : old)
            }
        }
    }

    /// The findings about an empty list, a chain that is not validated, and certificates that a renewal replaces.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        guard !values.isEmpty else {
            return [.emptyPins(at: "certificates", "Every server is refused then.")]
        }
        var findings = certificates.compactMap { LintFinding.leafCertificate($0, at: "certificates") }
        if !validatesChain {
            let sentence = "Neither chain, name nor dates are looked at beside the pins."
            findings.append(.invalidAllowed(at: "validatesChain", sentence))
        }
        if !fingerprints.isEmpty {
            findings.append(
                LintFinding.warning(
                    .leafCertificate,
                    at: "fingerprints",
                    "Whole certificates are compared by their fingerprints: a pin breaks with the renewal of its certificate.",
                    remedy: "Pin keys (sha256/…) and renew with the same key: pinhole pins URL."
                )
            )
        }
        return findings
    }
}
