extension AndroidPolicy: OutlinedPolicy {
    /// A list a domain, with what its trust anchors let pass.
    package var outline: PolicyOutline {
        let base = Self.findings(settings(for: nil), at: "network-security-config/base-config")
        var outline = PolicyOutline(findings: base)
        for settings in domainSettings {
            guard let rule = settings.domain else { continue }
            let path = "network-security-config/domain-config[\(rule.domain)]"
            // What is inherited is said once.
            outline.findings += Self.findings(settings, at: path).filter { finding in
                finding.code == .overridden || !base.contains { $0.code == finding.code }
            }
            if rule.reach == .everything, rule.isSingleLabel {
                outline.findings.append(Self.suffix(rule, at: path))
            }
            guard let set = settings.pinSet else { continue }
            var list = PolicyOutline.PinList(
                path: "\(path)/pin-set",
                scope: PolicyOutline.Scope(rule),
                pins: set.pins
            )
            list.expiration = set.expiration
            outline.lists.append(list)
            guard set.pins.isEmpty else { continue }
            outline.findings.append(
                LintFinding(
                    .noPins,
                    .warning,
                    at: "\(path)/pin-set",
                    "The pin-set is empty: nothing is pinned, and no pin is inherited.",
                    remedy: "Add <pin digest=\"SHA-256\"> elements, or remove the pin-set."
                )
            )
        }
        if let debug = configuration.debugOverrides,
            debug.trustAnchors?.contains(where: \.overridePins) == true
        {
            outline.findings.append(
                LintFinding(
                    .overridden,
                    .hint,
                    at: "network-security-config/debug-overrides",
                    "In debuggable builds chains to the CAs of debug-overrides pass without a pin.",
                    remedy: "Nothing, as long as no debuggable build is shipped."
                )
            )
        }
        return outline
    }

    private static func findings(_ settings: AndroidEffectiveSettings, at path: String) -> [LintFinding] {
        var findings: [LintFinding] = []
        let isPinned = settings.pinSet?.pins.isEmpty == false
        for entry in settings.trustAnchors where entry.overridePins && isPinned {
            findings.append(
                LintFinding(
                    .overridden,
                    .warning,
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
                LintFinding(
                    .cleartext,
                    .warning,
                    at: path,
                    "http is allowed, where no pin protects anything.",
                    remedy: "Set cleartextTrafficPermitted=\"false\"."
                )
            )
        }
        return findings
    }

    private static func suffix(_ rule: DomainRule, at path: String) -> LintFinding {
        LintFinding(
            .publicSuffix,
            .warning,
            at: "\(path)/domain",
            "“\(rule.domain)” with includeSubdomains is everybody's: it looks like a public suffix.",
            remedy: "Name the domains that are yours."
        )
    }
}
