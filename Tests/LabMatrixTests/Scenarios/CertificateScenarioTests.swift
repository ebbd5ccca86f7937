import Testing

@testable import PinholeLab

@Suite("Certificate scenarios against the client modes")
struct CertificateScenarioTests {
    /// Each row is a scenario of the catalogue against every mode, over the wire.
    private static let report = Task {
        let scenarios = ScenarioTable.rows.compactMap { row in Scenario.catalogue.first { $0.id == row.id } }
        return try await WholeMatrix.report(LabPolicy.modes, against: scenarios)
    }

    @Test("the modes that the table names refuse, the others go along", arguments: ScenarioTable.rows)
    func row(_ row: ScenarioTable.Row) async throws {
        let report = try await Self.report.value
        for mode in LabPolicy.modes {
            let cell = try #require(report.cell(mode.id, row.id), "\(row.id) is not in the catalogue")
            let expected: LabOutcome =
                switch (row.isAttack, row.refusedBy.contains(mode.id)) {
                case (true, true): .detected
                case (true, false): .missed
                case (false, true): .falseAlarm
                case (false, false): .accepted
                }
            #expect(cell.outcome == expected, "\(mode.id) \(row.id): \(cell.reason)")
        }
    }

    @Test("every row is conclusive, and every scenario of certificates has a row")
    func complete() async throws {
        let report = try await Self.report.value
        #expect(report.inconclusive.map { "\($0.policy) \($0.scenario): \($0.reason)" } == [])
        let ids = Scenario.catalogue.map(\.id).filter { $0.hasPrefix("A") || $0.hasPrefix("L") }
        #expect(Set(ids) == Set(ScenarioTable.rows.map(\.id)))
    }

    @Test("texts fit into the tables")
    func texts() {
        #expect(Set(Scenario.catalogue.map(\.id)).count == Scenario.catalogue.count)
        for scenario in Scenario.catalogue {
            #expect(scenario.title.count <= 45, "\(scenario.id): \(scenario.title)")
            for text in [scenario.title, scenario.presents, scenario.precondition, scenario.remedy] {
                #expect(!text.isEmpty && !text.hasSuffix("."), "\(scenario.id): \(text)")
                // They stand in tables of Markdown.
                #expect(!text.contains("|"), "\(scenario.id): \(text)")
            }
        }
    }

    @Test(
        "a host of two labels, and one of five, changes nothing",
        arguments: ["pinned.test", "a.b.c.d.test"]
    )
    func hosts(_ host: String) async throws {
        let names = Scenario.names + Scenario.changes
        let report = try await (try await PinningLab(host: host)).run(
            LabPolicy.modes,
            against: names,
            .inMemory
        )
        for cell in report.cells {
            let row = try #require(ScenarioTable.rows.first { $0.id == cell.scenario })
            let isRefused = cell.outcome == .detected || cell.outcome == .falseAlarm
            #expect(isRefused == row.refusedBy.contains(cell.policy), "\(cell.policy) \(cell.scenario)")
        }
    }
}
