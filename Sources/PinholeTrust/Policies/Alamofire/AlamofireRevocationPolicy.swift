/// Alamofire's `RevocationTrustEvaluator`: validation, and then the revocation policy.
package struct AlamofireRevocationPolicy: AlamofireEvaluator, Hashable {
    /// The options of `RevocationTrustEvaluator.Options`.
    package struct Options: OptionSet, Hashable, Sendable {
        /// The bits of the `kSecRevocation…` constants.
        package let rawValue: Int
        /// OCSP responses are used.
        package static let ocsp = Options(rawValue: 1)
        /// Revocation lists are used.
        package static let crl = Options(rawValue: 2)
        /// Lists are asked before responses.
        package static let preferCRL = Options(rawValue: 4)
        /// A certificate of unknown status fails.
        package static let requirePositiveResponse = Options(rawValue: 8)
        /// Nothing is fetched from the network.
        package static let networkAccessDisabled = Options(rawValue: 16)
        /// Responses and lists are used.
        package static let any: Options = [.ocsp, .crl]

        /// Creates options from bits.
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The options with their names in Alamofire.
        package static let names: [(name: String, option: Options)] = [
            ("any", .any), ("crl", .crl), ("ocsp", .ocsp), ("preferCRL", .preferCRL),
            ("requirePositiveResponse", .requirePositiveResponse),
            ("networkAccessDisabled", .networkAccessDisabled),
        ]
    }

    /// Whether default validation is done first.
    package var performDefaultValidation: Bool
    /// Whether the host name is checked.
    package var validateHost: Bool
    /// The revocation options.
    package var options: Options

    /// The name `alamofire-revocation`.
    package var mechanism: String { "alamofire-revocation" }

    /// Creates a policy.
    package init(
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        options: Options = .any
    ) {
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
        self.options = options
    }

    /// Validates the chain, the host and the revocation status.
    func evaluate(_ trust: inout SecTrustModel, _ builder: inout JudgementBuilder) -> Judgement? {
        trust.performDefaultValidation(&builder, isOn: performDefaultValidation)
            ?? trust.performHostValidation(&builder, isOn: validateHost)
            ?? checkRevocation(&trust, &builder)
    }

    /// The finding about a host name that nothing checks.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        validateHost ? [] : [.hostNotChecked(at: "validateHost")]
    }

    private func checkRevocation(
        _ trust: inout SecTrustModel,
        _ builder: inout JudgementBuilder
    ) -> Judgement? {
        // `SecTrustSetPolicies` with only the revocation policy replaces the SSL policy.
        trust.policy = .basicX509
        trust.revocation = options.contains(.requirePositiveResponse) ? .required : .knownOnly
        trust.usesStaples = options.contains(.ocsp)
        trust.usesLists = options.contains(.crl)
        trust.prefersLists = options.contains(.preferCRL)
        defer {
            trust.revocation = .ignored
            trust.usesStaples = true
            trust.usesLists = true
            trust.prefersLists = false
        }
        let answer = trust.evaluate()
        let known = trust.usesStaples && trust.question.stapledResponse != nil
        let lists = trust.question.revocationLists.count
        let facts =
            "\(known ? "a stapled OCSP response" : "no OCSP response"), "
            + ChainText.count(lists, "revocation list")
        return builder.require("revocation (\(facts))", answer, to: trust.question)
    }
}
