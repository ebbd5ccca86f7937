package import PinholeLab

/// A run of the lab as plain values: the content of the JSON report, from which all other reports are made.
///
/// Documents are read back to be merged, compared with an expectation, and shown.
package struct LabDocument: Sendable, Hashable {
    /// The number of the notation.
    package static let version = 1
    /// The size of the largest file that is read; the whole matrix takes 6 MiB for each repetition.
    package static let bytes = 1 << 30

    /// A row: a policy, or a program that was audited.
    package struct Row: Sendable, Hashable {
        /// A short name that stays the same.
        package internal(set) var id: String
        /// A short description of the policy.
        package internal(set) var title: String
        /// The quality that the policy is meant to have.
        package internal(set) var stance: LabPolicy.Stance
        /// The file that it was read from, as it was named; `nil` for none.
        package var file: String?
        /// A SHA-256 in hexadecimal of the contents of a policy or the words of a command; `nil` if it is not known.
        ///
        /// Only the user's own rows have one.
        package var digest: String?
        /// The assumptions about the policy, in sentences.
        package var notes: [String] = []
        /// The line of its file at which its pins begin; `nil` if unknown.
        package var line: Int?
        /// A fault that makes all cells inconclusive, such as the refusal of its own server; `nil` for none.
        package var fault: String?
        /// The change that repairs the row, in one or two sentences; `nil` if none is needed.
        package var advice: String?

        /// Creates a row.
        package init(id: String, title: String, stance: LabPolicy.Stance) {
            self.id = id
            self.title = title
            self.stance = stance
        }
    }

    /// A cell of the matrix: one row in one column.
    package struct Cell: Sendable, Hashable {
        /// The place of the cell.
        package internal(set) var place: Place
        /// The outcome of a correct client.
        package internal(set) var expected: LabOutcome
        /// The outcome of this policy.
        package var outcome: LabOutcome
        /// The reason for the outcome, in a sentence or two.
        package var reason: String
        /// The grade of the cell.
        package var grade = LabGrade.must
        /// The evidence, once for each repetition.
        package var evidence: [LabEvidence]

        /// Creates a cell.
        package init(
            _ place: Place,
            expected: LabOutcome,
            outcome: LabOutcome,
            reason: String,
            evidence: [LabEvidence] = []
        ) {
            self.place = place
            self.expected = expected
            self.outcome = outcome
            self.reason = reason
            self.evidence = evidence
        }

        /// Whether the outcome is that of a correct client.
        package var isAsExpected: Bool { outcome == expected }

        /// Whether an attack went through that a correct client notices, or a legitimate change was refused.
        package var isFault: Bool { !isAsExpected && outcome != .inconclusive }
    }

    /// The place of a cell: its row and its column.
    package struct Place: Sendable, Hashable, CustomStringConvertible {
        /// The row's identifier.
        package internal(set) var policy: String
        /// The column's identifier.
        package internal(set) var scenario: String

        /// Creates a place.
        package init(_ policy: String, _ scenario: String) {
            self.policy = policy
            self.scenario = scenario
        }

        /// The place in words: `SL in A02`.
        package var description: String { "\(policy) in \(scenario)" }
    }

    /// The host that clients ask for.
    package var host: String
    /// The time at which the run began, in RFC 3339 notation.
    package var started: String
    /// The parts of a run that the document contains; empty for a run that was not divided.
    package var shards: [LabShard] = []
    /// The columns of the whole run if this is a part of it; empty for a run that was not divided.
    package var selection: [String] = []
    /// The rows of the matrix.
    package var policies: [Row] = []
    /// The columns of the matrix.
    package var scenarios: [LabColumn] = []
    /// The certificates that evidence names, by their SHA-256 in hexadecimal.
    package var certificates: [String: LabCertificate] = [:]
    /// The cells, row by row.
    package var cells: [Cell] = []
    /// The hosts of the user's policy files, and the questions that the files do not decide.
    package var hosts: [JudgedHost] = []

    /// Creates a document without rows and columns.
    package init(host: String, started: String) {
        self.host = host
        self.started = started
    }
}

extension LabDocument {
    /// The cells by their places.
    package var cellsByPlace: [Place: Cell] {
        Dictionary(cells.map { ($0.place, $0) }) { first, _ in first }
    }

    /// The columns by their identifiers.
    package var columnsByID: [String: LabColumn] {
        Dictionary(scenarios.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The rows of reports to other tools: the user's own, or all rows if there are none.
    ///
    /// The rows that come with the lab are for comparison; their misses are no findings in the user's app.
    package var judgedRows: [Row] {
        let own = policies.filter { $0.stance == .own }
        return own.isEmpty ? policies : own
    }

    /// The parts of a divided run that are not in it.
    package var missingShards: [LabShard] {
        guard let count = shards.first?.count else { return [] }
        return LabShard.all(count).filter { !shards.contains($0) }
    }

    /// The parts of a divided run in the document: `part 2/3`, or `merged from 2 of 3 parts`; `nil` if it was not
    /// divided.
    var partsTitle: String? {
        guard let first = shards.first else { return nil }
        guard shards.count > 1 else { return "part \(first)" }
        return "merged from \(shards.count) of \(first.count) parts"
    }

    /// The parts that are not in it, the first few by name: `2/3`, or `1/9, 2/9 and 5 more`; `nil` for none.
    package var missingParts: String? {
        let missing = missingShards.map(\.description)
        guard !missing.isEmpty else { return nil }
        let rest = missing.count > 8 ? " and \(missing.count - 8) more" : ""
        return missing.prefix(8).joined(separator: ", ") + rest
    }

    /// The places that have no cell; of a part that is not here, none is expected.
    package var emptyPlaces: [Place] {
        let places = Set(cells.map(\.place))
        let columns = missingShards.isEmpty && !selection.isEmpty ? selection : scenarios.map(\.id)
        let tried = Set(places.map(\.policy))
        return policies.filter { tried.contains($0.id) || !isUndecided($0) }
            .flatMap { row in columns.map { Place(row.id, $0) } }
            .filter { !places.contains($0) }
    }

    /// Whether a row is of a file that decides nothing: it has questions, and no host.
    private func isUndecided(_ row: Row) -> Bool {
        let own = hosts.filter { $0.policy == row.id }
        return !own.isEmpty && own.allSatisfy(\.isQuestion)
    }

    /// Places in few words: a line for each row, with at most eight of its columns.
    ///
    /// - Returns: Lines such as `SL in A01, A02`.
    package static func summary(of places: [Place]) -> [String] {
        var order: [String] = []
        var columns: [String: [String]] = [:]
        for place in places {
            if columns[place.policy] == nil { order.append(place.policy) }
            columns[place.policy, default: []].append(place.scenario)
        }
        return order.map { policy in
            let all = columns[policy] ?? []
            let rest = all.count > 8 ? " and \(all.count - 8) more" : ""
            return "\(policy) in \(all.prefix(8).joined(separator: ", "))\(rest)"
        }
    }
}
