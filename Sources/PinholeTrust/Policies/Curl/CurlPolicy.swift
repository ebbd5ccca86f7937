/// `curl --pinnedpubkey`, with or without `--insecure` (docs/PINS.md#pinning-mechanisms).
package struct CurlPolicy: TrustPolicy, Hashable {
    /// `--pinnedpubkey`; `nil` pins nothing.
    package var pinnedPublicKey: CurlPinnedKey?
    /// `--insecure`, `-k`: neither chain nor host are checked; the pin still is.
    package var insecure: Bool

    /// `curl`.
    package var mechanism: String { "curl" }

    /// Creates what the two options say.
    package init(pinnedPublicKey: CurlPinnedKey? = nil, insecure: Bool = false) {
        self.pinnedPublicKey = pinnedPublicKey
        self.insecure = insecure
    }

    /// Chain and host (error 60), then the leaf's key (error 90).
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if insecure {
            judgement.skip(JudgementBuilder.systemCheck, "--insecure: any chain and any name pass")
        } else if let rejection = judgement.requireSystemTrust(evidence, evaluator) {
            return rejection
        }
        let name = "pinned key of the leaf"
        guard let pinnedPublicKey else {
            judgement.skip(name, "no --pinnedpubkey")
            return judgement.trust()
        }
        guard let leaf = evidence.presented.leaf else {
            return judgement.reject(name, .chain(.empty), "the server presented no certificate")
        }
        guard pinnedPublicKey.matches(leaf) else {
            return judgement.reject(name, .pinMismatch, mismatch(leaf, pinnedPublicKey))
        }
        judgement.pass(name, "the key of \(leaf.title) is pinned")
        return judgement.trust()
    }

    private func mismatch(_ leaf: CertificateFacts, _ pinned: CurlPinnedKey) -> String {
        let faults =
            pinned.faults.isEmpty ? "" : "; can never match: \(pinned.faults.joined(separator: "; "))"
        let pins: [Pin]
        if case .digests(let digests) = pinned {
            pins = digests.compactMap { digest in try? Pin(base64: digest) }
        } else {
            pins = []
        }
        return "curl error 90: the leaf's key is not pinned; its pin:"
            + " sha256//\(Pin(digest: leaf.spkiSHA256)?.base64 ?? "?") (\(leaf.title)); configured:"
            + " \(pinned.summary)\(faults)\(PinMismatch.confusions([leaf], pins))"
    }
}
