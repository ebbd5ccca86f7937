/// One policy in one scenario: what came of it, and why.
public struct LabCell: Sendable {
    /// The policy's ``LabPolicy/id``.
    public let policy: String
    /// The scenario's ``Scenario/id``.
    public let scenario: String
    /// What a correct client's cell says.
    public let expected: LabOutcome
    /// What this one says.
    public let outcome: LabOutcome
    /// Why, in a sentence; for a miss also what would have caught it.
    public let reason: String
    /// The verdict that the rules of docs/LAB.md predict; `nil` if they predict none.
    public internal(set) var predicted: LabOutcome?
    /// The rule that tells.
    package internal(set) var rule: PredictionRule?
    /// The grade of the cell, by the settings that the policy's mechanism offers.
    public internal(set) var grade = LabGrade.must
    /// What was seen; the observations of each run where a scenario was repeated.
    package let observations: [Observation]

    /// Creates a cell.
    package init(
        policy: String,
        scenario: String,
        expected: LabOutcome,
        outcome: LabOutcome,
        reason: String,
        observations: [Observation]
    ) {
        self.policy = policy
        self.scenario = scenario
        self.expected = expected
        self.outcome = outcome
        self.reason = reason
        self.observations = observations
    }

    /// Whether it is what a correct client's cell says.
    public var isAsExpected: Bool { outcome == expected }

    /// Whether an attack went through that a correct client notices, or a legitimate change was refused.
    public var isFault: Bool { !isAsExpected && outcome != .inconclusive }

    /// Whether it says otherwise than the rules: a defect of the lab, not of the policy.
    public var isContradiction: Bool {
        predicted.map { outcome != .inconclusive && outcome != $0 } ?? false
    }
}
