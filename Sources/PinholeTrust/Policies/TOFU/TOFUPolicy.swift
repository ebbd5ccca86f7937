package import PinholeModel

/// Trust on first use, like `gnutls-cli --tofu` and `--strict-tofu`
/// (docs/PINS.md#dane-and-trust-on-first-use).
package struct TOFUPolicy: TrustPolicy, Hashable {
    /// The keys that were seen before.
    package var store: KnownHosts
    /// Whether an unknown host is refused.
    ///
    /// If not, it is trusted, and its key is to be stored.
    package var strict: Bool

    /// The name `tofu`.
    package var mechanism: String { "tofu" }
    /// True, since an app makes these checks itself or by a library.
    package var isForDelegates: Bool { true }

    /// Creates a policy with a store.
    package init(store: KnownHosts = KnownHosts(), strict: Bool = true) {
        self.store = store
        self.strict = strict
    }

    /// Looks up the leaf's key for the host and port.
    ///
    /// The chain does not count.
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
        let prompt = strict ? "" : " (gnutls-cli warns and asks; without a response it refuses)"
        return "\(place) is known with another key\(prompt); its pin now: \(leaf.pinText) (\(leaf.title));"
            + " stored: \(ChainText.list(entries.map(\.description)))"
    }

    /// The line that adds the key to the store.
    private func line(_ leaf: CertificateFacts, _ evidence: Evidence) -> String {
        KnownHosts.Entry(
            host: evidence.host?.description ?? "*",
            service: String(evidence.port),
            key: .spki(leaf.spki)
        ).description
    }
}

extension TOFUPolicy {
    /// The lists of pins, one for each line of the store.
    ///
    /// The lines of a host count together.
    package var pinLists: [PinList] {
        get {
            store.entries.map { entry in
                var scope = HostScope(entry.host) { entry.means($0, entry.port ?? 443) }
                scope.port = entry.port
                let values = [entry.key.value].compactMap(\.self)
                var list = PinList(values, at: "", for: scope, position: .leaf, comparison: .nothing)
                list.union = mechanism
                if values.isEmpty, case .digest(let algorithm, _) = entry.key {
                    list.unusable = ["the digest of “\(entry.host)” by GnuTLS's algorithm \(algorithm)"]
                }
                return list
            }
        }
        set {
            for (index, list) in zip(store.entries.indices, newValue) {
                if let value = list.values.first { store.entries[index].key.hold(value) }
            }
        }
    }

    /// The findings about the lines.
    package func findings(in lint: PolicyLint) -> [LintFinding] { lint.findings(store.entries) }

    /// The settings with the key that was seen before: a first contact is trusted or refused.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        [[.library, .seenKey], [.library, .seenKey, .unknownHost, .firstContact]]
    }

    /// The store with the server's key, unless it already has a key for the host and port.
    package func afterVisit(to key: [UInt8], at authority: Authority) -> any TrustPolicy {
        guard !store.entries.contains(where: { $0.means(authority.host, authority.port) }) else {
            return self
        }
        var policy = self
        policy.store.entries.append(
            KnownHosts.Entry(
                host: authority.host.description,
                service: String(authority.port),
                key: .spki(key)
            )
        )
        return policy
    }
}

extension TOFUPolicy {
    /// The result of GnuTLS's `gnutls_verify_stored_pubkey`.
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        switch cause {
        case .rejection(let rejection):
            let name = cause.isPin ? "GNUTLS_E_CERTIFICATE_KEY_MISMATCH" : "GNUTLS_E_NO_CERTIFICATE_FOUND"
            return ReportedError("GnuTLS", name, rejection.detail)
        case .handshake(let detail): return ReportedError("GnuTLS", "GNUTLS_E_FATAL_ALERT_RECEIVED", detail)
        case .connection(let detail): return ReportedError("GnuTLS", "GNUTLS_E_PREMATURE_TERMINATION", detail)
        case .cleartext: return nil
        }
    }
}

extension KnownHosts.Entry {
    /// The port of the service; `nil` if the service stands for every port or has an unknown name.
    fileprivate var port: UInt16? {
        switch service {
        case "https": 443
        case "http": 80
        default: UInt16(service)
        }
    }
}

extension KnownHosts.Entry.Key {
    /// The pin of the key; `nil` for a digest that Pinhole does not compute.
    fileprivate var value: PinnedValue? {
        switch self {
        case .spki(let bytes): PinnedValue(.key, bytes)
        case .digest(3, let bytes): PinnedValue(.keySHA1, bytes)
        case .digest(6, let bytes): PinnedValue(.keySHA256, bytes)
        case .digest(8, let bytes): PinnedValue(.keySHA512, bytes)
        case .digest: nil
        }
    }

    fileprivate mutating func hold(_ value: PinnedValue) {
        switch self {
        case .spki: self = .spki(value.bytes)
        case .digest(let algorithm, _): self = .digest(algorithm: algorithm, value.bytes)
        }
    }
}
