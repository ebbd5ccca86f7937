extension TrustKitPolicy: OutlinedPolicy {
    /// A list a domain.
    package var outline: PolicyOutline {
        var outline = PolicyOutline()
        for (name, domain) in pinnedDomains.sorted(by: { $0.key < $1.key })
        where !domain.excludeSubdomainFromParentPolicy {
            let path = "TSKPinnedDomains/\(name)"
            let rule = DomainRule(name, domain.includeSubdomains ? .everything : .exact)
            var list = PolicyOutline.PinList(
                path: "\(path)/TSKPublicKeyHashes",
                scope: PolicyOutline.Scope(rule),
                pins: domain.publicKeyHashes
            )
            list.expiration = domain.expirationDate
            outline.lists.append(list)
            if !domain.enforcePinning {
                outline.findings.append(
                    LintFinding(
                        .notEnforced,
                        .warning,
                        at: "\(path)/TSKEnforcePinning",
                        "Enforcement is off: a connection with a wrong key is reported and goes on.",
                        remedy: "Set TSKEnforcePinning to YES once the reports are clean."
                    )
                )
            }
        }
        if ignorePinningForUserDefinedTrustAnchors {
            outline.findings.append(
                LintFinding(
                    .overridden,
                    .hint,
                    at: "TSKIgnorePinningForUserDefinedTrustAnchors",
                    "On macOS a CA that the user installed passes without a pin.",
                    remedy: "Set it to NO where pins shall hold against installed CAs, too."
                )
            )
        }
        return outline
    }
}
