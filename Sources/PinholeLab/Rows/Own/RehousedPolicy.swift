import PinholeModel
import PinholeTrust

/// A policy that names a port: the lab's server, which listens on any free port, is judged as if it had that port.
struct RehousedPolicy: PolicyWrapper {
    /// The wrapped policy.
    var policy: any TrustPolicy
    /// The port that it names.
    let port: UInt16
    private let actual: UInt16

    /// Judges the server at `actual` as if it were at `port`.
    init(_ policy: any TrustPolicy, at port: UInt16, insteadOf actual: UInt16) {
        self.policy = policy
        self.port = port
        self.actual = actual
    }

    /// Judges with the other port.
    func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var evidence = evidence
        if evidence.port == actual { evidence.port = port }
        return policy.judge(evidence, with: evaluator)
    }

    /// The default handling of the wrapped policy at its own port.
    func defaultHandling(of authority: Authority) -> any TrustPolicy {
        policy.defaultHandling(of: Authority(host: authority.host, port: port))
    }

    /// The settings of the wrapped policy at its own port.
    func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        policy.soundSettings(for: Authority(host: authority.host, port: port), by: chosen)
    }
}
