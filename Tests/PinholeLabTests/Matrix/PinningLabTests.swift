import Testing

@testable import PinholeLab

@Suite("The pinning lab")
struct PinningLabTests {
    @Test("the modes against the first scenarios")
    func modes() async throws {
        let report = try await PinningLab().run(LabPolicy.modes, against: SampleRun.scenarios, .patient)
        #expect(report.inconclusive.isEmpty)
        #expect(report.cell("SYS", "A01")?.outcome == .detected)
        #expect(report.cell("SYS", "A02")?.outcome == .missed)
        #expect(report.cell("SL", "A02")?.outcome == .detected)
        #expect(report.cell("LC", "L02")?.outcome == .falseAlarm)
    }
}
