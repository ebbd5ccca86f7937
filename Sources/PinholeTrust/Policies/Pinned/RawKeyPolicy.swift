/// Default handling, then the SHA-256 of what `SecKeyCopyExternalRepresentation` gives for the leaf's key.
///
/// Apple represents a key as PKCS#1 or a point, not as a SubjectPublicKeyInfo, so such pins work nowhere else
/// (docs/PINS.md#pinning-mechanisms).
package struct RawKeyPolicy: TrustPolicy, Hashable {
    /// The digests; none refuses every peer.
    package var pins: [Pin]

    /// `raw-key`.
    package var mechanism: String { "raw-key" }

    /// Pins raw keys.
    package init(pins: [Pin]) {
        self.pins = pins
    }

    /// Validates, then looks for the digest of the leaf's raw key.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = judgement.requireSystemTrust(evidence, evaluator) { return rejection }
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
