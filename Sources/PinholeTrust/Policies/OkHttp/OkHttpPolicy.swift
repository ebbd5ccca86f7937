import PinholeModel

/// OkHttp's `CertificatePinner` behind the TLS layer's own checks (docs/PINS.md#pinning-mechanisms).
package struct OkHttpPolicy: TrustPolicy, Hashable {
    /// The pins.
    package var pins: [OkHttpPin]

    /// The certificate of the peer and at most nine signers (`BasicCertificateChainCleaner.MAX_SIGNERS`).
    fileprivate static let longestChain = 10

    /// `okhttp`.
    package var mechanism: String { "okhttp" }

    /// Pins hosts.
    package init(pins: [OkHttpPin]) {
        self.pins = pins
    }

    /// Chain and host as the TLS layer checks them, then the pins of every pattern that means the host.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = judgement.requireSystemTrust(evidence, evaluator) { return rejection }
        let name = "patterns for the host"
        let host = evidence.host
        let matching = pins.filter { pin in host.map(pin.pattern.matches) ?? false }
        guard !matching.isEmpty else {
            let why = "no pattern means \(host?.description ?? "a connection without host")"
            let patterns = ChainText.list(pins.map(\.pattern.description).uniqued)
            judgement.skip(name, "\(why), so nothing is pinned; patterns: \(patterns)")
            return judgement.leave(why)
        }
        let patterns = ChainText.list(matching.map(\.pattern.description).uniqued)
        judgement.pass(name, "\(patterns): \(ChainText.count(matching.count, "pin"))")
        let chain = judgement.path?.certificates ?? []
        if let rejection = judgement.requireShort(chain) { return rejection }
        return judgement.comparing(pins: matching.map(\.pin), with: chain, in: "the cleaned chain")
    }
}

extension JudgementBuilder {
    fileprivate mutating func requireShort(_ chain: [CertificateFacts]) -> Judgement? {
        guard chain.count > OkHttpPolicy.longestChain else { return nil }
        return reject(
            "cleaned chain",
            .chain(.pathTooLong),
            "the path has \(chain.count) certificates; OkHttp follows 9 signers (“Certificate chain too long”)"
        )
    }
}

extension Array where Element: Hashable {
    /// Each element once, in the order of its first place.
    var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
