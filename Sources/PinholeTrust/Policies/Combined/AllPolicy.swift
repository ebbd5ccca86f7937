package import PinholeModel

/// Trusts if every policy with a verdict trusts.
package struct AllPolicy: CombinedPolicy {
    /// The policies, in the order of judgement.
    ///
    /// The first one that rejects decides.
    package var policies: [any TrustPolicy]

    /// The name `all`.
    package var mechanism: String { "all" }

    /// Creates a combination.
    package init(of policies: [any TrustPolicy]) {
        self.policies = policies
    }

    /// The refusal of the first policy that refuses plain http.
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

    /// The error of the first policy with its own errors.
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        policies.lazy.compactMap { $0.error(for: cause, at: host) }.first
    }
}

extension AllPolicy {
    /// All combinations of the policies' settings, since every policy has to accept.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        guard let first = policies.first else { return .anyMechanism }
        return policies.dropFirst().reduce(first.soundSettings(for: authority, by: chosen)) {
            settings,
            policy in
            policy.soundSettings(for: authority, by: chosen).flatMap { settings.adding($0) }
        }
    }
}
