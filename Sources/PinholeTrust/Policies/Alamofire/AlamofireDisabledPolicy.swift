/// Alamofire's `DisabledTrustEvaluator`, which accepts everything.
package struct AlamofireDisabledPolicy: AlamofireEvaluator, Hashable {
    /// The name `alamofire-disabled`.
    package var mechanism: String { "alamofire-disabled" }

    /// Creates a policy, which has no settings.
    package init() {}

    /// Accepts without any check.
    func evaluate(_ trust: inout SecTrustModel, _ builder: inout JudgementBuilder) -> Judgement? {
        builder.skip("everything", "DisabledTrustEvaluator checks nothing: any certificate passes")
        return nil
    }
}

extension AlamofireDisabledPolicy {
    /// The finding that every certificate is accepted.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        [.acceptsEverything(at: "", "DisabledTrustEvaluator accepts every certificate.")]
    }
}
