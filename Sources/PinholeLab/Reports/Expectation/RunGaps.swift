/// What is not there: cells and parts of a run, and what was recorded and cannot be compared with it.
///
/// Exit status, JUnit and SARIF tell the same.
struct RunGaps: Sendable {
    /// The cells and parts of the run itself that are not there, a line for each row.
    let run: [String]
    /// What was recorded and cannot be compared, a line each; empty without an expectation.
    let record: [String]

    /// Looks for gaps.
    ///
    /// - Parameters:
    ///   - document: The run.
    ///   - expectation: What was recorded; `nil` for nothing.
    ///   - isPart: Whether it is one part of a divided run, so that the other parts are no loss.
    init(_ document: LabDocument, _ expectation: Expectation?, isPart: Bool) {
        run =
            LabDocument.summary(of: document.emptyPlaces).map { "\($0): not run" }
            + (isPart ? [] : document.missingParts.map { ["part \($0) of the run is missing"] } ?? [])
        record = expectation.map { ExpectationComparison(document, with: $0).gaps } ?? []
    }
}
