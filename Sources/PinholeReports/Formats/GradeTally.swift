package import PinholeLab

/// The numbers of cells of one row and one grade.
package struct GradeTally: Sendable {
    /// The number of cells.
    package let total: Int
    /// The number of cells in which the row behaved as a correct client.
    package let right: Int
    /// The other cells, in the order of the columns.
    package let wrong: [LabDocument.Cell]

    /// Counts the cells of a row that have a grade.
    ///
    /// - Parameters:
    ///   - document: The run.
    ///   - row: The row.
    ///   - grade: The grade.
    package init(_ document: LabDocument, _ row: LabDocument.Row, _ grade: LabGrade) {
        let cells = document.cells.filter { $0.place.policy == row.id && $0.grade == grade }
        total = cells.count
        wrong = cells.filter { !$0.isAsExpected }
        right = total - wrong.count
    }

    /// The other cells in words: `missed B25, B26; false alarm L11`; empty for none.
    package var faults: String {
        LabOutcome.allCases.compactMap { outcome in
            let names = wrong.filter { $0.outcome == outcome }.map(\.place.scenario)
            return names.isEmpty ? nil : "\(outcome.title) \(names.joined(separator: ", "))"
        }.joined(separator: "; ")
    }
}
