import Testing

@testable import PinholeLab

@Suite("The pinning lab")
struct PinningLabTests {
    @Test("the modes against the first scenarios")
    func modes() async throws {
        let scenarios = Scenario.catalogue.filter {
            ["A01", "A02", "A04", "A09", "A28", "B07", "L02", "L03"].contains($0.id)
        }
        let report = try await PinningLab().run(LabPolicy.modes, against: scenarios, .patient)
        #expect(report.inconclusive.isEmpty)
        #expect(report.cell("SYS", "A01")?.outcome == .detected)
        #expect(report.cell("SYS", "A02")?.outcome == .missed)
        #expect(report.cell("SL", "A02")?.outcome == .detected)
        #expect(report.cell("LC", "L02")?.outcome == .falseAlarm)
    }
}
