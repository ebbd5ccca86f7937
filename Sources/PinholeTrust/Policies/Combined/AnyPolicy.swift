package import PinholeModel

/// Trusts when one policy trusts.
package struct AnyPolicy: TrustPolicy {
    /// The policies, in the order in which they judge; the first that trusts decides.
    package var policies: [any TrustPolicy]

    /// `any`.
    package var mechanism: String { "any" }

    /// Combines policies.
    package init(of policies: [any TrustPolicy]) {
        self.policies = policies
    }

    /// What the first policy says, where all refuse it.
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
