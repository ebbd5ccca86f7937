import PinholeModel

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

    /// The host that was recorded and that of the run.
    package struct Hosts: Sendable, Hashable {
        /// What was recorded.
        package let recorded: String
        /// What was run.
        package let found: String
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
    /// What was expected in scenarios that there are not.
    package private(set) var unknown: [LabDocument.Place] = []
    /// The hosts, where another one was recorded; `nil` where it is the same, or was not recorded.
    package let otherHost: Hosts?
    /// The user's own rows that are made from something else than what was recorded.
    package let changedRows: [String]
    private let rows: [String]
    private let columns: [String]

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
        rows = document.policies.map(\.id)
        let here = Set(document.scenarios.map(\.id))
        columns = Scenario.catalogue.map(\.id).filter { !here.contains($0) } + here
        let known = Set(columns)
        let places = rest.keys.sorted { ($0.policy, $0.scenario) < ($1.policy, $1.scenario) }
        unknown = places.filter { !known.contains($0.scenario) }
        missing = places.filter {
            known.contains($0.scenario) && (document.missingShards.isEmpty || here.contains($0.scenario))
        }
        otherHost = expectation.host.flatMap {
            $0 == document.host ? nil : Hosts(recorded: $0, found: document.host)
        }
        changedRows = document.policies.filter { row in
            guard let digest = row.digest, let recorded = expectation.digests[row.id] else { return false }
            return digest != recorded
        }.map(\.id)
    }

    /// What it comes to.
    package var result: Result {
        if !differences.isEmpty { return .regression }
        return inconclusive.isEmpty && gaps.isEmpty ? .same : .inconclusive
    }

    /// What keeps it from being a comparison of all that was recorded, a line each; empty for nothing.
    package var gaps: [String] {
        (otherHost.map {
            [
                "the record is of \($0.recorded), and this run of \($0.found): other things are compared; "
                    + "run it with --host \($0.recorded), or record it anew"
            ]
        } ?? []) + missingLines + unknownLines
    }

    private var missingLines: [String] {
        let known = Set(rows + LabPolicy.builtIn.map(\.id))
        let strange = missing.filter { !known.contains($0.policy) }
        return LabDocument.summary(of: missing.filter { known.contains($0.policy) })
            .map { "\($0): expected, and not run" }
            + Dictionary(grouping: strange) { $0.policy }.sorted { $0.key < $1.key }.flatMap {
                policy,
                places in
                let nearest = Remedy.clause(Remedy.nearest(to: policy, in: rows))
                return LabDocument.summary(of: places)
                    .map { "\($0): expected, and there is no such row\(nearest)" }
            }
    }

    private var unknownLines: [String] {
        Dictionary(grouping: unknown) { $0.scenario }.sorted { $0.key < $1.key }.map { scenario, places in
            let remedy =
                Remedy.nearest(to: scenario, in: columns.sorted()) ?? "pinhole lab list names them all"
            let policies = places.prefix(8).map(\.policy).joined(separator: ", ")
            let rest = places.count > 8 ? " and \(places.count - 8) more" : ""
            return
                "\(policies)\(rest) in \(scenario): expected, and there is no such scenario\(Remedy.clause(remedy))"
        }
    }

    /// What else is worth knowing of it, in sentences; none of it is a fault.
    package var remarksOnRows: [String] {
        changedRows.map { "\($0) is another policy, or another command, than what was recorded" }
    }

    /// What it comes to, in a few words.
    package var heading: String {
        switch differences.count {
        case 0:
            inconclusive.isEmpty && gaps.isEmpty
                ? "No cell differs from the record" : "Not all could be compared with the record"
        case 1: "1 cell differs from the record"
        case let count: "\(count) cells differ from the record"
        }
    }

    /// What is not the same beside the cells, in sentences.
    var changes: [String] {
        (otherHost.map { ["the record is of \($0.recorded), and this run of \($0.found)"] } ?? [])
            + remarksOnRows
    }

    /// The cells that cannot be compared, by why.
    var remarks: [(title: String, places: [LabDocument.Place])] {
        [
            ("inconclusive now", inconclusive), ("recorded, and not run", missing),
            ("recorded, and no scenario of this pinhole", unknown),
            ("new, nothing was recorded", new),
        ].filter { !$0.1.isEmpty }
    }
}
