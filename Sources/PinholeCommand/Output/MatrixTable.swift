import PinholeLab
import PinholeReports
import PinholeSession

/// The matrix as a table with a line for each policy, a column for each scenario, and one sign in each cell.
///
/// ```
///       who issued it  names
///       AAA            A
///       000            1
///       123            3
/// SYS   ✓✗✗            ✓     2 of 4
/// ```
struct MatrixTable {
    /// The matrix.
    let document: LabDocument
    /// Colours or none.
    let style: Style
    /// The columns of the terminal; groups that do not fit go into tables below.
    let width: Int
    /// The grades that count; faults of other grades in the user's own rows are not coloured.
    var profile: LabProfile = .baseline

    /// The table for a terminal, as wide as the width allows.
    var lines: [String] {
        let parts = parts
        var lines: [String] = []
        for (index, part) in parts.enumerated() {
            if index > 0 { lines.append("") }
            lines += table(part, withTotals: index == parts.count - 1)
        }
        return lines
    }

    /// Whether all groups stand side by side.
    var isWhole: Bool { parts.count <= 1 }

    /// The meaning of the signs, in lines as wide as the table.
    var legend: [String] {
        LabMark.allCases.map { "\(Self.sign($0, style)) \($0.title)" }.reduce(into: []) { lines, entry in
            let joined = (lines.last.map { "\($0)   " } ?? "") + entry
            if !lines.isEmpty, TextLayout.columns(of: joined) <= width {
                lines[lines.count - 1] = joined
            } else {
                lines.append(entry)
            }
        }
    }

    /// Returns the sign of an outcome; signs also differ without colours.
    private static func sign(_ mark: LabMark, _ style: Style) -> String {
        switch mark {
        case .detected, .accepted: style.paint(mark.symbol, .green)
        case .missed: style.paint(mark.symbol, .red)
        case .unnoticeable: style.paint(mark.symbol, .faint)
        case .falseAlarm: style.paint(mark.symbol, .yellow)
        case .inconclusive: style.paint(mark.symbol, .cyan)
        }
    }

    private func sign(_ cell: LabDocument.Cell, of row: LabDocument.Row) -> String {
        LabDocument.isOnlyReported(cell, of: row, by: profile)
            ? style.paint(cell.mark.symbol, .faint) : Self.sign(cell.mark, style)
    }

    // MARK: Parts

    /// The scenarios of one group.
    private struct Column {
        let title: String
        let scenarios: [LabColumn]
        /// The width in columns: room for the scenarios, and for at most 13 characters of the title.
        var width: Int { max(scenarios.count, min(title.count, 13)) }
    }

    /// The groups, as many side by side as fit.
    private var parts: [[Column]] {
        let room = max(20, width - labelWidth - 2)
        var parts: [[Column]] = []
        var used = 0
        for column in columns.flatMap({ split($0, room) }) {
            if parts.isEmpty || used + column.width + 2 > room {
                parts.append([])
                used = 0
            }
            parts[parts.count - 1].append(column)
            used += column.width + 2
        }
        // The totals stand behind the last group.
        let totals = document.policies.map { total($0).count + 2 }.max() ?? 0
        if used + totals > room, let last = parts.last, last.count > 1 {
            parts[parts.count - 1].removeLast()
            parts += last.suffix(1).map { [$0] }
        }
        return parts
    }

    private var columns: [Column] {
        document.groups.map { Column(title: $0.title, scenarios: $0.columns) }
    }

    private func split(_ column: Column, _ room: Int) -> [Column] {
        guard column.scenarios.count > room else { return [column] }
        return stride(from: 0, to: column.scenarios.count, by: room).map { start in
            Column(title: column.title, scenarios: Array(column.scenarios.dropFirst(start).prefix(room)))
        }
    }

    private var labelWidth: Int {
        document.policies.map { TextLayout.columns(of: Plain.printable($0.id)) }.max() ?? 0
    }

    // MARK: Lines

    private func table(_ part: [Column], withTotals: Bool) -> [String] {
        let margin = String(repeating: " ", count: labelWidth)
        var lines = [
            margin + part.map { "  " + style.paint(TextLayout.fit($0.title, $0.width), .bold) }.joined()
        ]
        let depth = part.flatMap { $0.scenarios.map(\.id.count) }.max() ?? 0
        for place in 0..<depth {
            let line = part.map { column in
                let letters = column.scenarios.map { scenario in
                    scenario.id.dropFirst(place).first.map { String($0) } ?? " "
                }
                return "  " + TextLayout.fit(letters.joined(), column.width)
            }
            lines.append(margin + style.paint(line.joined(), .faint))
        }
        let cellsByPlace = document.cellsByPlace
        for policy in document.policies {
            let cells = part.map { column in
                let signs = column.scenarios.map { scenario in
                    cellsByPlace[LabDocument.Place(policy.id, scenario.id)]
                        .map { sign($0, of: policy) } ?? " "
                }
                let space = String(repeating: " ", count: column.width - column.scenarios.count)
                return "  " + signs.joined() + space
            }
            let totals = withTotals ? "  " + total(policy) : ""
            lines.append(TextLayout.fit(Plain.printable(policy.id), labelWidth) + cells.joined() + totals)
        }
        return lines
    }

    /// Returns the number of detected attacks among the detectable ones, and the number of false alarms.
    private func total(_ policy: LabDocument.Row) -> String {
        let cells = document.cells.filter { $0.place.policy == policy.id }
        let attacks = cells.filter { $0.expected == .detected }
        let changes = cells.filter { $0.expected == .accepted }
        var words: [String] = []
        if !attacks.isEmpty {
            words.append("\(attacks.count { $0.outcome == .detected })/\(attacks.count)")
        }
        let alarms = changes.count { $0.outcome == .falseAlarm }
        if alarms > 0 { words.append(Plain.count(alarms, "false alarm")) }
        return words.joined(separator: ", ")
    }
}
