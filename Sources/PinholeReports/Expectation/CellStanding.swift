import PinholeLab

/// The standing of a cell once the recorded expectation is known.
enum CellStanding: Sendable, Hashable {
    /// The recorded outcome, or that of a correct client if nothing was recorded.
    case asExpected
    /// Another outcome, in a few words.
    case unexpected(String)
    /// An inconclusive outcome, with the reason.
    case inconclusive(String)
    /// A difference from a correct client, in a few words, whose grade the profile does not judge.
    case noted(String)
    /// The row comes with the lab and nothing was recorded of it, so the cell is only there for comparison.
    case unjudged
}

/// The rule by which exit status, JUnit and SARIF decide which cells are as expected.
struct CellJudge: Sendable {
    private let expectation: Expectation?
    private let judged: Set<String>
    private let profile: LabProfile

    /// Creates a judge with the rows that count even without a recorded expectation.
    ///
    /// - Parameters:
    ///   - expectation: The recorded expectation; `nil` without a record.
    ///   - rows: The rows.
    ///   - profile: The grades that count.
    init(
        _ expectation: Expectation?,
        judging rows: some Sequence<LabDocument.Row>,
        _ profile: LabProfile = .baseline
    ) {
        self.expectation = expectation
        judged = Set(rows.map(\.id))
        self.profile = profile
    }

    /// Creates the judge for reports to other tools.
    ///
    /// - Parameters:
    ///   - document: The run. If it has no row of the user's own and nothing was recorded, all rows count.
    ///   - expectation: The recorded expectation.
    ///   - profile: The grades that count.
    init(reporting document: LabDocument, _ expectation: Expectation?, _ profile: LabProfile = .baseline) {
        let rows = document.judgedRows
        self.init(
            expectation,
            judging: expectation == nil ? rows : rows.filter { $0.stance == .own },
            profile
        )
    }

    /// Whether a row counts even if nothing was recorded of it.
    func judges(_ row: LabDocument.Row) -> Bool { judged.contains(row.id) }

    /// Compares a cell with what is expected of it.
    func standing(of cell: LabDocument.Cell) -> CellStanding {
        let recorded = expectation?.cells[cell.place]
        let isJudged = judged.contains(cell.place.policy)
        let counts = recorded != nil || profile.judges(cell.grade)
        guard cell.outcome != .inconclusive else {
            return counts ? .inconclusive(cell.reason) : isJudged ? .noted(cell.outcome.title) : .unjudged
        }
        if let recorded {
            guard recorded != cell.outcome else { return .asExpected }
            return .unexpected("expected \(recorded.title), found \(cell.outcome.title)")
        }
        guard isJudged else { return .unjudged }
        guard cell.isFault else { return .asExpected }
        return counts ? .unexpected(cell.outcome.title) : .noted(cell.outcome.title)
    }

    /// Whether the cell is a miss or a false alarm that was recorded, and so is known.
    func isKnown(_ cell: LabDocument.Cell) -> Bool {
        cell.isFault && expectation?.cells[cell.place] == cell.outcome
    }

    /// The cells of a run that count, in the order of its rows.
    func cells(of document: LabDocument) -> [(row: LabDocument.Row, cells: [LabDocument.Cell])] {
        let byRow = Dictionary(grouping: document.cells) { $0.place.policy }
        return document.policies.compactMap { row in
            let cells = (byRow[row.id] ?? []).filter { standing(of: $0) != .unjudged }
            return cells.isEmpty && !judges(row) ? nil : (row, cells)
        }
    }
}
