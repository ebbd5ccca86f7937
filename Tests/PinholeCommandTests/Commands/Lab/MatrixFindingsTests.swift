import Testing

@testable import PinholeCommand
@testable import PinholeLab

@Suite("What stands below the matrix")
struct MatrixFindingsTests {
    @Test("a cell that contradicts the rules is told as a defect of the lab")
    func contradiction() {
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
        #expect(MatrixFindings(document, style: .plain, width: 200).lines.isEmpty)
        document.cells[0].predicted = .detected
        document.cells[0].rule = .pins
        #expect(
            MatrixFindings(document, style: .plain, width: 200).lines == [
                "", "the lab contradicts itself: this is a defect of the lab, please report it",
                "    SL × A02: the rules say detected (R16: no pin matches), the wire says missed: The request was sent and answered.",
            ]
        )
    }
}
