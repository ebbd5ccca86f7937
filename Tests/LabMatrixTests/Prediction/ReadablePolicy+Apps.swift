import PinholeModel
import PinholeTrust

extension TrustKitPolicy: ReadablePolicy {
    func forms(_ context: SemanticsContext) -> [PolicySemantics] { PolicySemantics.formsForHost }

    /// TrustKit (docs/PINS.md).
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        let meant = pinnedDomains.filter { name, domain in
            context.isMeant(by: name, labels: 0...(domain.includeSubdomains ? 127 : 0))
        }
        guard let (_, domain) = meant.max(by: { $0.key.utf8.count < $1.key.utf8.count }) else {
            return .silent()
        }
        let lifetime = context.lifetime(domain.expirationDate)
        guard !domain.excludeSubdomainFromParentPolicy, lifetime != .over else { return .silent() }
        var judging = JudgingSemantics()
        judging.pins = [.init(.key, of: context.holders(domain.publicKeyHashes), in: .path)]
        judging.pinLifetime = domain.enforcePinning ? lifetime : .over
        judging.reports = !domain.reportURIs.isEmpty
        if ignorePinningForUserDefinedTrustAnchors { judging.pinsYieldTo = [.user] }
        return .judges(judging)
    }
}

extension OkHttpPolicy: ReadablePolicy {
    func forms(_ context: SemanticsContext) -> [PolicySemantics] { PolicySemantics.formsForHost }

    /// OkHttp (docs/PINS.md).
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        let meant = pins.filter { pin in
            switch pin.pattern {
            case .exact(let host): host == context.host
            case .oneLabel(let name): context.host.name != nil && context.isMeant(by: name, labels: 1...1)
            case .anyLabels(let name): context.host.name != nil && context.isMeant(by: name, labels: 0...127)
            }
        }
        guard !meant.isEmpty else { return .silent() }
        let pinned = context.holders(meant.map(\.pin))
        return .judges(JudgingSemantics(pins: [.init(.key, of: pinned, in: .path)]))
    }
}

extension AndroidPolicy: ReadablePolicy {
    /// The forms refuse cleartext, as targetSdk 28 and later do by default.
    func forms(_ context: SemanticsContext) -> [PolicySemantics] {
        [.android(PolicySemantics.leafKeys), .android(PolicySemantics.authorityKeys)]
    }

    /// Android (docs/PINS.md).
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        let meant = domainSettings.filter { settings in
            guard let rule = settings.domain else { return false }
            return context.isMeant(by: rule.domain, labels: 0...(rule.reach == .exact ? 0 : 127))
        }
        let longest = meant.max { length($0) < length($1) }
        let entries = longest?.trustAnchors ?? baseAnchors
        var judging = JudgingSemantics([Set(entries.flatMap { anchors($0, context) })])
        judging.refusesCleartext = !(longest?.cleartextTrafficPermitted ?? basePermitsCleartext)
        if longest?.requiresTransparency ?? baseRequiresTransparency { judging.timestamps = .platform }
        if let set = longest?.pinSet, !set.pins.isEmpty {
            judging.pins = [.init(.key, of: context.holders(set.pins), in: .path)]
            judging.pinLifetime = context.lifetime(set.expiration)
            judging.pinsYieldTo = Set(entries.filter(\.overridePins).flatMap { anchors($0, context) })
        }
        return .judges(judging)
    }

    private func length(_ settings: AndroidEffectiveSettings) -> Int {
        settings.domain?.domain.utf8.count ?? 0
    }

    /// From Android 7 on apps do not trust the user's CAs.
    private var baseAnchors: [AndroidCertificates] {
        let debugging = debug ? configuration.debugOverrides?.trustAnchors ?? [] : []
        let platform = [AndroidCertificates(.system)] + (targetSdk < 24 ? [AndroidCertificates(.user)] : [])
        return (configuration.base?.trustAnchors ?? platform) + debugging
    }

    /// From Android 9 on they speak no http.
    private var basePermitsCleartext: Bool {
        configuration.base?.cleartextTrafficPermitted ?? (targetSdk < 28)
    }

    /// From Android 17 on they ask for timestamps below the system's CAs.
    private var baseRequiresTransparency: Bool {
        let isOpen = configuration.base?.trustAnchors?.allSatisfy { $0.source == .system } ?? true
        return configuration.base?.requiresTransparency ?? (targetSdk >= 37 && isOpen)
    }

    private func anchors(
        _ entry: AndroidCertificates,
        _ context: SemanticsContext
    ) -> [JudgingSemantics.Anchor] {
        switch entry.source {
        case .system: [.system]
        case .user: [.user]
        case .wifiAlliance: []
        case .raw(_, let certificates): Array(context.anchors(certificates))
        }
    }
}

extension ApplePolicy: ReadablePolicy {
    /// The forms have App Transport Security, which is on by default.
    func forms(_ context: SemanticsContext) -> [PolicySemantics] {
        [
            .apple([.init(.key, of: PolicySemantics.leafKeys, in: .leaf)]),
            .apple([.init(.key, of: PolicySemantics.authorityKeys, in: .authorities)]),
        ]
    }

    /// Apple (docs/PINS.md).
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        let refusesCleartext = transportSecurity?.refusesCleartext(context) ?? false
        let meant = domains.filter { name, domain in
            context.isMeant(by: name, labels: 0...(domain.includesSubdomains ? 1 : 0))
        }
        guard let (_, domain) = meant.max(by: { $0.key.utf8.count < $1.key.utf8.count }) else {
            return .silent(refusesCleartext: refusesCleartext)
        }
        var judging = JudgingSemantics()
        judging.refusesCleartext = refusesCleartext
        if !domain.leafIdentities.isEmpty {
            judging.pins.append(.init(.key, of: context.holders(domain.leafIdentities), in: .leaf))
        }
        if !domain.caIdentities.isEmpty {
            judging.pins.append(.init(.key, of: context.holders(domain.caIdentities), in: .authorities))
        }
        return .judges(judging)
    }
}

extension AppleTransportSecurity {
    /// What it asks of chains and versions beyond that, the clients of the lab ask anyway.
    fileprivate func refusesCleartext(_ context: SemanticsContext) -> Bool {
        let meant = exceptions.filter { name, exception in
            context.isMeant(by: name, labels: 0...(exception.includesSubdomains ? 1 : 0))
        }
        if let exception = meant.max(by: { $0.key.utf8.count < $1.key.utf8.count })?.value {
            return !exception.allowsInsecureHTTPLoads
        }
        let isLocal = context.host.name.map { !$0.contains(".") || $0.hasSuffix(".local") } ?? true
        return !isLocal && (!allowsArbitraryLoads || hasNarrowerKeys)
    }
}
