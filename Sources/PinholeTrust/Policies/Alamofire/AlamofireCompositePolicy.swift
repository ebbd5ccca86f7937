/// Alamofire's `CompositeTrustEvaluator`: all of its evaluators must pass.
///
/// They share one SecTrust: after `PinnedCertificates` with `acceptSelfSignedCertificates` has set its
/// anchors, the evaluators behind it evaluate against these, too.
package struct AlamofireCompositePolicy: AlamofireEvaluator {
    /// The evaluators, in the order in which they evaluate; the first that throws decides.
    var evaluators: [any AlamofireEvaluator]

    /// `alamofire-composite`.
    package var mechanism: String { "alamofire-composite" }

    /// Combines evaluators.
    ///
    /// - Parameter policies: Alamofire's evaluators. Other mechanisms may leave a connection to nobody, which an
    ///   evaluator cannot: it throws, or the connection passes.
    /// - Throws: ``PolicyFailure`` for a policy that is none of Alamofire's.
    package init(evaluators policies: [any TrustPolicy]) throws(PolicyFailure) {
        var evaluators: [any AlamofireEvaluator] = []
        for (index, policy) in policies.enumerated() {
            guard let evaluator = policy as? any AlamofireEvaluator else {
                throw PolicyFailure(
                    "[\(index)]: expected one of Alamofire's evaluators (alamofire-…), found “\(policy.mechanism)”;"
                        + " combine other mechanisms with “all”"
                )
            }
            evaluators.append(evaluator)
        }
        self.evaluators = evaluators
    }

    /// Asks each in turn.
    func evaluate(_ trust: inout SecTrustModel, _ builder: inout JudgementBuilder) -> Judgement? {
        if evaluators.isEmpty {
            builder.skip("evaluators", "the composite is empty: any certificate passes")
        }
        for (index, policy) in evaluators.enumerated() {
            var part = JudgementBuilder()
            let judgement = policy.evaluate(&trust, &part) ?? part.trust()
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
