extension AFSecurityPolicy: OutlinedPolicy {
    /// The pinned certificates, and what the three switches give away.
    package var outline: PolicyOutline {
        var outline = PolicyOutline(findings: switches)
        guard pinningMode != .none, !pinnedCertificates.isEmpty else { return outline }
        var list = PolicyOutline.PinList(certificates: pinnedCertificates, path: "pinnedCertificates")
        if pinningMode == .certificate { list.certificates = pinnedCertificates }
        outline.lists = [list]
        if pinningMode == .certificate {
            outline.findings += pinnedCertificates.compactMap {
                .leafCertificate($0, at: "pinnedCertificates")
            }
        }
        let checksNoHost = !validatesDomainName || pinningMode == .publicKey && allowInvalidCertificates
        if checksNoHost, let authority = pinnedCertificates.first(where: \.isAuthority) {
            outline.findings.append(.authorityWithoutHost(authority, at: "validatesDomainName"))
        }
        return outline
    }

    private var switches: [LintFinding] {
        var findings: [LintFinding] = []
        if version == .version251 {
            findings.append(
                .acceptsEverything(at: "version", "AFNetworking 2.5.1 checks nothing at all without pins.")
            )
        }
        switch (pinningMode, allowInvalidCertificates) {
        case (.none, true) where !validatesDomainName:
            findings.append(
                .acceptsEverything(at: "allowInvalidCertificates", "Every certificate is accepted.")
            )
        case (.none, true):
            findings.append(
                LintFinding(
                    .noPins,
                    .error,
                    at: "allowInvalidCertificates",
                    "Every server is refused: AFSecurityPolicy wants pins to validate a name with invalid certificates.",
                    remedy: "Pin the private CA with pinningMode certificate."
                )
            )
        case (.publicKey, true):
            findings.append(
                LintFinding(
                    .invalidAllowed,
                    .error,
                    at: "allowInvalidCertificates",
                    "Chain, dates and host are not looked at: whoever sends a certificate with a pinned key is let in.",
                    remedy: "Set allowInvalidCertificates to NO, or pin with pinningMode certificate."
                )
            )
        default: break
        }
        if pinningMode == .none, !pinnedCertificates.isEmpty {
            findings.append(
                LintFinding(
                    .pinsIgnored,
                    .error,
                    at: "pinningMode",
                    "There are pinned certificates, but mode none never looks at them.",
                    remedy: "Set pinningMode to publicKey."
                )
            )
        }
        if pinningMode != .none, pinnedCertificates.isEmpty {
            findings.append(
                .emptyPins(at: "pinnedCertificates", "AFSecurityPolicy refuses every server then.")
            )
        }
        return findings
    }
}
