package import PinholeLab
import PinholeModel

/// A comparison of a run with a recorded expectation.
package struct ExpectationComparison: Sendable, Hashable {
    /// A cell whose outcome is not the recorded one.
    package struct Difference: Sendable, Hashable, CustomStringConvertible {
        /// The place of the cell.
        package let place: LabDocument.Place
        /// The recorded outcome.
        package let expected: LabOutcome
        /// The outcome of the run.
        package let found: LabOutcome

        /// The difference in a sentence.
        package var description: String {
            "\(place): expected \(expected.title), found \(found.title)"
        }
    }

    /// The host that was recorded and that of the run.
    package struct Hosts: Sendable, Hashable {
        /// The host of the record.
        package let recorded: String
        /// The host of the run.
        package let found: String
    }

    /// The result of a comparison.
    package enum Result: Sendable, Hashable {
        /// Every recorded cell has the recorded outcome.
        case same
        /// Some cells have another outcome.
        case regression
        /// Some recorded cells are inconclusive or missing.
        case inconclusive
    }

    /// The cells with another outcome, row by row.
    package private(set) var differences: [Difference] = []
    /// The cells that are inconclusive although an outcome was recorded.
    package private(set) var inconclusive: [LabDocument.Place] = []
    /// The cells of which no outcome was recorded, and which have one now.
    package private(set) var new: [LabDocument.Place] = []
    /// The cells of which no outcome was recorded, and which have none.
    package private(set) var silent: [LabDocument.Place] = []
    /// The cells that were recorded and were not run.
    package private(set) var missing: [LabDocument.Place] = []
    /// The recorded cells whose scenarios do not exist.
    package private(set) var unknown: [LabDocument.Place] = []
    /// The hosts of policy files whose standing is not the recorded one, a line each.
    package private(set) var changedHosts: [String] = []
    /// The two hosts, if another one was recorded; `nil` if it is the same, or was not recorded.
    package let otherHost: Hosts?
    /// The user's own rows whose digest is not the recorded one.
    package let changedRows: [String]
    private let rows: [String]
    private let columns: [String]

    /// Compares a run with a recorded expectation.
    ///
    /// A document of some parts of a run is compared only in the scenarios of these parts.
    package init(_ document: LabDocument, with expectation: Expectation) {
        var rest = expectation.cells
        for cell in document.cells {
            guard let expected = rest.removeValue(forKey: cell.place) else {
                if cell.outcome == .inconclusive { silent.append(cell.place) } else { new.append(cell.place) }
                continue
            }
            if cell.outcome == .inconclusive {
                inconclusive.append(cell.place)
            } else if cell.outcome != expected {
                differences.append(Difference(place: cell.place, expected: expected, found: cell.outcome))
            }
        }
        for (file, states) in expectation.hosts.sorted(by: { $0.key < $1.key })
        where document.policies.contains(where: { $0.id == file }) {
            for (title, state) in states.sorted(by: { $0.key < $1.key }) {
                let found = document.hosts.first { $0.policy == file && $0.title == title }?.state
                guard found != state else { continue }
                let now = found?.title ?? "not in the file"
                changedHosts.append("\(file): \(title) was \(state.title), and is \(now)")
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

    /// The result of the comparison.
    package var result: Result {
        if !differences.isEmpty || !changedHosts.isEmpty { return .regression }
        return inconclusive.isEmpty && gaps.isEmpty ? .same : .inconclusive
    }

    /// The reasons why the record could not be compared completely, a line each; empty if it could be.
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
            let reason = Scenario.shortage(scenario) ?? "there is no such scenario\(Remedy.clause(remedy))"
            let policies = places.prefix(8).map(\.policy).joined(separator: ", ")
            let rest = places.count > 8 ? " and \(places.count - 8) more" : ""
            return "\(policies)\(rest) in \(scenario): expected, and \(reason)"
        }
    }

    /// The remarks on rows that are worth knowing, in sentences; none of them is a fault.
    package var remarksOnRows: [String] {
        changedRows.map { "\($0) is another policy, or another command, than what was recorded" }
    }

    /// The result in a few words.
    package var heading: String {
        switch differences.count {
        case 0:
            inconclusive.isEmpty && gaps.isEmpty
                ? "No cell differs from the record" : "Not all could be compared with the record"
        case 1: "1 cell differs from the record"
        case let count: "\(count) cells differ from the record"
        }
    }

    /// The changes beside the cells, in sentences: another host, other policies.
    var changes: [String] {
        (otherHost.map { ["the record is of \($0.recorded), and this run of \($0.found)"] } ?? [])
            + changedHosts + remarksOnRows
    }

    /// The cells that cannot be compared, by why.
    var remarks: [(title: String, places: [LabDocument.Place])] {
        [
            ("inconclusive now", inconclusive), ("recorded, and not run", missing),
            ("recorded, and no scenario of this pinhole", unknown),
            ("new, nothing was recorded", new), ("inconclusive, as when it was recorded", silent),
        ].filter { !$0.1.isEmpty }
    }
}
