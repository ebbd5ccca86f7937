import PinholeCrypto
import PinholeLock
import PinholeModel
package import PinholeTrust

/// The server's chain with everything that is needed to evaluate it: Apple's `SecTrust`.
///
/// What a delegate evaluates is noted, so that the story of a fetch can tell what the delegate saw.
package final class ServerTrust: Sendable {
    /// One evaluation.
    struct Evaluation: Sendable {
        let mechanism: String
        let judgement: Judgement
        /// Other valid paths than the one that the judgement rests on.
        let otherPaths: PathSet
        /// What the policy has to report; `nil` for nothing.
        let report: PinReport?
    }

    /// The facts.
    package let evidence: Evidence
    /// Builds and verifies paths.
    package let evaluator: any ChainEvaluator
    private let evaluated = Lock<[Evaluation]>([])

    /// Creates a trust that nobody has evaluated.
    package init(evidence: Evidence, evaluator: any ChainEvaluator) {
        self.evidence = evidence
        self.evaluator = evaluator
    }

    /// Judges by `policy`.
    package func evaluate(_ policy: any TrustPolicy) -> Judgement {
        let evaluation = evaluation(by: policy)
        evaluated.withLock { $0.append(evaluation) }
        return evaluation.judgement
    }

    /// Judges by `policy`, unnoted.
    func evaluation(by policy: any TrustPolicy) -> Evaluation {
        let inquiry = ChainInquiry(evaluator)
        let judgement = policy.judge(evidence, with: inquiry)
        let policy = policyOfHost(policy)
        return Evaluation(
            mechanism: policy.mechanism,
            judgement: judgement,
            otherPaths: inquiry.otherPaths(),
            report: (policy as? any ReportingPolicy)?.report(evidence, judgement)
        )
    }

    /// Of a policy for each host, that of the host: which error an app sees depends on it, and what is reported.
    private func policyOfHost(_ policy: any TrustPolicy) -> any TrustPolicy {
        guard let hosts = policy as? HostPolicies, let host = evidence.host else { return policy }
        return hosts.policy(for: Authority(host: host, port: evidence.port)) ?? policy
    }

    /// What was evaluated since the last call.
    func takeEvaluations() -> [Evaluation] {
        evaluated.withLock { evaluated in
            defer { evaluated = [] }
            return evaluated
        }
    }
}
