extension AFSecurityPolicy {
    /// The pinned certificates.
    ///
    /// Mode `none` never compares them.
    package var pinLists: [PinList] {
        get {
            let comparison: PinList.Comparison =
                switch pinningMode {
                case .none: .nothing
                case .certificate: .certificates
                case .publicKey: .keys
                }
            return [PinList(pinnedCertificates, at: "pinnedCertificates", comparison: comparison)]
        }
        set { pinnedCertificates.take(newValue.first) }
    }

    /// The findings about the three switches, and about certificates that a renewal replaces.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        var findings = switches
        guard pinningMode != .none else { return findings }
        if pinningMode == .certificate {
            findings += pinnedCertificates.compactMap { .leafCertificate($0, at: "pinnedCertificates") }
        }
        let checksNoHost = !validatesDomainName || pinningMode == .publicKey && allowInvalidCertificates
        if checksNoHost, let authority = pinnedCertificates.first(where: \.isAuthority) {
            findings.append(.authorityWithoutHost(authority, at: "validatesDomainName"))
        }
        return findings
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
                LintFinding.error(
                    .noPins,
                    at: "allowInvalidCertificates",
                    "Every server is refused: AFSecurityPolicy wants pins to validate a name with invalid certificates.",
                    remedy: "Pin the private CA with pinningMode certificate."
                )
            )
        case (.publicKey, true):
            findings.append(
                LintFinding.error(
                    .invalidAllowed,
                    at: "allowInvalidCertificates",
                    "Chain, dates and host are not looked at: whoever sends a certificate with a pinned key is let in.",
                    remedy: "Set allowInvalidCertificates to NO, or pin with pinningMode certificate."
                )
            )
        default: break
        }
        if pinningMode == .none, !pinnedCertificates.isEmpty {
            findings.append(
                LintFinding.error(
                    .pinsIgnored,
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
