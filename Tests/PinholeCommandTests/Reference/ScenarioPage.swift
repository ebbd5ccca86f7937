import PinholeTestKit

@testable import PinholeLab

/// The tables of docs/SCENARIOS.md; the lab runs each client mode in each scenario that the TLS library can stage.
///
/// No mode refuses in the other scenarios, which the tests of a newer library confirm.
enum ScenarioPage {
    /// The modes by their outcome in each scenario, from one run.
    private static let run = Task {
        try await MatrixTurn.shared.run { try await PinningLab().run(LabPolicy.modes, .inMemory) }
    }

    static var blocks: [ReferenceBlock] {
        get async throws {
            let report = try await run.value
            return [
                block(report, "attacks on certificates", "A", "detected by", .detected),
                block(report, "other attacks", "B", "missed by", .missed),
                block(report, "legitimate changes", "L", "false alarm by", .falseAlarm),
            ]
        }
    }

    private static func block(
        _ report: LabReport,
        _ title: String,
        _ letter: String,
        _ column: String,
        _ outcome: LabOutcome
    ) -> ReferenceBlock {
        let rows = Scenario.every.filter { $0.id.hasPrefix(letter) }.map { scenario in
            [
                scenario.id, "**\(scenario.title)**: \(scenario.presents)", scenario.correctClient,
                summary(
                    LabPolicy.modes.map(\.id).filter { report.cell($0, scenario.id)?.outcome == outcome }
                ),
            ]
        }
        return ReferenceBlock(
            "SCENARIOS",
            title,
            Markdown.table(["id", "what", "correct client", column], rows)
        )
    }

    /// The names of modes, as short as possible.
    private static func summary(_ ids: [String]) -> String {
        let others = LabPolicy.modes.map(\.id).filter { !ids.contains($0) }
        if others.isEmpty { return "all" }
        if others.count == 1 { return "all but \(others[0])" }
        return ids.isEmpty ? "–" : ids.joined(separator: ", ")
    }
}
