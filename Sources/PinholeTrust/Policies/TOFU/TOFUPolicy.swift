import PinholeModel

/// Trust on first use, as `gnutls-cli --tofu` and `--strict-tofu` (docs/PINS.md#dane-and-trust-on-first-use).
package struct TOFUPolicy: TrustPolicy, Hashable {
    /// The keys that were seen before.
    package var store: KnownHosts
    /// Whether a host that is not known is refused; else it is trusted, and its key is to be stored.
    package var strict: Bool

    /// `tofu`.
    package var mechanism: String { "tofu" }

    /// Trusts by a store.
    package init(store: KnownHosts = KnownHosts(), strict: Bool = true) {
        self.store = store
        self.strict = strict
    }

    /// Looks the leaf's key up for the host and port; the chain does not count.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        judgement.skip("chain and host", "trust on first use compares the leaf's key, whoever issued it")
        let name = "known key of the host and port"
        guard let leaf = evidence.presented.leaf else {
            return judgement.reject(name, .chain(.empty), "the server presented no certificate")
        }
        let place = "\(evidence.host?.uriText ?? "*"):\(evidence.port)"
        switch store.finding(for: leaf, host: evidence.host, port: evidence.port, at: evidence.time) {
        case .known:
            judgement.pass(name, "\(place) had this key before: \(leaf.pinText)")
            return judgement.trust()
        case .changed(let entries):
            return judgement.reject(name, .keyChanged, changed(place, leaf, entries))
        case .unknown where strict:
            return judgement.reject(
                name,
                .unknownHost,
                "\(place) has never been contacted before, and strict trust on first use refuses it; to know it,"
                    + " store \(line(leaf, evidence))"
            )
        case .unknown:
            judgement.skip(
                name,
                "\(place) has never been contacted before: its key is taken as it comes and cannot be verified,"
                    + " an attacker at this first contact wins for ever; to store: \(line(leaf, evidence))"
            )
            return judgement.trust()
        }
    }

    private func changed(_ place: String, _ leaf: CertificateFacts, _ entries: [KnownHosts.Entry]) -> String {
        let prompt = strict ? "" : " (gnutls-cli warns and asks; without an answer it refuses)"
        return "\(place) is known with another key\(prompt); its pin now: \(leaf.pinText) (\(leaf.title));"
            + " stored: \(ChainText.list(entries.map(\.description)))"
    }

    /// The line that makes the key known.
    private func line(_ leaf: CertificateFacts, _ evidence: Evidence) -> String {
        KnownHosts.Entry(
            host: evidence.host?.description ?? "*",
            service: String(evidence.port),
            key: .spki(leaf.spki)
        ).description
    }
}
