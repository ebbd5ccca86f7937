/// Alamofire's `PublicKeysTrustEvaluator`; its keys are those of certificates.
package struct AlamofirePublicKeysPolicy: AlamofireEvaluator, Hashable {
    /// The certificates whose keys are pinned; none refuses every peer.
    package var certificates: [CertificateFacts]
    /// Whether default validation comes first.
    package var performDefaultValidation: Bool
    /// Whether the host's name is compared.
    package var validateHost: Bool

    /// `alamofire-public-keys`.
    package var mechanism: String { "alamofire-public-keys" }

    /// Pins keys.
    package init(
        certificates: [CertificateFacts],
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        self.certificates = certificates
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    /// Pins there, chain, host, then one key of the chain is pinned.
    func evaluate(_ trust: inout SecTrustModel, _ builder: inout JudgementBuilder) -> Judgement? {
        guard !certificates.isEmpty else {
            return builder.reject("keys", .noPins, "no key is pinned (.noPublicKeysFound)")
        }
        if let rejection = trust.performDefaultValidation(&builder, isOn: performDefaultValidation)
            ?? trust.performHostValidation(&builder, isOn: validateHost)
        {
            return rejection
        }
        let name = "pinned keys in the built chain"
        let chain = trust.builtChain()
        let keys = Set(certificates.map(\.key))
        guard let match = chain.first(where: { keys.contains($0.key) }) else {
            let detail = PinMismatch.keys(chain, certificates, in: "the built chain")
            return builder.reject(name, .pinMismatch, detail)
        }
        builder.pass(name, "the key of \(match.title) is pinned")
        return nil
    }
}
