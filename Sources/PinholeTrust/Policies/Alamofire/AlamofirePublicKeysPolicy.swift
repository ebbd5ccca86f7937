/// Alamofire's `PublicKeysTrustEvaluator`, with the keys of certificates.
package struct AlamofirePublicKeysPolicy: AlamofireEvaluator, Hashable {
    /// The certificates whose keys are pinned.
    ///
    /// An empty list refuses every server.
    package var certificates: [CertificateFacts]
    /// Whether default validation is done first.
    package var performDefaultValidation: Bool
    /// Whether the host name is checked.
    package var validateHost: Bool

    /// The name `alamofire-public-keys`.
    package var mechanism: String { "alamofire-public-keys" }

    /// Creates a policy.
    package init(
        certificates: [CertificateFacts],
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        self.certificates = certificates
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    /// Checks that there are pins, validates chain and host, and then looks for a pinned key in the chain.
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

extension AlamofirePublicKeysPolicy {
    /// The certificates whose keys are pinned.
    package var pinLists: [PinList] {
        get { [PinList(certificates, at: "keys", comparison: .keys)] }
        set { certificates.take(newValue.first) }
    }

    /// The findings about an empty list and about validations that are left out.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        guard !certificates.isEmpty else {
            return [.emptyPins(at: "keys", "Alamofire refuses every server then.")]
        }
        return LintFinding.validations(performDefaultValidation, validateHost, certificates)
    }
}
