/// A policy that judges as a type of Alamofire that conforms to `ServerTrustEvaluating` (docs/PINS.md#alamofire).
///
/// Evaluators share the SecTrust of a connection: the anchors that one sets stay set for the next of a
/// composite.
protocol AlamofireEvaluator: TrustPolicy {
    /// Evaluates; what it sets in `trust` stays set.
    ///
    /// - Parameters:
    ///   - trust: The connection's trust.
    ///   - builder: Gets the checks.
    /// - Returns: The rejection; `nil` when the evaluator throws nothing.
    func evaluate(_ trust: inout SecTrustModel, _ builder: inout JudgementBuilder) -> Judgement?
}

extension AlamofireEvaluator {
    /// Evaluates the trust of a new connection.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var trust = SecTrustModel(evidence, evaluator)
        var builder = JudgementBuilder()
        return evaluate(&trust, &builder) ?? builder.trust()
    }
}

extension SecTrustModel {
    /// `performDefaultValidation(forHost:)`: the SSL policy without a host.
    mutating func performDefaultValidation(_ builder: inout JudgementBuilder, isOn: Bool = true) -> Judgement?
    {
        let name = "default validation"
        guard isOn else {
            builder.skip(name, "performDefaultValidation is false")
            return nil
        }
        policy = .ssl(nil)
        let answer = evaluate()
        return builder.require(name, answer, to: question)
    }

    /// `performValidation(forHost:)`: the SSL policy for the host.
    mutating func performHostValidation(_ builder: inout JudgementBuilder, isOn: Bool) -> Judgement? {
        let name = "host validation"
        guard isOn else {
            builder.skip(name, "validateHost is false: the certificate of any host passes")
            return nil
        }
        policy = .ssl(evidence.host)
        let answer = evaluate()
        return builder.require(name, answer, to: question)
    }
}
