import PinholeModel
import PinholeTrust

/// A policy that names a port: the lab's server, which listens on any free port, is judged as if it had that port.
struct RehousedPolicy: TrustPolicy {
    /// The wrapped policy.
    let policy: any TrustPolicy
    /// The port that it names.
    let port: UInt16
    private let actual: UInt16

    /// Judges the server at `actual` as if it were at `port`.
    init(_ policy: any TrustPolicy, at port: UInt16, insteadOf actual: UInt16) {
        self.policy = policy
        self.port = port
        self.actual = actual
    }

    /// The mechanism of the wrapped policy.
    var mechanism: String { policy.mechanism }
    /// Whether the wrapped policy is for delegates.
    var isForDelegates: Bool { policy.isForDelegates }

    /// Judges with the other port.
    func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var evidence = evidence
        if evidence.port == actual { evidence.port = port }
        return policy.judge(evidence, with: evaluator)
    }

    /// The refusal of the wrapped policy.
    func refusalOfCleartext(to host: Host) -> String? { policy.refusalOfCleartext(to: host) }

    /// The settings of the wrapped policy at its own port.
    func soundSettings(for authority: Authority) -> [Safeguards] {
        policy.soundSettings(for: Authority(host: authority.host, port: port))
    }

    /// The error of the wrapped policy.
    func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        policy.error(for: cause, at: host)
    }
}
