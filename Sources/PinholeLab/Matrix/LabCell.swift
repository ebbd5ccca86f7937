/// A cell of the matrix: the outcome of one policy in one scenario, and the reason.
public struct LabCell: Sendable {
    /// The policy's ``LabPolicy/id``.
    public let policy: String
    /// The scenario's ``Scenario/id``.
    public let scenario: String
    /// The outcome of a correct client.
    public let expected: LabOutcome
    /// The outcome of this policy.
    public let outcome: LabOutcome
    /// The reason for the outcome, in a sentence; for a miss also the check that would have caught it.
    public let reason: String
    /// The grade of the cell, by the settings that the policy's mechanism offers.
    public internal(set) var grade = LabGrade.must
    /// The observations of each run; several if the scenario was repeated.
    package let observations: [Observation]

    /// Creates a cell of a row in a scenario.
    init(
        _ policy: String,
        _ scenario: Scenario,
        _ outcome: LabOutcome,
        _ reason: String,
        _ observations: [Observation] = []
    ) {
        self.policy = policy
        self.scenario = scenario.id
        expected = scenario.expected
        self.outcome = outcome
        self.reason = reason
        self.observations = observations
    }

    /// Whether the outcome is that of a correct client.
    public var isAsExpected: Bool { outcome == expected }

    /// Whether an attack went through that a correct client notices, or a legitimate change was refused.
    public var isFault: Bool { !isAsExpected && outcome != .inconclusive }
}
