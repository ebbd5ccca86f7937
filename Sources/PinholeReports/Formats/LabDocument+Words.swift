package import PinholeLab

extension LabDocument {
    /// The names of the rows' kinds, for headings, in the order of the matrix.
    static let stances: [(stance: LabPolicy.Stance, title: String)] = [
        (.own, "your own"), (.inUse, "in use"), (.broken, "broken on purpose"),
    ]

    /// The rows in the order of the matrix: the user's own, those in use, those broken on purpose.
    var orderedRows: [Row] { Self.stances.flatMap { kind in policies.filter { $0.stance == kind.stance } } }

    /// The columns by their groups, in the order of the matrix.
    package var groups: [(title: String, columns: [LabColumn])] {
        let known = Scenario.Group.allCases.map(\.rawValue)
        let others = Set(scenarios.map(\.group)).subtracting(known).sorted()
        return (known + others).compactMap { title in
            let columns = scenarios.filter { $0.group == title }
            return columns.isEmpty ? nil : (title, columns)
        }
    }

    /// Whether a cell is shown without being judged: reports never show it in red.
    ///
    /// - Parameters:
    ///   - cell: A cell of `row`.
    ///   - row: A row; only the user's own rows are judged by a profile.
    ///   - profile: The grades that count.
    /// - Returns: Whether the row missed an attack or gave a false alarm, in a grade that does not count.
    package static func isOnlyReported(_ cell: Cell, of row: Row, by profile: LabProfile) -> Bool {
        let isFault = cell.outcome == .missed || cell.outcome == .falseAlarm
        return row.stance == .own && isFault && !cell.isAsExpected && !profile.judges(cell.grade)
    }

    /// Counts the cells that show a mark, in one row or in all.
    func count(_ mark: LabMark, in row: Row? = nil) -> Int {
        cells.count { $0.mark == mark && (row == nil || $0.place.policy == row?.id) }
    }
}
