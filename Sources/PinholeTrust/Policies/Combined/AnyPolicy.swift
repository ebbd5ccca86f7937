package import PinholeModel

/// Trusts if one policy trusts.
package struct AnyPolicy: CombinedPolicy {
    /// The policies, in the order of judgement.
    ///
    /// The first one that trusts decides.
    package var policies: [any TrustPolicy]

    /// The name `any`.
    package var mechanism: String { "any" }

    /// Creates a combination.
    package init(of policies: [any TrustPolicy]) {
        self.policies = policies
    }

    /// The refusal of the first policy, if all policies refuse plain http.
    package func refusalOfCleartext(to host: Host) -> String? {
        let refusals = policies.compactMap { $0.refusalOfCleartext(to: host) }
        return refusals.count == policies.count ? refusals.first : nil
    }

    /// Asks each policy in turn.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        guard !policies.isEmpty else {
            return judgement.reject("policies", .contradictorySettings, "“any” combines no policy")
        }
        var refusals: [String] = []
        var silent: [String] = []
        for (index, policy) in policies.enumerated() {
            let part = policy.judge(evidence, with: evaluator)
            judgement.adopt(part, of: policy.mechanism)
            switch part.verdict {
            case .trusted:
                for rest in policies[(index + 1)...] {
                    judgement.skip(rest.mechanism, "\(policy.mechanism) trusts already")
                }
                return judgement.trust()
            case .notApplicable(let why): silent.append("\(policy.mechanism): \(why)")
            case .rejected(let rejection): refusals.append("\(policy.mechanism): \(rejection.detail)")
            }
        }
        guard !refusals.isEmpty else { return judgement.leave(silent.joined(separator: "; ")) }
        return judgement.reject(Rejection(.noneOf, refusals.joined(separator: "; ")))
    }
}
