import PinholeModel
import PinholeTrust

/// A policy that refuses everything after a date, where others stop looking at their pins.
struct ExpiringPolicy: TrustPolicy {
    /// The policy.
    let policy: any TrustPolicy
    private let expiry: Timestamp

    /// Judges by `policy` until `expiry`.
    init(_ policy: any TrustPolicy, at expiry: Timestamp) {
        self.policy = policy
        self.expiry = expiry
    }

    /// The error of the wrapped policy.
    var mechanism: String { policy.mechanism }

    /// Refuses once the date is past.
    func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        guard expiry < evidence.time else { return policy.judge(evidence, with: evaluator) }
        let detail =
            "the pins expired on \(CalendarDate.text(expiry)): nothing is trusted until there are new ones"
        return Judgement(
            .rejected(Rejection(.noPins, detail)),
            checks: [Check("expiration", .failed, detail)]
        )
    }

    /// The error of the wrapped policy.
    func refusalOfCleartext(to host: Host) -> String? { policy.refusalOfCleartext(to: host) }

    /// The error of the wrapped policy.
    func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        policy.error(for: cause, at: host)
    }
}

extension ExpiringPolicy: PinningPolicy {
    /// The error of the wrapped policy.
    var scopes: [PolicyOutline.Scope] { policy.namedScopes }

    /// The same with other pins in the policy.
    func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy {
        ExpiringPolicy(policy.withPins(for: host, replace), at: expiry)
    }
}
