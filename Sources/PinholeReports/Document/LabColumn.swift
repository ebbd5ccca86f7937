package import PinholeLab

/// A scenario in a report.
package struct LabColumn: Sendable, Hashable, Codable {
    /// A short name that stays the same.
    package internal(set) var id = ""
    /// A short description of the scenario.
    package internal(set) var title = ""
    /// Attack or change.
    package internal(set) var kind = Scenario.Kind.attack
    /// The group of the scenario in the catalogue.
    package internal(set) var group = ""
    /// The outcome of a correct client.
    package internal(set) var expected = LabOutcome.detected
    /// The act of the attacker, or the change of the server.
    package internal(set) var presents = ""
    /// The means that the attacker needs.
    package internal(set) var precondition = ""
    /// The behaviour of a correct client.
    package internal(set) var correctClient = ""
    /// The check that catches the attack, or the measure that avoids the false alarm.
    package internal(set) var remedy = ""
    /// The sources that describe the scenario: CVEs, RFCs, tools, papers.
    package internal(set) var references: [String] = []
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
