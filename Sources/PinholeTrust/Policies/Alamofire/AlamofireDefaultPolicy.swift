/// Alamofire's `DefaultTrustEvaluator`: default validation, the host's name included unless told otherwise.
package struct AlamofireDefaultPolicy: AlamofireEvaluator, Hashable {
    /// Whether the host's name is compared.
    package var validateHost: Bool

    /// `alamofire-default`.
    package var mechanism: String { "alamofire-default" }

    /// Creates it.
    package init(validateHost: Bool = true) {
        self.validateHost = validateHost
    }

    /// The host first, then the chain (ServerTrustEvaluation.swift).
    func evaluate(_ trust: inout SecTrustModel, _ builder: inout JudgementBuilder) -> Judgement? {
        trust.performHostValidation(&builder, isOn: validateHost)
            ?? trust.performDefaultValidation(&builder)
    }
}
