/// Alamofire's `RevocationTrustEvaluator`: validation, then the revocation policy.
package struct AlamofireRevocationPolicy: AlamofireEvaluator, Hashable {
    /// `RevocationTrustEvaluator.Options`.
    package struct Options: OptionSet, Hashable, Sendable {
        /// The bits of `kSecRevocation…`.
        package let rawValue: Int
        /// OCSP responses count.
        package static let ocsp = Options(rawValue: 1)
        /// Revocation lists count.
        package static let crl = Options(rawValue: 2)
        /// Lists are asked before responses.
        package static let preferCRL = Options(rawValue: 4)
        /// What is not known to be good fails.
        package static let requirePositiveResponse = Options(rawValue: 8)
        /// Nothing is fetched.
        package static let networkAccessDisabled = Options(rawValue: 16)
        /// Responses and lists count.
        package static let any: Options = [.ocsp, .crl]

        /// Wraps bits.
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Each option by its name in Alamofire.
        package static let names: [(name: String, option: Options)] = [
            ("any", .any), ("crl", .crl), ("ocsp", .ocsp), ("preferCRL", .preferCRL),
            ("requirePositiveResponse", .requirePositiveResponse),
            ("networkAccessDisabled", .networkAccessDisabled),
        ]
    }

    /// Whether default validation comes first.
    package var performDefaultValidation: Bool
    /// Whether the host's name is compared.
    package var validateHost: Bool
    /// What revocation means.
    package var options: Options

    /// `alamofire-revocation`.
    package var mechanism: String { "alamofire-revocation" }

    /// Creates it.
    package init(
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        options: Options = .any
    ) {
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
        self.options = options
    }

    /// Chain, host, revocation.
    func evaluate(_ trust: inout SecTrustModel, _ builder: inout JudgementBuilder) -> Judgement? {
        trust.performDefaultValidation(&builder, isOn: performDefaultValidation)
            ?? trust.performHostValidation(&builder, isOn: validateHost)
            ?? checkRevocation(&trust, &builder)
    }

    private func checkRevocation(
        _ trust: inout SecTrustModel,
        _ builder: inout JudgementBuilder
    ) -> Judgement? {
        // `SecTrustSetPolicies` with the revocation policy alone: it takes the place of the SSL policy.
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
