extension ApplePolicy: OutlinedPolicy {
    /// Two lists a domain, with what ATS is told to let pass.
    package var outline: PolicyOutline {
        var outline = PolicyOutline()
        for (name, domain) in domains.sorted(by: { $0.key < $1.key }) {
            let path = "NSAppTransportSecurity/NSPinnedDomains/\(name)"
            let rule = domain.rule(name)
            let lists: [(String, [Pin], PolicyOutline.PinList.Position)] = [
                ("NSPinnedLeafIdentities", domain.leafIdentities, .leaf),
                ("NSPinnedCAIdentities", domain.caIdentities, .authorities),
            ]
            for (key, pins, position) in lists where !pins.isEmpty {
                var list = PolicyOutline.PinList(
                    path: "\(path)/\(key)",
                    scope: PolicyOutline.Scope(rule),
                    pins: pins
                )
                list.position = position
                outline.lists.append(list)
            }
            guard rule.isSingleLabel, domain.includesSubdomains else { continue }
            outline.findings.append(
                LintFinding(
                    .publicSuffix,
                    .warning,
                    at: "\(path)/NSIncludesSubdomains",
                    "“\(name)” with its subdomains is everybody's: it looks like a public suffix.",
                    remedy: "Name the domains that are yours."
                )
            )
        }
        outline.findings += transportSecurity?.findings ?? []
        return outline
    }
}

extension AppleTransportSecurity {
    /// What the exceptions let pass.
    fileprivate var findings: [LintFinding] {
        let root = "NSAppTransportSecurity"
        var findings: [LintFinding] = []
        if allowsArbitraryLoads {
            findings.append(
                LintFinding(
                    .weakTransport,
                    hasNarrowerKeys ? .hint : .warning,
                    at: "\(root)/NSAllowsArbitraryLoads",
                    hasNarrowerKeys
                        ? "Systems since iOS 10 ignore it, since a narrower key is there."
                        : "App Transport Security is off for every domain without an entry of its own.",
                    remedy: "Remove it, and name the domains that need an exception."
                )
            )
        }
        for (name, exception) in exceptions.sorted(by: { $0.key < $1.key }) {
            let path = "\(root)/NSExceptionDomains/\(name)"
            if let fault = DomainRule(name, .exact).fault {
                findings.append(
                    LintFinding(
                        .neverMatches,
                        .warning,
                        at: path,
                        "No host can match “\(name)”: \(fault).",
                        remedy: "Write the host as it stands in a URL, in lower case."
                    )
                )
            }
            for (key, sentence) in exception.weaknesses {
                findings.append(
                    LintFinding(
                        key == "NSExceptionAllowsInsecureHTTPLoads" ? .cleartext : .weakTransport,
                        .warning,
                        at: "\(path)/\(key)",
                        sentence,
                        remedy: "Remove it once the server does better."
                    )
                )
            }
        }
        return findings
    }
}

extension AppleTransportSecurity.Exception {
    /// The keys that weaken something, with what they do.
    fileprivate var weaknesses: [(key: String, sentence: String)] {
        var list: [(key: String, sentence: String)] = []
        if allowsInsecureHTTPLoads {
            list.append(
                ("NSExceptionAllowsInsecureHTTPLoads", "http is allowed, where no pin protects anything.")
            )
        }
        if !["TLSv1.2", "TLSv1.3"].contains(minimumTLSVersion) {
            list.append(("NSExceptionMinimumTLSVersion", "\(minimumTLSVersion) is accepted."))
        }
        if !requiresForwardSecrecy {
            list.append(
                ("NSExceptionRequiresForwardSecrecy", "Neither forward secrecy nor long keys are asked for.")
            )
        }
        return list
    }
}
