/// A verdict, and how it came about.
package struct Judgement: Hashable, Sendable {
    /// The verdict.
    package let verdict: Verdict
    /// The checks in the order in which the mechanism made them.
    package let checks: [Check]
    /// The path that the decision rests on; `nil` where the mechanism looked at none.
    package let path: ValidatedChain?

    /// Creates a judgement.
    package init(_ verdict: Verdict, checks: [Check], path: ValidatedChain? = nil) {
        self.verdict = verdict
        self.checks = checks
        self.path = path
    }
}

/// One step of a mechanism.
package struct Check: Hashable, Sendable {
    /// How it ended.
    package enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// It was made and passed.
        case passed
        /// It was made and failed.
        case failed
        /// The mechanism leaves it out, by its nature or by a setting; the detail says which.
        case skipped
    }

    /// What is checked, in a few words: `chain to the system's anchors`.
    package let name: String
    /// How it ended.
    package let outcome: Outcome
    /// What was found, in a sentence.
    package let detail: String

    /// Creates a check.
    package init(_ name: String, _ outcome: Outcome, _ detail: String) {
        self.name = name
        self.outcome = outcome
        self.detail = detail
    }
}
