/// A scenario as a report tells it.
package struct LabColumn: Sendable, Hashable {
    /// A short name that stays the same.
    package let id: String
    /// What it is, in a few words.
    package let title: String
    /// Attack or change.
    package let kind: Scenario.Kind
    /// What it is listed under.
    package let group: String
    /// What a correct client's cell says.
    package let expected: LabOutcome
    /// What the attacker does or presents, or how the server is different.
    package let presents: String
    /// What the attacker needs for it.
    package let precondition: String
    /// What a correct client does.
    package let correctClient: String
    /// What catches the attack, or what avoids the false alarm.
    package let remedy: String
    /// Where it is known from.
    package let references: [String]
}

extension LabColumn {
    /// Takes over what reports tell of a scenario.
    package init(_ scenario: Scenario) {
        id = scenario.id
        title = scenario.title
        kind = scenario.kind
        group = scenario.group.rawValue
        expected = scenario.expected
        presents = scenario.presents
        precondition = scenario.precondition
        correctClient = scenario.correctClient
        remedy = scenario.remedy
        references = scenario.references
    }
}
