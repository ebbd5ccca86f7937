package import PinholeModel

/// Android's Network Security Configuration: the CAs that an app trusts for each host, and its pins.
///
/// The settings are resolved like in `XmlConfigSource.java` and `ApplicationConfig.java`, and pins are
/// checked like in `NetworkSecurityTrustManager.java`. The HTTP stack checks the host name afterwards.
package struct AndroidPolicy: TrustPolicy {
    /// The content of the document.
    package let configuration: AndroidConfiguration
    /// The target SDK of the app.
    package let targetSdk: Int
    /// Whether the build is debuggable, so that `<debug-overrides>` apply.
    package let debug: Bool

    /// The settings of hosts without a domain.
    var base: AndroidEffectiveSettings
    /// The settings of each domain that the document names.
    package internal(set) var domainSettings: [AndroidEffectiveSettings]

    /// Creates the policy.
    ///
    /// - Parameters:
    ///   - configuration: The content of the document.
    ///   - targetSdk: The target SDK of the app.
    ///   - debug: Whether the build is debuggable.
    /// - Throws: ``PolicyFailure`` for a configuration with which an app does not start.
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
        domainSettings = domains
    }

    /// The name `android-nsc`.
    package var mechanism: String { "android-nsc" }
    /// Conscrypt's rules.
    package var verifier: VerifierProfile { .android }

    /// The settings for a host: of the domain itself, otherwise of the longest parent with includeSubdomains,
    /// otherwise of the base.
    package func settings(for host: Host?) -> AndroidEffectiveSettings {
        guard let name = host?.description else { return base }
        let matching = domainSettings.filter { $0.domain?.matches(name) == true }
        return matching.first { $0.domain?.domain == name }
            ?? matching.max { ($0.domain?.domain.utf8.count ?? 0) < ($1.domain?.domain.utf8.count ?? 0) }
            ?? base
    }

    /// The refusal if `cleartextTrafficPermitted` is `false` for the host.
    package func refusalOfCleartext(to host: Host) -> String? {
        let settings = settings(for: host)
        guard !settings.cleartextTrafficPermitted else { return nil }
        let scope = settings.domain.map { "the domain-config of “\($0.domain)”" } ?? "the base-config"
        return "\(scope) does not permit cleartext traffic to \(host)"
    }

    /// Checks the chain with the domain's anchors, then the pins, then the name.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        if evidence.host == nil, !domainSettings.isEmpty {
            // RootTrustManager throws here: “Domain specific configurations require that hostname aware …”.
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
        var question = self.question(evidence)
        question.anchors = settings.trustAnchors.flatMap { certificates(of: $0.source, evidence) }
        question.host = nil
        // A trust anchor of the app need not be self-signed.
        question.allowsPartialChain = true
        if settings.requiresTransparency {
            question.transparency = TransparencyDemand(.chrome, for: evidence, exemptsLocalAnchors: false)
        }
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
        if let logged = answer.transparency {
            checks.append(Check("certificate timestamps", .passed, logged.detail))
        }
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

    /// Runs the steps of `checkPins` in their order.
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

    /// The source that overrides pins for an anchor; `nil` if none does.
    ///
    /// If several sources contain the certificate, one that overrides is enough.
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
        case .wifiAlliance: []
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

extension AndroidPolicy {
    /// The exception that `NetworkSecurityTrustManager` throws in the handshake
    /// (docs/PINS.md#trustkit-android-apple).
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        guard cause.isPin else { return .java(cause, at: host) }
        return ReportedError(
            "javax.net.ssl",
            "SSLHandshakeException",
            "java.security.cert.CertificateException: Pin verification failed"
        )
    }
}
