import PinholeFiles
import PinholeModel
import PinholeTestKit
import PinholeTrust
import Testing

@testable import PinholeLab
@testable import PinholePolicies
@testable import PinholeReports

/// The rows of a policy file with several hosts.
@Suite("Rows of a policy file")
struct LabPolicyFileTests {
    private static let first = Base64.encode([UInt8](repeating: 1, count: 32))
    private static let second = Base64.encode([UInt8](repeating: 2, count: 32))
    private static let pins =
        "<pin-set><pin digest=\"SHA-256\">\(first)</pin><pin digest=\"SHA-256\">\(second)</pin></pin-set>"
    private static let user =
        "<trust-anchors><certificates src=\"system\"/><certificates src=\"user\" overridePins=\"true\"/></trust-anchors>"

    private func file(_ text: String) throws -> PolicyFile {
        try PolicyFile.read(Array(text.utf8), name: "nsc.xml", files: .memory([:]), takesUnproven: true)
    }

    private func android(_ configurations: String...) throws -> PolicyFile {
        try file(
            "<network-security-config>\(configurations.joined(separator: "\n"))</network-security-config>"
        )
    }

    private func rows(_ file: PolicyFile, _ demands: HostDemands = HostDemands()) throws -> [LabPolicy] {
        try LabPolicy.rows(file: file, name: "nsc.xml", demands: demands)
    }

    @Test("hosts with the same treatment share a row, and other hosts have separate rows")
    func groups() throws {
        let rows = try rows(
            android(
                "<domain-config><domain>a.test</domain>\(Self.pins)</domain-config>",
                "<domain-config><domain>b.test</domain>\(Self.pins)</domain-config>",
                "<domain-config><domain>c.test</domain>\(Self.pins)\(Self.user)</domain-config>"
            )
        )
        #expect(rows.map(\.id) == ["nsc.xml", "nsc.xml:c.test"])
        #expect(rows.map(\.host) == ["a.test", "a.test"] && rows[1].subject == .name("c.test"))
        #expect(rows.map(\.isJudgedInMemory) == [false, true])
        let judged = rows[0].hosts.filter { $0.state == .pinned }
        #expect(judged.map(\.title) == ["a.test", "b.test", "c.test"])
        #expect(judged.map(\.row) == ["nsc.xml", "nsc.xml", "nsc.xml:c.test"])
    }

    @Test("an exempted host is a fault only if the user demands its pins")
    func exempted() throws {
        let file = try android(
            "<domain-config><domain includeSubdomains=\"true\">a.test</domain>\(Self.pins)</domain-config>",
            "<domain-config><domain>cdn.a.test</domain></domain-config>"
        )
        let open = try rows(file)[0].hosts.filter { $0.state == .notPinned }
        #expect(open.map(\.title) == ["cdn.a.test", HostSurvey.others])
        #expect(open.map(\.line) == [2, nil] && open.allSatisfy { !$0.isFault })
        var demands = HostDemands()
        demands.required = [.name("cdn.a.test")]
        #expect(try rows(file, demands)[0].hosts.filter(\.isFault).map(\.title) == ["cdn.a.test"])
        demands = HostDemands()
        demands.isStrict = true
        #expect(try rows(file, demands)[0].hosts.filter(\.isFault).count == 2)
    }

