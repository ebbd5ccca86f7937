package import PinholeModel

/// Android's Network Security Configuration: whom an app trusts for which host, and what it pins.
///
/// Resolution is that of `XmlConfigSource.java` and `ApplicationConfig.java`, the check of pins that of
/// `NetworkSecurityTrustManager.java`. The host name is checked by the HTTP stack afterwards.
package struct AndroidPolicy: TrustPolicy {
    /// What the document says.
    package let configuration: AndroidConfiguration
    /// The SDK that the app was made for.
    package let targetSdk: Int
    /// Whether the build is debuggable, so that `<debug-overrides>` count.
    package let debug: Bool

    private var base: AndroidEffectiveSettings
    private var domains: [AndroidEffectiveSettings]

    /// Creates the policy.
    ///
    /// - Parameters:
    ///   - configuration: What the document says.
    ///   - targetSdk: The SDK that the app was made for.
    ///   - debug: Whether the build is debuggable.
    /// - Throws: ``PolicyFailure`` for a configuration that an app does not start with.
    package init(
        configuration: AndroidConfiguration,
        targetSdk: Int = 34,
        debug: Bool = false
    ) throws(PolicyFailure) {
        self.configuration = configuration
        self.targetSdk = targetSdk
        self.debug = debug
        let debugAnchors = debug ? configuration.debugOverrides?.trustAnchors ?? [] : []
        var platform = AndroidEffectiveSettings.platform(targetSdk: targetSdk)
        platform.trustAnchors += debugAnchors
        base = platform.adding(configuration.base ?? AndroidSettings(), debugAnchors: debugAnchors)
        var domains: [AndroidEffectiveSettings] = []
        for entry in configuration.domainConfigurations {
            try Self.flatten(entry, inheriting: base, debugAnchors: debugAnchors, into: &domains)
        }
        var seen: Set<String> = []
        for domain in domains.compactMap(\.domain?.domain) where !seen.insert(domain).inserted {
            throw PolicyFailure(
                "Android refuses the configuration: expected each domain once, found “\(domain)” again; remove one"
            )
        }
        self.domains = domains
    }

    /// `android-nsc`.
    package var mechanism: String { "android-nsc" }

    /// What holds for every domain that the document names.
    package var domainSettings: [AndroidEffectiveSettings] { domains }

    /// What holds for a host: the domain itself, else the longest parent with includeSubdomains, else the base.
    package func settings(for host: Host?) -> AndroidEffectiveSettings {
        guard let name = host?.description else { return base }
        let matching = domains.filter { $0.domain?.matches(name) == true }
        return matching.first { $0.domain?.domain == name }
            ?? matching.max { ($0.domain?.domain.utf8.count ?? 0) < ($1.domain?.domain.utf8.count ?? 0) }
            ?? base
    }

    /// The same policy where other settings hold for a domain, or for what no domain means.
    ///
    /// ``configuration`` stays what the document says.
    func holding(_ settings: AndroidEffectiveSettings) -> AndroidPolicy {
        var policy = self
        if let index = domains.firstIndex(where: { $0.domain == settings.domain }) {
            policy.domains[index] = settings
        } else {
            policy.base = settings
        }
        return policy
    }

    /// `cleartextTrafficPermitted` of what holds for the host.
    package func refusalOfCleartext(to host: Host) -> String? {
        let settings = settings(for: host)
        guard !settings.cleartextTrafficPermitted else { return nil }
        let scope = settings.domain.map { "the domain-config of “\($0.domain)”" } ?? "the base-config"
        return "\(scope) does not permit cleartext traffic to \(host)"
    }

    /// Judges: the chain against the domain's own anchors, then pins, then the name.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        if evidence.host == nil, !domains.isEmpty {
            // RootTrustManager: “Domain specific configurations require that hostname aware …”.
            let detail = "An app with a domain-config refuses sockets of which it does not know the host."
            return Judgement(
                .rejected(Rejection(.unknownHost, detail)),
                checks: [Check("host", .failed, detail)]
            )
        }
        let settings = settings(for: evidence.host)
        let scope =
            settings.domain.map { "The domain-config of “\($0.domain)” holds." } ?? "The base-config holds."
        var checks = [Check("configuration", .passed, scope)]
        var question = ChainQuestion(evidence)
        question.anchors = settings.trustAnchors.flatMap { certificates(of: $0.source, evidence) }
        question.host = nil
        // A trust anchor of the app need not be self-signed.
        question.allowsPartialChain = true
        let sources = settings.trustAnchors.map(\.source.text).joined(separator: ", ")
        let answer = evaluator.evaluate(question)
        guard let path = answer.path else {
            let fault = answer.fault ?? ChainFault(.untrusted, depth: nil, "No path was found.")
            checks.append(Check("chain to \(sources)", .failed, fault.detail))
            return Judgement(.rejected(Rejection(.chain(fault.kind), fault.detail)), checks: checks)
        }
        checks.append(
            Check(
                "chain to \(sources)",
                .passed,
                "The chain leads to \(path.anchor?.subject ?? "an anchor")."
            )
        )
        let pins = comparePins(of: settings, with: path, evidence)
        checks.append(pins)
        if pins.outcome == .failed {
            return Judgement(.rejected(Rejection(.pinMismatch, pins.detail)), checks: checks, path: path)
        }
        guard evidence.host != nil else { return Judgement(.trusted, checks: checks, path: path) }
        question.host = evidence.host
        if let fault = evaluator.evaluate(question).fault {
            checks.append(Check("host, by the HTTP stack", .failed, fault.detail))
            return Judgement(
                .rejected(Rejection(.chain(fault.kind), fault.detail)),
                checks: checks,
                path: path
            )
        }
        checks.append(Check("host, by the HTTP stack", .passed, "The leaf names it."))
        return Judgement(.trusted, checks: checks, path: path)
    }

    /// The steps of `checkPins`, in their order.
    private func comparePins(
        of settings: AndroidEffectiveSettings,
        with path: ValidatedChain,
        _ evidence: Evidence
    ) -> Check {
        guard let set = settings.pinSet, !set.pins.isEmpty else {
            return Check("pins", .skipped, "No pin-set holds for the host.")
        }
        if let expiration = set.expiration, evidence.time > expiration {
            return Check(
                "pins",
                .skipped,
                "The pin-set expired on \(CalendarDate.text(expiration)): nothing is pinned."
            )
        }
        if let anchor = path.anchor, let source = overridingSource(of: anchor, settings, evidence) {
            return Check(
                "pins",
                .skipped,
                "The anchor \(anchor.subject) is from “\(source)”, which overrides pins."
            )
        }
        for certificate in path.certificates.reversed() {
            if let pin = set.pins.first(where: { $0.matches(certificate) }) {
                return Check("pins", .passed, "\(pin) is the key of \(certificate.subject).")
            }
        }
        return Check(
            "pins",
            .failed,
            "Pin verification failed: no key of the chain is in the pin-set. The chain's pins: \(ChainText.pins(path.certificates))."
        )
    }

    /// A certificate that several sources hold counts as the one that overrides.
    private func overridingSource(
        of anchor: CertificateFacts,
        _ settings: AndroidEffectiveSettings,
        _ evidence: Evidence
    ) -> String? {
        settings.trustAnchors.first { entry in
            entry.overridePins
                && certificates(of: entry.source, evidence).contains {
                    $0.spki == anchor.spki && $0.subject == anchor.subject
                }
        }?.source.text
    }

    private func certificates(
        of source: AndroidCertificates.Source,
        _ evidence: Evidence
    ) -> [CertificateFacts] {
        switch source {
        case .system: evidence.anchors.filter { !evidence.userAnchors.contains($0.sha256) }
        case .user: evidence.anchors.filter { evidence.userAnchors.contains($0.sha256) }
        case .raw(_, let certificates): certificates
        }
    }

    private static func flatten(
        _ entry: AndroidDomainSettings,
        inheriting parent: AndroidEffectiveSettings,
        debugAnchors: [AndroidCertificates],
        into domains: inout [AndroidEffectiveSettings]
    ) throws(PolicyFailure) {
        guard !entry.domains.isEmpty else {
            throw PolicyFailure(
                "Android refuses the configuration: expected a <domain> in every <domain-config>, found none"
            )
        }
        var settings = parent.adding(entry.settings, debugAnchors: debugAnchors)
        if let pinSet = entry.pinSet { settings.pinSet = pinSet }
        for domain in entry.domains {
            settings.domain = domain
            domains.append(settings)
        }
        for nested in entry.nested {
            try flatten(nested, inheriting: settings, debugAnchors: debugAnchors, into: &domains)
        }
    }
}
