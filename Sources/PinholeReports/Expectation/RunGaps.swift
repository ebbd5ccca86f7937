/// The gaps of a run: missing cells and parts, and recorded cells that cannot be compared.
///
/// Exit status, JUnit and SARIF report the same gaps.
struct RunGaps: Sendable {
    /// The cells and parts of the run itself that are not there, a line for each row.
    let run: [String]
    /// The recorded cells and the other reasons that make a comparison incomplete, a line each; empty without an
    /// expectation.
    let record: [String]

    /// Looks for gaps.
    ///
    /// - Parameters:
    ///   - document: The run.
    ///   - expectation: The recorded expectation; `nil` if there is none.
    ///   - isPart: Whether it is one part of a divided run, so that the other parts are not missing.
    init(_ document: LabDocument, _ expectation: Expectation?, isPart: Bool) {
        run =
            LabDocument.summary(of: document.emptyPlaces).map { "\($0): not run" }
            + (isPart ? [] : document.missingParts.map { ["part \($0) of the run is missing"] } ?? [])
        record = expectation.map { ExpectationComparison(document, with: $0).gaps } ?? []
    }
}