    @Test("a row that is judged in memory agrees with a lab that is made for its host")
    func memory() async throws {
        let file = try android(
            "<domain-config><domain>a.test</domain>\(Self.pins)</domain-config>",
            "<domain-config><domain includeSubdomains=\"true\">pay.b.test</domain>\(Self.pins)\(Self.user)</domain-config>"
        )
        let rows = try rows(file)
        try #require(rows.count == 2)
        let scenarios = Scenario.catalogue.filter {
            ["A01", "A02", "A03", "A05", "A09", "B07", "B11", "L01", "L02", "L08", "L09", "L10"].contains(
                $0.id
            )
        }
        let run = try await MatrixTurn.shared.run {
            try await PinningLab(for: rows[0]).run(rows, against: scenarios, .patient)
        }
        let own = try LabPolicy.own(file: file, name: "own", host: .name("pay.b.test"))
        var onWire = PinningLab.Options.patient
        onWire.judgesInMemory = false
        let options = onWire
        let alone = try await MatrixTurn.shared.run {
            try await PinningLab(for: own).run(own, against: scenarios, options)
        }
        for scenario in scenarios {
            #expect(
                run.cell(rows[1].id, scenario.id)?.outcome == alone.cell("own", scenario.id)?.outcome,
                "\(scenario.id)"
            )
        }
        #expect(run.cell(rows[0].id, "A02")?.outcome == .detected)
        #expect(run.cell(rows[1].id, "A02")?.outcome == .missed)
    }

    @Test("a parent and a child with the same pins raise no false alarm below the child")
    func parentAndChild() async throws {
        let rows = try rows(
            android(
                "<domain-config><domain>api.a.test</domain>\(Self.pins)</domain-config>",
                "<domain-config><domain includeSubdomains=\"true\">a.test</domain>\(Self.pins)</domain-config>"
            )
        )
        let scenarios = Scenario.catalogue.filter { $0.id == "L09" }
        let run = try await MatrixTurn.shared.run {
            try await PinningLab(for: rows[0]).run(rows, against: scenarios, .patient)
        }
        #expect(run.cells.allSatisfy { $0.outcome == .accepted })
    }

    @Test("an undecided question of the file is “not proven”, until the expectation file accepts it")
    func notProven() throws {
        let text = """
            CertificatePinner.Builder().add("a.test", "sha256/\(Self.first)", "sha256/\(Self.second)")
              .add("b.test", PIN).build()
            """
        var document = LabDocument(host: "a.test", started: "2026-11-21T10:00:00Z")
        document.hosts = try rows(file(text))[0].hosts
        let questions = document.hosts.filter { $0.state == .notProven }
        #expect(questions.map(\.line) == [2])
        document.policies = [LabDocument.Row(id: "nsc.xml", title: "pins", stance: .own)]
        document.scenarios = [SampleColumn.attack]
        document.cells = [
            LabDocument.Cell(
                LabDocument.Place("nsc.xml", "A02"),
                expected: .detected,
                outcome: .detected,
                reason: ""
            )
        ]
        let verdict = JudgedRun(document).verdict
        #expect(verdict.status == .unproven && verdict.status.exitCode == 3)
        #expect(verdict.headline.hasPrefix("NOT PROVEN: nsc.xml:2: "), "\(verdict.headline)")
        let record = Expectation(recording: document, accepting: ["nsc.xml:2"])
        #expect(JudgedRun(document, expectation: record).verdict.status == .asExpected)
        #expect(try Expectation(parsing: Array(record.json.utf8)) == record)
        #expect(try LabDocument(parsing: Array(document.json.utf8)) == document)
        #expect(JudgedRun(document).junit.contains("<skipped message=\"not proven: "))
        #expect(JudgedRun(document).sarif().contains("\"level\":\"warning\""))
    }

    @Test("a file that decides nothing has its questions in every report, and no cell")
    func undecided() async throws {
        let bytes = Array("requests.get(u, verify=flag)\n".utf8)
        func read(takesUndecided: Bool) throws(PolicyFailure) -> PolicyFile {
            try PolicyFile.read(
                bytes,
                name: "a.py",
                files: .memory([:]),
                takesUnproven: true,
                takesUndecided: takesUndecided
            )
        }
        #expect(throws: PolicyFailure.self) { try read(takesUndecided: false) }
        let row = try #require(
            LabPolicy.rows(file: try read(takesUndecided: true), name: "a.py").first
        )
        let report = try await PinningLab().run([row])
        #expect(report.cells.isEmpty && report.policies.map(\.id) == ["a.py"])
        var document = LabDocument(report)
        let run = JudgedRun(document)
        #expect(run.verdict.status == .unproven && run.verdict.status.exitCode == 3)
        #expect(run.verdict.headline.hasPrefix("NOT PROVEN: a.py:1: "), "\(run.verdict.headline)")
        #expect(run.junit.contains("<skipped message=\"not proven: ") && !run.junit.contains("<error"))
        #expect(run.sarif().contains("\"level\":\"warning\""))
        // Beside a row with a cell, its place in the matrix stays empty, and is no gap.
        document.policies.append(LabDocument.Row(id: "SL", title: "pins", stance: .inUse))
        document.scenarios = [SampleColumn.attack]
        document.cells = [
            LabDocument.Cell(
                LabDocument.Place("SL", "A02"),
                expected: .detected,
                outcome: .detected,
                reason: ""
            )
        ]
        #expect(document.emptyPlaces.isEmpty && JudgedRun(document).verdict.status == .unproven)
    }
}

private enum SampleColumn {
    static let attack = LabColumn(
        id: "A02",
        title: "title",
        kind: .attack,
        group: "who issued it",
        expected: .detected,
        presents: "presents",
        precondition: "precondition",
        correctClient: "refuses",
        remedy: "remedy",
        references: ["RFC 5280"]
    )
}
