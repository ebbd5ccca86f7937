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
        var unexpected: [String] = []
        var unsaid: [String] = []
        let comparison = expectation.map { ExpectationComparison(document, with: $0) }
        if let comparison {
            unexpected += comparison.differences.map(\.description)
            unsaid += comparison.missing.map { "\($0): expected, and not run" }
        }
        let own = isPart ? [] : Set(document.policies.filter { $0.stance == .own }.map(\.id))
        for cell in document.cells {
            if cell.outcome == .inconclusive {
                unsaid.append("\(cell.place): \(cell.reason)")
            } else if cell.isFault, own.contains(cell.place.policy), expectation?.cells[cell.place] == nil {
                unexpected.append("\(cell.place): \(cell.outcome.title). \(cell.reason)")
            }
        }
        unsaid += document.cells.compactMap { cell in
            cell.contradiction.map { "\(cell.place): the lab contradicts itself, \($0)" }
        }
        if document.cells.isEmpty { unsaid.append("nothing was run") }
        unsaid += document.emptyPlaces.map { "\($0): not run" }
        if !isPart { unsaid += document.missingShards.map { "part \($0) of the run is missing" } }
        status = !unexpected.isEmpty ? .unexpected : unsaid.isEmpty ? .asExpected : .inconclusive
        reasons = unexpected + unsaid
    }
}
