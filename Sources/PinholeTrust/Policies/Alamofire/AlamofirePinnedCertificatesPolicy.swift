/// Alamofire's `PinnedCertificatesTrustEvaluator`.
package struct AlamofirePinnedCertificatesPolicy: AlamofireEvaluator, Hashable {
    /// The pinned certificates.
    ///
    /// An empty list refuses every server.
    package var certificates: [CertificateFacts]
    /// Whether the pinned certificates become the only anchors.
    package var acceptSelfSignedCertificates: Bool
    /// Whether default validation is done first.
    package var performDefaultValidation: Bool
    /// Whether the host name is checked.
    package var validateHost: Bool

    /// The name `alamofire-pinned-certificates`.
    package var mechanism: String { "alamofire-pinned-certificates" }

    /// Creates a policy.
    package init(
        certificates: [CertificateFacts],
        acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        self.certificates = certificates
        self.acceptSelfSignedCertificates = acceptSelfSignedCertificates
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    /// Checks that there are pins, sets anchors, validates chain and host, and then looks for a pinned
    /// certificate in the chain.
    func evaluate(_ trust: inout SecTrustModel, _ builder: inout JudgementBuilder) -> Judgement? {
        guard !certificates.isEmpty else {
            return builder.reject("certificates", .noPins, "no certificate is pinned (.noCertificatesFound)")
        }
        noteAnchors(&trust, &builder)
        if let rejection = trust.performDefaultValidation(&builder, isOn: performDefaultValidation)
            ?? trust.performHostValidation(&builder, isOn: validateHost)
        {
            return rejection
        }
        let pins = certificates.map { PinnedValue($0) }
        let judgement = builder.comparing(
            certificates: pins,
            with: trust.builtChain(),
            in: "the built chain"
        )
        return judgement.verdict == .trusted ? nil : judgement
    }

    private func noteAnchors(_ trust: inout SecTrustModel, _ builder: inout JudgementBuilder) {
        let name = "pinned certificates as only anchors"
        guard acceptSelfSignedCertificates else {
            builder.skip(name, "acceptSelfSignedCertificates is false")
            return
        }
        trust.setAnchorCertificates(certificates)
        builder.pass(name, "acceptSelfSignedCertificates puts them in the place of the device's anchors")
    }
}

extension AlamofirePinnedCertificatesPolicy {
    /// The pinned certificates.
    package var pinLists: [PinList] {
        get { [PinList(certificates, at: "certificates", comparison: .certificates)] }
        set { certificates.take(newValue.first) }
    }

    /// The findings about an empty list and about validations that are left out.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        guard !certificates.isEmpty else {
            return [.emptyPins(at: "certificates", "Alamofire refuses every server then.")]
        }
        return certificates.compactMap { .leafCertificate($0, at: "certificates") }
            + LintFinding.validations(performDefaultValidation, validateHost, certificates)
    }
}
