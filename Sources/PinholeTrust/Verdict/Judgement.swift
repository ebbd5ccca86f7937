/// A verdict, and the checks that led to it.
package struct Judgement: Hashable, Sendable {
    /// The verdict of the policy.
    package let verdict: Verdict
    /// The checks in the order in which the mechanism made them.
    package let checks: [Check]
    /// The path on which the decision is based; `nil` if the mechanism looked at none.
    package let path: ValidatedChain?

    /// Creates a judgement.
    package init(_ verdict: Verdict, checks: [Check], path: ValidatedChain? = nil) {
        self.verdict = verdict
        self.checks = checks
        self.path = path
    }
}

/// A check of a mechanism.
package struct Check: Hashable, Sendable, Encodable {
    /// The outcome of a check.
    package enum Outcome: String, Hashable, Sendable, CaseIterable, Encodable {
        /// The check passed.
        case passed
        /// The check failed.
        case failed
        /// The mechanism leaves the check out, by design or because of a setting; the detail says which.
        case skipped
    }

    /// The name of the check, in a few words: `chain to the system's anchors`.
    package var name: String
    /// The outcome of the check.
    package var outcome: Outcome
    /// The finding in a sentence.
    package var detail: String

    /// Creates a check.
    package init(_ name: String, _ outcome: Outcome, _ detail: String) {
        self.name = name
        self.outcome = outcome
        self.detail = detail
    }
}
