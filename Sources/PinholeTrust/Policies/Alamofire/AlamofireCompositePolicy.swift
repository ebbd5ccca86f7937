/// Alamofire's `CompositeTrustEvaluator`: all of its evaluators must pass.
///
/// The evaluators share one SecTrust. After `PinnedCertificates` with `acceptSelfSignedCertificates` has set
/// its anchors, the later evaluators use these anchors, too.
package struct AlamofireCompositePolicy: AlamofireEvaluator {
    /// The evaluators, in the order of evaluation.
    ///
    /// The first one that throws decides.
    var evaluators: [any AlamofireEvaluator]

    /// The name `alamofire-composite`.
    package var mechanism: String { "alamofire-composite" }

    /// Combines evaluators.
    ///
    /// - Parameter policies: Alamofire's evaluators. Other mechanisms may have no verdict, but an evaluator
    ///   either throws or lets the connection pass.
    /// - Throws: ``PolicyFailure`` for a policy of another mechanism.
    package init(evaluators policies: [any TrustPolicy]) throws(PolicyFailure) {
        var evaluators: [any AlamofireEvaluator] = []
        for (index, policy) in policies.enumerated() {
            guard !(policy is VerifiedPolicy) else {
                throw PolicyFailure(
                    "[\(index)]: expected no “verifier”, since the evaluators share one SecTrust: write it beside"
                        + " “alamofire-composite”"
                )
            }
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

    /// Asks each evaluator in turn.
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

extension AlamofireCompositePolicy {
    /// The pin lists of the evaluators.
    package var pinLists: [PinList] {
        get { (evaluators as [any TrustPolicy]).pinLists(under: "evaluators") }
        set {
            var policies: [any TrustPolicy] = evaluators
            policies.take(newValue)
            evaluators = policies.compactMap { $0 as? any AlamofireEvaluator }
        }
    }

    /// The findings about the evaluators.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        (evaluators as [any TrustPolicy]).findings(in: lint, under: "evaluators")
    }
}
