import PinholeCrypto
import PinholeLock
import PinholeModel
package import PinholeTrust

/// The server's chain with everything that its evaluation needs: Apple's `SecTrust`.
///
/// A trust remembers each evaluation by a delegate, so that the story of a fetch can tell what the delegate saw.
package final class ServerTrust: Sendable {
    /// An evaluation of the chain by one policy.
    struct Evaluation: Sendable {
        let mechanism: String
        let judgement: Judgement
        /// The other valid paths, beside that of the judgement.
        let otherPaths: PathSet
        /// The report that the policy asks for; `nil` if it asks for none.
        let report: PinReport?
    }

    /// The facts about the server that policies judge.
    package let evidence: Evidence
    /// Builds and verifies paths.
    package let evaluator: any ChainEvaluator
    private let evaluated = Lock<[Evaluation]>([])

    /// Creates a trust that has not been evaluated.
    package init(evidence: Evidence, evaluator: any ChainEvaluator) {
        self.evidence = evidence
        self.evaluator = evaluator
    }

    /// Judges by `policy`, and remembers the evaluation.
    package func evaluate(_ policy: any TrustPolicy) -> Judgement {
        let evaluation = evaluation(by: policy)
        evaluated.withLock { $0.append(evaluation) }
        return evaluation.judgement
    }

    /// Judges by `policy`, without remembering the evaluation.
    func evaluation(by policy: any TrustPolicy) -> Evaluation {
        let inquiry = ChainInquiry(evaluator)
        let judgement = policy.judge(evidence, with: inquiry)
        let policy = policyOfHost(policy)
        return Evaluation(
            mechanism: policy.mechanism,
            judgement: judgement,
            otherPaths: inquiry.otherPaths(),
            report: policy.report(evidence, judgement)
        )
    }

    /// Returns the policy for the host, on which the error that an app sees and the report depend.
    private func policyOfHost(_ policy: any TrustPolicy) -> any TrustPolicy {
        guard let hosts = policy as? HostPolicies, let host = evidence.host else { return policy }
        return hosts.policy(for: Authority(host: host, port: evidence.port)) ?? policy
    }

    /// Takes the evaluations since the last call.
    func takeEvaluations() -> [Evaluation] {
        evaluated.withLock { evaluated in
            defer { evaluated = [] }
            return evaluated
        }
    }
}
