package import PinholeLab

/// A run of the lab with the settings that it is judged by: every report but the JSON document is made from it.
package struct JudgedRun: Sendable {
    /// The run.
    let document: LabDocument
    /// The recorded expectation, which known misses match; `nil` without a record.
    let expectation: Expectation?
    /// The grades that count for cells without an expectation.
    let profile: LabProfile
    /// Whether it is one part of a divided run.
    ///
    /// Then the other parts are not missing, and without an expectation the verdict only says whether the part could
    /// be run; the merged report is judged later.
    let isPart: Bool
    /// The reason why the observations prove nothing; `nil` if they count.
    let obstacle: String?
    /// The comparison of the run with the expectation; `nil` without one.
    package let comparison: ExpectationComparison?
    /// The rows that count in reports to other tools even if nothing was recorded of them.
    private let reportedRows: Set<String>

    /// Creates a run with the settings that it is judged by.
    package init(
        _ document: LabDocument,
        expectation: Expectation? = nil,
        profile: LabProfile = .baseline,
        isPart: Bool = false,
        obstacle: String? = nil
    ) {
        self.document = document
        self.expectation = expectation
        self.profile = profile
        self.isPart = isPart
        self.obstacle = obstacle
        comparison = expectation.map { ExpectationComparison(document, with: $0) }
        let rows = document.judgedRows
        reportedRows = Set(
            (expectation == nil ? rows : rows.filter { $0.stance == .own }).map(\.id)
        )
    }
}

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

extension JudgedRun {
    /// The verdict, for the exit status.
    package var verdict: LabVerdict { LabVerdict(self) }

    /// Compares a cell with what is expected of it.
    ///
    /// - Parameters:
    ///   - cell: The cell.
    ///   - rows: The rows that count even if nothing was recorded; `nil` for those of reports to other tools.
    /// - Returns: The standing, by which exit status, JUnit and SARIF decide.
    func standing(of cell: LabDocument.Cell, judging rows: Set<String>? = nil) -> CellStanding {
        let recorded = expectation?.cells[cell.place]
        let isJudged = (rows ?? reportedRows).contains(cell.place.policy)
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

    /// The cells that count in reports to other tools, in the order of the rows.
    var reported: [(row: LabDocument.Row, cells: [LabDocument.Cell])] {
        let byRow = Dictionary(grouping: document.cells) { $0.place.policy }
        return document.policies.compactMap { row in
            let cells = (byRow[row.id] ?? []).filter { standing(of: $0) != .unjudged }
            return cells.isEmpty && !reportedRows.contains(row.id) ? nil : (row, cells)
        }
    }

    /// The cells and parts of the run itself that are missing, a line for each row.
    var runGaps: [String] {
        LabDocument.summary(of: document.emptyPlaces).map { "\($0): not run" }
            + (isPart ? [] : document.missingParts.map { ["part \($0) of the run is missing"] } ?? [])
    }

    /// The hosts that have no pins, or accept everything, and must not; those of the record are known.
    var openHosts: [JudgedHost] {
        document.hosts.filter { $0.isFault && expectation?.hosts[$0.policy]?[$0.title] != $0.state }
    }

    /// The questions that a policy file does not decide, without those that the record accepts.
    var questions: [JudgedHost] {
        document.hosts.filter { host in
            host.isQuestion
                && !document.places(of: host).contains { expectation?.accepted.contains($0) == true }
        }
    }

    /// The recorded cells and the other reasons that make a comparison incomplete, a line each.
    var recordGaps: [String] { comparison?.gaps ?? [] }
}
