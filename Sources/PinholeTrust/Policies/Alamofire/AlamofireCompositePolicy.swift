/// Alamofire's `CompositeTrustEvaluator`: all of its evaluators must pass.
///
/// They share one SecTrust: after `PinnedCertificates` with `acceptSelfSignedCertificates` has set its
/// anchors, the evaluators behind it evaluate against these, too.
package struct AlamofireCompositePolicy: AlamofireEvaluator {
    /// The evaluators, in the order in which they evaluate; the first that throws decides.
    package var evaluators: [any TrustPolicy]

    /// `alamofire-composite`.
    package var mechanism: String { "alamofire-composite" }

    /// Combines evaluators.
    package init(evaluators: [any TrustPolicy]) {
        self.evaluators = evaluators
    }

    /// Asks each in turn.
    func evaluate(_ trust: inout SecTrustModel, _ builder: inout JudgementBuilder) -> Judgement? {
        if evaluators.isEmpty {
            builder.skip("evaluators", "the composite is empty: any certificate passes")
        }
        for (index, policy) in evaluators.enumerated() {
            var part = JudgementBuilder()
            let judgement: Judgement
            if let evaluator = policy as? any AlamofireEvaluator {
                judgement = evaluator.evaluate(&trust, &part) ?? part.trust()
            } else {
                judgement = policy.judge(trust.evidence, with: trust.evaluator)
            }
            builder.adopt(judgement, of: policy.mechanism)
            guard case .rejected(let rejection) = judgement.verdict else { continue }
            for rest in evaluators[(index + 1)...] {
                builder.skip(rest.mechanism, "\(policy.mechanism) has thrown already")
            }
            return builder.reject(Rejection(rejection.reason, "\(policy.mechanism): \(rejection.detail)"))
        }
        return nil
    }
}
