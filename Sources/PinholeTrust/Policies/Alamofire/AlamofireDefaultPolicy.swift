/// Alamofire's `DefaultTrustEvaluator`: default validation, including the host name unless it is switched off.
package struct AlamofireDefaultPolicy: AlamofireEvaluator, Hashable {
    /// Whether the host name is checked.
    package var validateHost: Bool

    /// The name `alamofire-default`.
    package var mechanism: String { "alamofire-default" }

    /// Creates a policy.
    package init(validateHost: Bool = true) {
        self.validateHost = validateHost
    }

    /// Validates the host first, then the chain (ServerTrustEvaluation.swift).
    func evaluate(_ trust: inout SecTrustModel, _ builder: inout JudgementBuilder) -> Judgement? {
        trust.performHostValidation(&builder, isOn: validateHost)
            ?? trust.performDefaultValidation(&builder)
    }

    /// The finding about a host name that nothing checks.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        validateHost ? [] : [.hostNotChecked(at: "validateHost")]
    }
}
