import PinholeModel
import PinholeTrust

/// Rows with the same evidence in one scenario, except for the names of their checks and errors.
struct CellGroup {
    /// The facts that the cells of one group have in common.
    private struct Likeness: Hashable {
        let mark: LabMark
        let told: String
        let presented: [String]
        let validated: [String]
        let alert: UInt8?
        let handshake: LabEvidence.Handshake?
        let requests: [String]
        /// The repetitions if they differ from each other, so that such a cell gets a group of its own.
        let runs: [LabEvidence]

        init(_ cell: LabDocument.Cell) {
            let first = cell.evidence.first
            mark = cell.mark
            told = cell.reason
            presented = first?.presented ?? []
            validated = first?.validated ?? []
            alert = first?.alert?.code
            handshake = first?.handshake
            requests = first?.requests ?? []
            runs = cell.evidence.allSatisfy { $0 == first } ? [] : cell.evidence
        }
    }

    /// The rows of the group.
    let rows: [LabDocument.Row]
    /// The cell of the first row.
    let cell: LabDocument.Cell
    /// The checks: a line for each sequence of checks, with the rows that have it; `nil` for all rows.
    let checks: [(text: String, rows: [String]?)]
    /// The errors, each with the rows that have it; `nil` for all rows.
    let errors: [(text: String, rows: [String]?)]

    /// The longest text of an error that is shown beside its name.
    private static let longestDetail = 90

    private init(_ members: [(LabDocument.Row, LabDocument.Cell)], of cell: LabDocument.Cell) {
        rows = members.map(\.0)
        self.cell = cell
        let reason = cell.reason.lowercased()
        checks = Self.shared(members) { evidence in
            guard !evidence.checks.isEmpty else { return nil }
            return evidence.checks.map { check in
                // The reason of the cell says which check failed, and the JSON report has the details of the rest.
                let isTold = check.outcome != .failed || reason.contains(check.detail.lowercased())
                return "\(check.outcome.sign) \(check.name)\(isTold ? "" : ": \(check.detail)")"
            }.joined(separator: " · ")
        }
        errors = Self.shared(members) { evidence in
            guard let error = evidence.error else { return nil }
            let isTold = reason.contains(error.detail.lowercased()) || error.detail.count > Self.longestDetail
            return isTold ? error.title : "\(error.title): \(error.detail)"
        }
    }

    /// Groups rows by the text that `line` makes of them; the rows are `nil` if all rows have the text.
    private static func shared(
        _ members: [(LabDocument.Row, LabDocument.Cell)],
        _ line: (LabEvidence) -> String?
    ) -> [(text: String, rows: [String]?)] {
        var order: [String] = []
        var owners: [String: [String]] = [:]
        for (row, cell) in members {
            guard let text = cell.evidence.first.flatMap(line) else { continue }
            if owners[text] == nil { order.append(text) }
            owners[text, default: []].append(row.id)
        }
        // If every row is in a list, the longest list of names can be left out without loss.
        let isComplete = owners.values.reduce(0) { $0 + $1.count } == members.count
        let most = owners.values.map(\.count).max() ?? 0
        let longest = isComplete ? order.first { owners[$0]?.count == most && most > 3 } : nil
        return order.map { text in
            let rows = owners[text] ?? []
            return (text, rows.count == members.count ? nil : text == longest ? ["the others"] : rows)
        }
    }

    /// Divides the cells of one scenario into groups, in their order.
    static func groups(of members: [(LabDocument.Row, LabDocument.Cell)]) -> [CellGroup] {
        var order: [Likeness] = []
        var alike: [Likeness: [(LabDocument.Row, LabDocument.Cell)]] = [:]
        for member in members {
            let likeness = Likeness(member.1)
            if alike[likeness] == nil { order.append(likeness) }
            alike[likeness, default: []].append(member)
        }
        return order.compactMap { likeness in
            guard let members = alike[likeness], let first = members.first else { return nil }
            return CellGroup(members, of: first.1)
        }
    }
}

extension Check.Outcome {
    /// A sign for lists.
    fileprivate var sign: String {
        switch self {
        case .passed: "✓"
        case .failed: "✗"
        case .skipped: "–"
        }
    }
}
