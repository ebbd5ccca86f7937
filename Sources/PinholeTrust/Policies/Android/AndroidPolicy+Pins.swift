package import PinholeModel

extension AndroidPolicy {
    /// The pin-set and the raw trust anchors of each domain, followed by the raw trust anchors of the base.
    package var pinLists: [PinList] {
        get {
            let root = "network-security-config"
            return domainSettings.flatMap { settings in
                settings.domain.map { rule in
                    settings.pinLists(
                        at: "\(root)/domain-config[\(rule.domain)]",
                        for: HostScope(rule)
                    ) { host in self.settings(for: host).domain == rule }
                } ?? []
            } + base.pinLists(at: "\(root)/base-config", for: nil) { self.settings(for: $0).domain == nil }
        }
        set {
            var lists = newValue.makeIterator()
            for index in domainSettings.indices { domainSettings[index].take(&lists) }
            base.take(&lists)
        }
    }

    /// The domains of the `<domain-config>`s.
    package var scopes: [HostScope] {
        domainSettings.compactMap { $0.domain.map { HostScope($0) } }
    }

    /// The pins of the named domains, and the defaults from targetSdk 28 on.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        .pinsForHost.adding([.systemPath, .cleartext]).judged(by: chosen ?? verifier)
    }

    /// The findings about trust anchors, http, public suffixes and empty pin-sets.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        let inherited = Self.findings(base, at: "network-security-config/base-config")
        var findings = inherited
        for settings in domainSettings {
            guard let rule = settings.domain else { continue }
            let path = "network-security-config/domain-config[\(rule.domain)]"
            // A domain inherits the faults of the base configuration, which are reported there.
            findings += Self.findings(settings, at: path).filter { finding in
                finding.code == .overridden || !inherited.contains { $0.code == finding.code }
            }
            if rule.reach == .everything,
                let finding = lint.suffixes.finding(
                    "“\(rule.domain)” with includeSubdomains",
                    for: rule.domain,
                    at: "\(path)/domain"
                )
            {
                findings.append(finding)
            }
            guard settings.pinSet?.pins.isEmpty == true else { continue }
            findings.append(
                LintFinding.warning(
                    .noPins,
                    at: "\(path)/pin-set",
                    "The pin-set is empty: nothing is pinned, and no pin is inherited.",
                    remedy: "Add <pin digest=\"SHA-256\"> elements, or remove the pin-set."
                )
            )
        }
        if let debug = configuration.debugOverrides,
            debug.trustAnchors?.contains(where: \.overridePins) == true
        {
            findings.append(
                LintFinding.hint(
                    .overridden,
                    at: "network-security-config/debug-overrides",
                    "In debuggable builds chains to the CAs of debug-overrides pass without a pin.",
                    remedy: "Nothing, as long as no debuggable build is shipped."
                )
            )
        }
        return findings
    }

    private static func findings(_ settings: AndroidEffectiveSettings, at path: String) -> [LintFinding] {
        var findings: [LintFinding] = []
        let isPinned = settings.pinSet?.pins.isEmpty == false
        for entry in settings.trustAnchors where entry.overridePins && isPinned {
            findings.append(
                LintFinding.warning(
                    .overridden,
                    at: "\(path)/trust-anchors",
                    "Chains to the CAs from “\(entry.source.text)” pass without a pin (overridePins).",
                    remedy: "Remove overridePins, or keep it within debug-overrides."
                )
            )
        }
        if settings.trustAnchors.contains(where: { $0.source == .user }) {
            findings.append(
                LintFinding(
                    .userAnchors,
                    isPinned ? .hint : .warning,
                    at: "\(path)/trust-anchors",
                    "CAs that the user installed are trusted\(isPinned ? ", as far as pins allow" : "").",
                    remedy: "Keep <certificates src=\"user\"/> within debug-overrides."
                )
            )
        }
        if settings.cleartextTrafficPermitted {
            findings.append(
                LintFinding.warning(
                    .cleartext,
                    at: path,
                    "http is allowed, where no pin protects anything.",
                    remedy: "Set cleartextTrafficPermitted=\"false\"."
                )
            )
        }
        return findings
    }
}

extension AndroidEffectiveSettings {
    /// The pin-set and each file of trust anchors.
    fileprivate func pinLists(
        at path: String,
        for scope: HostScope?,
        isChosen: @escaping @Sendable (Host) -> Bool
    ) -> [PinList] {
        var lists: [PinList] = []
        if let pinSet {
            var list = PinList(pinSet.pins, at: "\(path)/pin-set", for: scope)
            list.expiration = pinSet.expiration
            lists.append(list)
        }
        for case .raw(_, let certificates) in trustAnchors.map(\.source) {
            var list = PinList(
                certificates,
                at: "\(path)/trust-anchors",
                position: .authorities,
                comparison: .nothing
            )
            list.scope = scope
            lists.append(list)
        }
        return lists.map { list in
            var list = list
            list.isChosen = isChosen
            return list
        }
    }

    /// Takes the values of lists that ``pinLists(at:for:isChosen:)`` made.
    fileprivate mutating func take(_ lists: inout IndexingIterator<[PinList]>) {
        if pinSet != nil { pinSet?.pins.take(lists.next()) }
        for index in trustAnchors.indices {
            guard case .raw(let name, var certificates) = trustAnchors[index].source else { continue }
            certificates.take(lists.next())
            trustAnchors[index].source = .raw(name, certificates)
        }
    }
}
