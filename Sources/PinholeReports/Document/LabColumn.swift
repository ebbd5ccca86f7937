package import PinholeLab

/// A scenario in a report.
package struct LabColumn: Sendable, Hashable {
    /// A short name that stays the same.
    package let id: String
    /// A short description of the scenario.
    package let title: String
    /// Attack or change.
    package let kind: Scenario.Kind
    /// The group of the scenario in the catalogue.
    package let group: String
    /// The outcome of a correct client.
    package let expected: LabOutcome
    /// The act of the attacker, or the change of the server.
    package let presents: String
    /// The means that the attacker needs.
    package let precondition: String
    /// The behaviour of a correct client.
    package let correctClient: String
    /// The check that catches the attack, or the measure that avoids the false alarm.
    package let remedy: String
    /// The sources that describe the scenario: CVEs, RFCs, tools, papers.
    package let references: [String]
}

extension LabColumn {
    /// Takes from a scenario the facts that reports contain.
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
