extension AlamofirePinnedCertificatesPolicy: OutlinedPolicy {
    /// The certificates, and which validations are left out.
    package var outline: PolicyOutline {
        guard !certificates.isEmpty else {
            return PolicyOutline(findings: [
                .emptyPins(at: "certificates", "Alamofire refuses every server then.")
            ])
        }
        var list = PolicyOutline.PinList(certificates: certificates, path: "certificates")
        list.certificates = certificates
        return PolicyOutline(
            lists: [list],
            findings: certificates.compactMap { .leafCertificate($0, at: "certificates") }
                + validations(performDefaultValidation, validateHost, certificates)
        )
    }
}

extension AlamofirePublicKeysPolicy: OutlinedPolicy {
    /// The keys, and which validations are left out.
    package var outline: PolicyOutline {
        guard !certificates.isEmpty else {
            return PolicyOutline(findings: [.emptyPins(at: "keys", "Alamofire refuses every server then.")])
        }
        return PolicyOutline(
            lists: [PolicyOutline.PinList(certificates: certificates, path: "keys")],
            findings: validations(performDefaultValidation, validateHost, certificates)
        )
    }
}

extension AlamofireCompositePolicy: OutlinedPolicy {
    /// What all of them say.
    package var outline: PolicyOutline { PolicyOutline(joining: evaluators, path: "evaluators") }
}

extension AlamofireDisabledPolicy: OutlinedPolicy {
    /// Nothing is evaluated.
    package var outline: PolicyOutline {
        PolicyOutline(findings: [
            .acceptsEverything(at: "", "DisabledTrustEvaluator accepts every certificate.")
        ])
    }
}

private func validations(
    _ performsDefault: Bool,
    _ validatesHost: Bool,
    _ pinned: [CertificateFacts]
) -> [LintFinding] {
    var findings: [LintFinding] = []
    if !performsDefault {
        findings.append(
            .invalidAllowed(
                at: "performDefaultValidation",
                "Chain and dates are not looked at beside the pins."
            )
        )
    }
    if !validatesHost, let authority = pinned.first(where: \.isAuthority) {
        findings.append(.authorityWithoutHost(authority, at: "validateHost"))
    }
    return findings
}
