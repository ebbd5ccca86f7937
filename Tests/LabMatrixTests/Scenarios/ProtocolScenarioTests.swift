import PinholeModel
import Testing

@testable import PinholeLab

@Suite("Scenarios of TLS, HTTP, the app and the policy")
struct ProtocolScenarioTests {
    private static let scenarios = Scenario.catalogue.filter { $0.id.hasPrefix("B") }

    /// The run over the wire; each row of tests reads its cells.
    private static let report = Task {
        try await WholeMatrix.report(LabPolicy.modes + SpecialRows.all, against: scenarios)
    }

    /// The modes that miss; all others detect.
    private static let missed: [(id: String, modes: String)] = [
        ("B01", ""),
        ("B02", ""),
        ("B03", ""),
        ("B04", ""),
        ("B05", ""),
        ("B06", ""),
        ("B07", "AA"),
        ("B08", "AA"),
        ("B09", "SYS AA"),
        ("B10", ""),
        ("B11", "SYS AA"),
        ("B12", ""),
        ("B13", "SYS AO LC CC SL SC PB NV NVC NH AA"),
        ("B14", "SYS AO LC CC SL SC PB NV NVC NH AA"),
        ("B15", "SYS AA"),
        ("B16", ""),
        ("B17", ""),
        ("B18", ""),
        ("B19", "AA"),
        ("B20", "AA"),
        ("B21", "SYS AA"),
        ("B22", ""),
        ("B23", "SYS AA"),
        ("B24", "NVC AA"),
        ("B25", "SYS AO LC CC SL SC PB NV NVC NH AA"),
        ("B26", "SYS AO CC SL SC PB NV NVC NH AA"),
        ("B27", "AA"),
        ("B28", "SYS AA"),
        ("B29", ""),
        ("B30", "NVC NH AA"),
        ("B31", "SYS AA"),
        ("B32", "SYS AA"),
        ("B33", "SYS AA"),
        ("B34", "SYS AA"),
        ("B35", ""),
        ("B36", "SYS AA"),
        ("B37", ""),
        ("B38", "SYS AA"),
        ("B39", "NVC AA"),
        ("B40", "NVC AA"),
        ("B41", "NVC AA"),
        ("B42", "NVC AA"),
        ("B43", "NVC AA"),
    ]

    @Test("the modes that the table names miss, the others detect", arguments: missed.map(\.id))
    func modes(id: String) async throws {
        let report = try await Self.report.value
        let row = try #require(Self.missed.first { $0.id == id })
        let missing = row.modes.split(separator: " ").map(String.init)
        for mode in LabPolicy.modes {
            let cell = try #require(report.cell(mode.id, id), "\(id) is not in the catalogue")
            let expected: LabOutcome = missing.contains(mode.id) ? .missed : .detected
            #expect(cell.outcome == expected, "\(mode.id) \(id): \(cell.reason)")
        }
    }

    @Test("every scenario has a row, and every cell is conclusive")
    func complete() async throws {
        #expect(Self.scenarios.map(\.id) == Self.missed.map(\.id))
        let report = try await Self.report.value
        #expect(report.inconclusive.map { "\($0.policy) \($0.scenario): \($0.reason)" } == [])
    }

    @Test(
        "a client with one weaker check misses the attacks on that check, and no others of their kind",
        arguments: [
            ("resume-unsafe", "B07"), ("tls10", "B03"), ("anonymous", "B02"), ("null-cipher", "B05"),
            ("http-redirect", "B12"), ("answers-all", "B16"), ("answers-all", "B18"), ("tofu", "B19"),
            ("pooled", "B30"), ("searches", "B28"), ("trustkit-report", "B34"), ("falls-back", "B36"),
            ("updates-open", "B38"), ("early-data", "B08"), ("resume-unsafe", "B08"),
            ("trustkit-expires", "B31"), ("coalesces-open", "B09"),
        ]
    )
    func worse(row: String, scenario: String) async throws {
        let report = try await Self.report.value
        let cell = try #require(report.cell(row, scenario))
        #expect(cell.outcome == .missed, "\(cell.reason)")
        // The mode that it is made of detects the same.
        #expect(report.cell("SL", scenario)?.outcome == .detected)
    }

    @Test(
        "a client with one more check detects attacks that pins alone do not",
        arguments: [
            ("https-only", "B13"), ("https-only", "B14"), ("mtls", "B21"), ("channel-binding", "B23"),
            ("tofu-strict", "B19"), ("tofu-strict", "B20"), ("ct-required", "B24"), ("must-staple", "B26"),
            ("trustkit-report", "B33"), ("expiry-closed", "B31"), ("updates-signed", "B38"),
            ("coalesces-judged", "B09"),
        ]
    )
    func better(row: String, scenario: String) async throws {
        let report = try await Self.report.value
        let cell = try #require(report.cell(row, scenario))
        #expect(cell.outcome == .detected, "\(cell.reason)")
    }

    @Test("pins hold until they expire; a client that then refuses everything stops the app")
    func expiry() async throws {
        let report = try await Self.report.value
        #expect(report.cell("trustkit-expires", "B32")?.outcome == .detected)
        let rows = ["trustkit-expires", "expiry-closed"].map { id in LabPolicy.builtIn.filter { $0.id == id }
        }
        let later = Scenario.catalogue.filter { $0.id == "L20" }
        let changes = try await WholeMatrix.report(rows.flatMap(\.self), against: later)
        #expect(changes.cell("trustkit-expires", "L20")?.outcome == .accepted)
        #expect(changes.cell("expiry-closed", "L20")?.outcome == .falseAlarm)
    }

    @Test("the reasons name the observation")
    func reasons() async throws {
        let report = try await Self.report.value
        let reason = { (row: String, scenario: String) in report.cell(row, scenario)?.reason ?? "" }
        #expect(reason("AA", "B01").contains("bad signature"))
        #expect(report.cell("AA", "B01")?.observations.first?.wire.alert?.code == 51)
        #expect(reason("SL", "B04").contains("inappropriate fallback"))
        #expect(reason("SL", "B06") == "It gave up after 1 attempt, none of them weaker.")
        #expect(reason("answers-all", "B16").contains("alice:open sesame"))
        #expect(reason("SYS", "B15").hasPrefix("Written as API.PINNED.TEST:"))
        #expect(reason("SYS", "B22").contains("no key of the client's"))
        #expect(reason("channel-binding", "B23").hasPrefix("The server noticed"))
        #expect(reason("trustkit-report", "B33").hasSuffix("a report of the mismatch arrived."))
        #expect(reason("trustkit-report", "B34").contains("a report of the mismatch did not arrive"))
        #expect(reason("AA", "B34").hasPrefix("The request was sent and answered without any report."))
        #expect(reason("falls-back", "B36").hasPrefix("It refused the first connection"))
        #expect(reason("SYS", "B37").contains("After a heartbeat"))
        #expect(reason("early-data", "B08").hasPrefix("The request “GET /account HTTP/1.1” went ahead"))
        // It judges the kept chain again, but too late.
        #expect(report.cell("early-data", "B07")?.outcome == .detected)
        #expect(reason("updates-open", "B38").hasPrefix("New pins were taken as they came."))
        #expect(reason("updates-signed", "B38").hasPrefix("The new pins were not taken"))
    }
}
