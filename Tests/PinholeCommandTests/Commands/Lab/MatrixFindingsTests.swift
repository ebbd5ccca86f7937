import Testing

@testable import PinholeCommand
@testable import PinholeLab
@testable import PinholeReports

@Suite("The text below the matrix")
struct MatrixFindingsTests {
    @Test("a miss of a built-in row is not listed")
    func builtIn() {
        var document = LabDocument(host: "api.pinned.test", started: "2026-11-21T10:00:00Z")
        document.policies = [LabDocument.Row(id: "SL", title: "the leaf's key", stance: .inUse)]
        document.cells = [
            LabDocument.Cell(
                LabDocument.Place("SL", "A02"),
                expected: .detected,
                outcome: .missed,
                reason: "The request was sent and answered."
            )
        ]
        #expect(MatrixFindings(document: document, style: .plain, width: 200).lines.isEmpty)
    }

    /// A run of every built-in row in every scenario, in which everything went wrong.
    private func everything() -> LabDocument {
        var document = LabDocument(host: "api.pinned.test", started: "2026-11-21T10:00:00Z")
        document.scenarios = Scenario.catalogue.map(LabColumn.init)
        document.policies = LabPolicy.builtIn.map { row in
            LabDocument.Row(id: row.id, title: row.title, stance: row.stance)
        }
        document.cells = document.policies.flatMap { row in
            document.scenarios.map { column in
                LabDocument.Cell(
                    LabDocument.Place(row.id, column.id),
                    expected: column.expected,
                    outcome: column.kind == .attack ? .missed : .falseAlarm,
                    reason: "It did."
                )
            }
        }
        return document
    }

    private func lines(_ document: LabDocument, _ width: Int, isVerbose: Bool = false) -> [String] {
        MatrixText(document: document, profile: .baseline, isVerbose: isVerbose).lines(
            style: .plain,
            width: width
        )
    }

    @Test("at 80 columns the whole matrix is a line for each policy, and none is longer than the terminal")
    func narrow() {
        let document = everything()
        let lines = self.lines(document, 80)
        #expect(lines.count < document.policies.count + 10, "\(lines.count)")
        #expect(lines.allSatisfy { $0.count <= 80 })
        let verbose = self.lines(document, 80, isVerbose: true)
        #expect(verbose.count > 300, "each scenario with what helps")
        let wide = verbose.filter { $0.count > 80 }
        #expect(wide.isEmpty, "\(wide)")
    }

    @Test("at 200 columns all groups of the matrix stand side by side")
    func wide() {
        let lines = self.lines(everything(), 200)
        #expect(lines.first?.contains("who issued it") == true)
        #expect(lines.first?.contains("legitimate changes") == true)
        #expect(lines.allSatisfy { $0.count <= 200 })
    }
}
