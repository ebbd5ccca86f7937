/// Default handling, followed by a comparison of SubjectPublicKeyInfo pins with the validated chain (RFC 7469 §2.4).
package struct SPKIPolicy: TrustPolicy, Hashable {
    /// The pins.
    ///
    /// An empty list refuses every server.
    package var pins: [Pin]
    /// The certificates that are compared.
    package var scope: PinScope

    /// The name `spki`.
    package var mechanism: String { "spki" }
    /// True, since an app makes these checks itself or by a library.
    package var isForDelegates: Bool { true }

    /// Creates a policy.
    package init(pins: [Pin], scope: PinScope = .chain) {
        self.pins = pins
        self.scope = scope
    }

    /// Validates the chain, and then looks for a pinned key in it.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = judgement.requireSystemTrust(question(evidence), evaluator) { return rejection }
        return judgement.comparing(
            pins: pins,
            with: scope.certificates(of: judgement.path?.certificates ?? []),
            in: scope.title
        )
    }
}

extension JudgementBuilder {
    /// Trusts if one of `pins` is the digest of the key of a certificate in `chain`.
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

extension SPKIPolicy {
    /// The pins.
    package var pinLists: [PinList] {
        get { [PinList(pins, at: "pins", position: scope.position)] }
        set { pins.take(newValue.first) }
    }

    /// The finding about an empty list, which refuses every server.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        pins.isEmpty ? [.emptyPins(at: "pins", "Every server is refused then.")] : []
    }
}
