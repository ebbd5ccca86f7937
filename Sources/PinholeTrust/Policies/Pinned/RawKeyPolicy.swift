/// Default handling, followed by a comparison of the SHA-256 of the leaf's key as
/// `SecKeyCopyExternalRepresentation` returns it.
///
/// Apple represents a key as PKCS#1 or as a point, and not as a SubjectPublicKeyInfo, so such pins work
/// nowhere else (docs/PINS.md#pinning-mechanisms).
package struct RawKeyPolicy: TrustPolicy, Hashable {
    /// The digests.
    ///
    /// An empty list refuses every server.
    package var pins: [Pin]

    /// The name `raw-key`.
    package var mechanism: String { "raw-key" }
    /// True, since an app makes these checks itself or by a library.
    package var isForDelegates: Bool { true }

    /// Creates a policy.
    package init(pins: [Pin]) {
        self.pins = pins
    }

    /// Validates the chain, and then looks for the digest of the leaf's raw key.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = judgement.requireSystemTrust(question(evidence), evaluator) { return rejection }
        let name = "pinned raw key of the leaf"
        guard !pins.isEmpty else { return judgement.reject(name, .noPins, "no key is pinned") }
        guard let leaf = judgement.path?.leaf, let digest = leaf.rawKeySHA256,
            let raw = Pin(digest: digest)
        else {
            return judgement.reject(
                name,
                .unsupportedKey,
                "SecKeyCopyExternalRepresentation knows RSA and EC keys; the leaf has another kind"
            )
        }
        guard pins.contains(raw) else {
            return judgement.reject(name, .pinMismatch, mismatch(leaf, raw))
        }
        judgement.pass(name, "\(raw) is the raw key of \(leaf.title); its pin elsewhere: \(leaf.pinText)")
        return judgement.trust()
    }

    private func mismatch(_ leaf: CertificateFacts, _ raw: Pin) -> String {
        let configured = ChainText.list(pins.map(\.description))
        let confusion =
            pins.contains { $0.matches(leaf) }
            ? "; a configured pin is the digest of the SubjectPublicKeyInfo of \(leaf.title):"
                + " this mechanism hashes the raw key alone, use the mechanism “spki” with it" : ""
        return "no pin matches the leaf's raw key; its digest: \(raw) (\(leaf.title));"
            + " configured: \(configured)\(confusion)"
    }
}

extension RawKeyPolicy {
    /// The pins, which are digests of raw keys.
    package var pinLists: [PinList] {
        get {
            let values = pins.map { PinnedValue(.rawKeySHA256, $0.digest) }
            return [PinList(values, at: "pins", position: .leaf, comparison: .rawKeys)]
        }
        set { pins.take(newValue.first) }
    }

    /// The finding about the notation, which no other mechanism has.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        [
            LintFinding.hint(
                .rawKey,
                at: "pins",
                "These are hashes of raw keys (SecKeyCopyExternalRepresentation), which no other mechanism knows.",
                remedy:
                    "Pin the SubjectPublicKeyInfo, so that pins can be shared and checked with other tools."
            )
        ]
    }
}
