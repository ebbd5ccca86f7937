import Testing

@testable import PinholeReports

@Suite("Remarks on cells")
struct CellRemarkTests {
    private func remark(_ policy: String, _ scenario: String, _ what: String, _ reason: String) -> CellRemark
    {
        CellRemark(place: LabDocument.Place(policy, scenario), what: what, reason: reason)
    }

    @Test("cells of one row with the same words go into one line, others stay alone")
    func lines() {
        let many = (1...11).map { remark("mine", "A\($0)", "missed", "Reason \($0).") }
        let lines = CellRemark.lines(
            many + [
                remark("SYS", "A02", "missed", "It went along."), remark("mine", "L02", "false alarm", "So."),
                remark("mine", "L03", "false alarm", "So."), remark("mine", "L04", "nothing is known", ""),
            ]
        )
        #expect(
            lines == [
                "mine, 11 cells (A1, A2, A3, A4, A5, A6, A7, A8 and 3 more): missed",
                "SYS in A02: missed. It went along.", "mine, 2 cells (L02, L03): false alarm. So.",
                "mine in L04: nothing is known",
            ]
        )
        #expect(CellRemark.lines([]).isEmpty)
    }
}
