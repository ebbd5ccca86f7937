/// A run beside what was expected of it.
package struct ExpectationComparison: Sendable, Hashable {
    /// A cell that says something else.
    package struct Difference: Sendable, Hashable, CustomStringConvertible {
        /// Which one.
        package let place: LabDocument.Place
        /// What was expected.
        package let expected: LabOutcome
        /// What it says.
        package let found: LabOutcome

        /// A sentence.
        package var description: String {
            "\(place): expected \(expected.title), found \(found.title)"
        }
    }

    /// What the comparison comes to.
    package enum Result: Sendable, Hashable {
        /// Every cell that was expected says what was expected.
        case same
        /// Cells say something else.
        case regression
        /// Cells that were expected say nothing, or are not there.
        case inconclusive
    }

    /// The cells that say something else, row by row.
    package private(set) var differences: [Difference] = []
    /// The cells that say nothing though something was expected.
    package private(set) var inconclusive: [LabDocument.Place] = []
    /// The cells of which nothing was expected.
    package private(set) var new: [LabDocument.Place] = []
    /// What was expected and was not run.
    package private(set) var missing: [LabDocument.Place] = []

    /// Compares.
    ///
    /// A document of some parts of a run is compared in its own scenarios alone.
    ///
    /// - Parameters:
    ///   - document: The run.
    ///   - expectation: What was expected.
    package init(_ document: LabDocument, with expectation: Expectation) {
        var rest = expectation.cells
        for cell in document.cells {
            guard let expected = rest.removeValue(forKey: cell.place) else {
                new.append(cell.place)
                continue
            }
            if cell.outcome == .inconclusive {
                inconclusive.append(cell.place)
            } else if cell.outcome != expected {
                differences.append(Difference(place: cell.place, expected: expected, found: cell.outcome))
            }
        }
        let columns = Set(document.scenarios.map(\.id))
        missing = rest.keys
            .filter { document.missingShards.isEmpty || columns.contains($0.scenario) }
            .sorted { ($0.policy, $0.scenario) < ($1.policy, $1.scenario) }
    }

    /// What it comes to.
    package var result: Result {
        if !differences.isEmpty { return .regression }
        return inconclusive.isEmpty && missing.isEmpty ? .same : .inconclusive
    }

    /// What it comes to, in a few words.
    package var heading: String {
        switch differences.count {
        case 0:
            inconclusive.isEmpty && missing.isEmpty
                ? "No cell differs from the record" : "Not all could be compared with the record"
        case 1: "1 cell differs from the record"
        case let count: "\(count) cells differ from the record"
        }
    }

    /// The cells that cannot be compared, by why.
    var remarks: [(title: String, places: [LabDocument.Place])] {
        [
            ("inconclusive now", inconclusive), ("recorded, and not run", missing),
            ("new, nothing was recorded", new),
        ].filter { !$0.1.isEmpty }
    }
}
