/// What a run says to a machine that only looks at the exit status.
package struct LabVerdict: Sendable, Hashable {
    /// The exit status.
    package enum Status: Int32, Sendable, Hashable {
        /// Everything is as expected.
        case asExpected = 0
        /// The user's own policy misses an attack or refuses a legitimate change, or a cell is not what the
        /// expectation says.
        case unexpected = 1
        /// Something could not be run or could not be said, or the lab contradicts itself; never taken for good.
        case inconclusive = 3
    }

    /// The exit status.
    package let status: Status
    /// Why, a line each; empty where everything is as expected.
    package let reasons: [String]
    /// The reasons in few lines: cells of a row that came out in the same way have one together.
    package let summary: [String]
    /// Those of the reasons that say which cells and which parts are not there.
    package let gaps: [String]

    /// Judges a run.
    ///
    /// Where an expectation speaks of a cell, it alone counts: who has recorded that a policy cannot detect an
    /// attack is not told so again. Rows that come with the lab count by an expectation alone.
    ///
    /// - Parameters:
    ///   - document: The run.
    ///   - expectation: What was expected; `nil` for nothing.
    ///   - isPart: Whether it is one part of a divided run. Then the other parts are no loss, and without an
    ///     expectation the verdict only says whether it could be run; the rest is for who merges the parts.
    package init(
        _ document: LabDocument,
        expectation: Expectation? = nil,
        isPart: Bool = false
    ) {
        var unexpected: [CellRemark] = []
        var unsaid: [CellRemark] = []
        let own = isPart ? [] : document.policies.filter { $0.stance == .own }
        let judge = CellJudge(expectation, judging: own)
        for cell in document.cells {
            switch judge.standing(of: cell) {
            case .asExpected, .unjudged: break
            case .unexpected(let what):
                unexpected.append(CellRemark(place: cell.place, what: what, reason: cell.reason))
            case .inconclusive(let why):
                let what = cell.contradiction == nil ? why : "the lab contradicts itself, \(why)"
                unsaid.append(CellRemark(place: cell.place, what: what, reason: ""))
            }
        }
        let lost = RunGaps(document, expectation, isPart: isPart)
        var others = lost.record
        // More parts than there are scenarios leave some with none.
        if document.cells.isEmpty, !isPart || !document.scenarios.isEmpty { others.append("nothing was run") }
        gaps = lost.run
        others += gaps
        status =
            !unexpected.isEmpty ? .unexpected : unsaid.isEmpty && others.isEmpty ? .asExpected : .inconclusive
        reasons = (unexpected + unsaid).map(\.line) + others
        // Whether it is a comparison at all comes before what is compared.
        summary =
            lost.record + CellRemark.lines(unexpected) + CellRemark.lines(unsaid)
            + others.dropFirst(lost.record.count)
    }
}
