@testable import PinholeLab

/// The tables of docs/SCENARIOS.md; the rules of the lab say which modes refuse.
enum ScenarioPage {
    static var blocks: [ReferenceBlock] {
        [
            block("attacks on certificates", "A", "detected by", .rejected),
            block("other attacks", "B", "missed by", .accepted),
            block("legitimate changes", "L", "false alarm by", .rejected),
        ]
    }

    private static func block(
        _ title: String,
        _ letter: String,
        _ column: String,
        _ decision: Observation.Decision
    ) -> ReferenceBlock {
        let rows = Scenario.catalogue.filter { $0.id.hasPrefix(letter) }.map { scenario in
            [
                scenario.id, "**\(scenario.title)**: \(scenario.presents)", scenario.correctClient,
                summary(LabPolicy.modes.filter { Self.decision(of: $0, in: scenario) == decision }.map(\.id)),
            ]
        }
        return ReferenceBlock(
            "SCENARIOS",
            title,
            Markdown.table(["id", "what", "correct client", column], rows)
        )
    }

    private static func decision(of mode: LabPolicy, in scenario: Scenario) -> Observation.Decision? {
        guard let facts = scenario.facts, let semantics = PolicySemantics.rows[mode.id] else { return nil }
        return Prediction(facts, semantics).decision
    }

    /// The names of modes, as short as possible.
    private static func summary(_ ids: [String]) -> String {
        let others = LabPolicy.modes.map(\.id).filter { !ids.contains($0) }
        if others.isEmpty { return "all" }
        if others.count == 1 { return "all but \(others[0])" }
        return ids.isEmpty ? "–" : ids.joined(separator: ", ")
    }
}
