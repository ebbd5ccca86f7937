import PinholeModel
import PinholeTrust

/// A policy that refuses everything after a date, at which other policies ignore their pins.
struct ExpiringPolicy: TrustPolicy {
    /// The policy until the date.
    var policy: any TrustPolicy
    private let expiry: Timestamp

    /// Judges by `policy` until `expiry`.
    init(_ policy: any TrustPolicy, at expiry: Timestamp) {
        self.policy = policy
        self.expiry = expiry
    }

    /// The mechanism of the wrapped policy.
    var mechanism: String { policy.mechanism }
    /// Whether the wrapped policy is for delegates.
    var isForDelegates: Bool { policy.isForDelegates }

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

    /// The refusal of the wrapped policy.
    func refusalOfCleartext(to host: Host) -> String? { policy.refusalOfCleartext(to: host) }

    /// The error of the wrapped policy.
    func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        policy.error(for: cause, at: host)
    }
}

extension ExpiringPolicy {
    /// The lists of the wrapped policy.
    var pinLists: [PinList] {
        get { policy.pinLists }
        set { policy.pinLists = newValue }
    }

    /// The hosts of the wrapped policy.
    var scopes: [HostScope] { policy.scopes }

    /// The settings of the wrapped policy.
    func soundSettings(for authority: Authority) -> [Safeguards] { policy.soundSettings(for: authority) }
}
