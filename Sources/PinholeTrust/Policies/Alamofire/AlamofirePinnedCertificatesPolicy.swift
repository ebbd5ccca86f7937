/// Alamofire's `PinnedCertificatesTrustEvaluator`.
package struct AlamofirePinnedCertificatesPolicy: AlamofireEvaluator, Hashable {
    /// The pinned certificates; none refuses every peer.
    package var certificates: [CertificateFacts]
    /// Whether they become the only anchors.
    package var acceptSelfSignedCertificates: Bool
    /// Whether default validation comes first.
    package var performDefaultValidation: Bool
    /// Whether the host's name is compared.
    package var validateHost: Bool

    /// `alamofire-pinned-certificates`.
    package var mechanism: String { "alamofire-pinned-certificates" }

    /// Pins certificates.
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

    /// Pins there, anchors, chain, host, then one certificate of the chain is pinned.
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
        let name = "pinned certificates in the built chain"
        let chain = trust.builtChain()
        guard let match = chain.first(where: certificates.contains) else {
            let detail = PinMismatch.certificates(chain, certificates, in: "the built chain")
            return builder.reject(name, .pinMismatch, detail)
        }
        builder.pass(name, "\(match.title) is pinned")
        return nil
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
