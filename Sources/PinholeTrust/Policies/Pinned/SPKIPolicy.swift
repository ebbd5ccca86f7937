/// Default handling, then a pin of a SubjectPublicKeyInfo of the validated chain (RFC 7469 §2.4).
package struct SPKIPolicy: TrustPolicy, Hashable {
    /// The pins; none refuses every peer.
    package var pins: [Pin]
    /// What they are compared with.
    package var scope: PinScope

    /// `spki`.
    package var mechanism: String { "spki" }

    /// Pins keys.
    package init(pins: [Pin], scope: PinScope = .chain) {
        self.pins = pins
        self.scope = scope
    }

    /// Validates, then looks for a pinned key in the validated chain.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = judgement.requireSystemTrust(evidence, evaluator) { return rejection }
        return judgement.comparing(
            pins: pins,
            with: scope.certificates(of: judgement.path?.certificates ?? []),
            in: scope.title
        )
    }
}

extension JudgementBuilder {
    /// Trusts when one of `pins` is the digest of the key of one of `chain`.
    package mutating func comparing(
        pins: [Pin],
        with chain: [CertificateFacts],
        in what: String
    ) -> Judgement {
        let name = "pinned keys in \(what)"
        guard !pins.isEmpty else { return reject(name, .noPins, "no key is pinned") }
        for certificate in chain {
            guard let pin = pins.first(where: { $0.matches(certificate) }) else { continue }
            pass(name, "\(pin) is the key of \(certificate.title)")
            return trust()
        }
        return reject(name, .pinMismatch, PinMismatch.spki(chain, pins, in: what))
    }
}
