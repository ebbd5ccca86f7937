package import PinholeModel

/// Trusts when every policy that has something to say trusts.
package struct AllPolicy: TrustPolicy {
    /// The policies, in the order in which they judge; the first that rejects decides.
    package var policies: [any TrustPolicy]

    /// `all`.
    package var mechanism: String { "all" }

    /// Combines policies.
    package init(of policies: [any TrustPolicy]) {
        self.policies = policies
    }

    /// What the first policy says that refuses it.
    package func refusalOfCleartext(to host: Host) -> String? {
        policies.lazy.compactMap { $0.refusalOfCleartext(to: host) }.first
    }

    /// Asks each policy in turn.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        guard !policies.isEmpty else {
            return judgement.reject("policies", .contradictorySettings, "“all” combines no policy")
        }
        var silent: [String] = []
        for (index, policy) in policies.enumerated() {
            let part = policy.judge(evidence, with: evaluator)
            judgement.adopt(part, of: policy.mechanism)
            switch part.verdict {
            case .trusted: continue
            case .notApplicable(let why): silent.append("\(policy.mechanism): \(why)")
            case .rejected(let rejection):
                for rest in policies[(index + 1)...] {
                    judgement.skip(rest.mechanism, "\(policy.mechanism) has rejected already")
                }
                return judgement.reject(
                    Rejection(rejection.reason, "\(policy.mechanism): \(rejection.detail)")
                )
            }
        }
        guard silent.count < policies.count else { return judgement.leave(silent.joined(separator: "; ")) }
        return judgement.trust()
    }

    /// The error of the first policy that has errors of its own.
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        policies.lazy.compactMap { $0.error(for: cause, at: host) }.first
    }
}
