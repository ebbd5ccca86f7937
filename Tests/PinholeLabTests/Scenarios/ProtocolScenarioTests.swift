import Testing

@testable import PinholeLab

@Suite("Scenarios of TLS, HTTP and the app")
struct ProtocolScenarioTests {
    @Test("dump")
    func dump() async throws {
        let scenarios = Scenario.catalogue.filter { $0.id.hasPrefix("B") }
        let rows = LabPolicy.modes + [
            SpecialRows.resumesUnsafely, SpecialRows.oldTLS, SpecialRows.anonymous, SpecialRows.cleartext,
            SpecialRows.followsDowngrade, SpecialRows.secureOnly, SpecialRows.asked, SpecialRows.bound,
            SpecialRows.firstUse, SpecialRows.strictFirstUse, SpecialRows.answersAll, SpecialRows.pooled, SpecialRows.searches,
        ]
        let report = try await PinningLab().run(rows, against: scenarios)
        for scenario in scenarios {
            print("==", scenario.id, scenario.title)
            for row in rows {
                let cell = try #require(report.cell(row.id, scenario.id))
                print("   \(row.id): \(cell.outcome.title): \(cell.reason) \(cell.observations.first?.wire.alert.map { "\($0)" } ?? "")")
            }
        }
        print("took", report.duration)
    }
}
