package import PinholeModel

/// OkHttp's `CertificatePinner` after the checks of the TLS layer (docs/PINS.md#pinning-mechanisms).
package struct OkHttpPolicy: TrustPolicy, Hashable {
    /// The pins, each with the pattern of its hosts.
    package var pins: [OkHttpPin]
    /// Whether the client compares the name in the certificate with the host; a `hostnameVerifier` may leave it out.
    package var checksHost: Bool

    /// The length limit: the certificate of the peer and at most nine signers
    /// (`BasicCertificateChainCleaner.MAX_SIGNERS`).
    fileprivate static let longestChain = 10

    /// The name `okhttp`.
    package var mechanism: String { "okhttp" }
    /// The JDK's rules; on Android they are Conscrypt's.
    package var verifier: VerifierProfile { Self.comparingNames(.java) }

    /// Creates a policy.
    package init(pins: [OkHttpPin], checksHost: Bool = true) {
        self.pins = pins
        self.checksHost = checksHost
    }

    /// The rules with OkHttp's own comparison of names (`OkHostnameVerifier`), which replaces that of the TLS library.
    static func comparingNames(_ verifier: VerifierProfile) -> VerifierProfile {
        var verifier = verifier
        verifier.leaf.commonName = .ignored
        verifier.leaf.wildcards = .wholeLabel
        return verifier
    }

    /// Checks chain and host like the TLS layer, and then the pins of every pattern that matches the host.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        var question = question(evidence)
        question.verifier = Self.comparingNames(question.verifier)
        if !checksHost { question.host = nil }
        if let rejection = judgement.requireSystemTrust(question, evaluator) { return rejection }
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
    /// The elements without duplicates, in the order of their first occurrence.
    var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension OkHttpPolicy {
    /// The lists of pins, one for each pattern.
    ///
    /// OkHttp unites the pins of all patterns that match.
    package var pinLists: [PinList] {
        get {
            let pinsByPattern = Dictionary(grouping: pins, by: \.pattern).mapValues { $0.map(\.pin) }
            return pins.map(\.pattern).uniqued.map { pattern in
                let scope = HostScope("\(pattern)") { pattern.matches($0) }
                var list = PinList(pinsByPattern[pattern] ?? [], at: "\(pattern)", for: scope)
                list.union = mechanism
                return list
            }
        }
        set {
            var values = Dictionary(
                zip(pins.map(\.pattern).uniqued, newValue.map { $0.values[...] })
            ) { first, _ in first }
            pins = pins.map { pin in
                let value = values[pin.pattern]?.popFirst()
                return OkHttpPin(pin.pattern, value.flatMap { Pin($0) } ?? pin.pin)
            }
        }
    }

    /// The findings about SHA-1, public suffixes and an empty list.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        guard !pins.isEmpty else {
            return [
                LintFinding.warning(
                    .noPins,
                    at: "",
                    "There are no pins: nothing is pinned.",
                    remedy: "Add lines such as “example.com sha256/…”: pinhole pins URL --format okhttp."
                )
            ]
        }
        let old = Set(pins.filter { $0.pin.algorithm == .sha1 }.map(\.pattern))
        var findings: [LintFinding] = []
        for pattern in pins.map(\.pattern).uniqued {
            if old.contains(pattern) {
                findings.append(
                    LintFinding.hint(
                        .weakDigest,
                        at: "\(pattern)",
                        "A pin is a SHA-1, which OkHttp alone still takes.",
                        remedy: "Write the SHA-256: pinhole pins URL."
                    )
                )
            }
            if let suffix = pattern.suffix,
                let finding = lint.suffixes.finding("“\(pattern)”", for: suffix, at: "\(pattern)")
            {
                findings.append(finding)
            }
        }
        return findings
    }

    /// The pins of the hosts that the patterns name.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        .pinsForHost.judged(by: Self.comparingNames(chosen ?? verifier))
    }
}

extension OkHttpPolicy {
    /// The exception that `CertificatePinner.check` throws after the handshake
    /// (docs/PINS.md#pinning-mechanisms).
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        guard cause.isPin else { return .java(cause, at: host) }
        return ReportedError("javax.net.ssl", "SSLPeerUnverifiedException", "Certificate pinning failure!")
    }
}

extension OkHttpPin.Pattern {
    fileprivate var suffix: String? {
        switch self {
        case .exact: nil
        case .oneLabel(let name), .anyLabels(let name): name
        }
    }
}
