import PinholeModel
import Testing

@testable import PinholeLab

/// What rows do is written down; here it is compared with what is read from their settings.
@Suite("The semantics of rows")
struct PolicySemanticsTests {
    @Test("the record of a row agrees with its settings", arguments: LabPolicy.builtIn.map(\.id))
    func settings(id: String) throws {
        let row = try LabPolicy.named(id)
        let target = LabPolicy.Target(world: try LabWorld(), authority: try Authority("api.pinned.test:8443"))
        let written = try #require(PolicySemantics.rows[row.id])
        guard case .known(let read) = row.settings(for: target) else {
            Issue.record("\(row.settings(for: target))")
            return
        }
        // Settings may say the same in another way: what counts is what follows in every scenario.
        for (scenario, facts) in ScenarioFacts.catalogue where !facts.isFirstContact {
            let wanted = Prediction(facts, written).decision
            #expect(
                Prediction(facts, read.client { $0 = written.client }).decision == wanted,
                "\(id) \(scenario)"
            )
        }
    }
}
