import PinholeModel
import PinholeTrust

/// A policy that refuses everything after a date, at which other policies ignore their pins.
struct ExpiringPolicy: PolicyWrapper {
    /// The policy until the date.
    var policy: any TrustPolicy
    private let expiry: Timestamp

    /// Judges by `policy` until `expiry`.
    init(_ policy: any TrustPolicy, at expiry: Timestamp) {
        self.policy = policy
        self.expiry = expiry
    }

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
}
