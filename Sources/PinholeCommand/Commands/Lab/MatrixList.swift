import PinholeLab
import PinholeReports
import PinholeSession

/// The matrix for a terminal that is too narrow: a line for each policy, with the columns that went wrong.
struct MatrixList {
    let document: LabDocument
    let style: Style
    let width: Int

    /// The list for a terminal, one entry per line.
    var lines: [String] {
        let rows = document.policies.map { row in (row, tally(row)) }
        let label = max(6, rows.map { TextLayout.columns(of: Plain.printable($0.0.id)) }.max() ?? 0)
        let head = TextLayout.fit("POLICY", label) + "  DETECTED  ALARMS  MISSED; FALSE ALARMS"
        return [style.paint(TextLayout.fit(head, min(width, head.count)), .faint)]
            + rows.map { row, tally in
                let line = [
                    TextLayout.fit(Plain.printable(row.id), label),
                    TextLayout.fit(tally.detected, 8, right: true),
                    TextLayout.fit(tally.alarms, 6, right: true),
                    tally.names,
                ].joined(separator: "  ")
                guard TextLayout.columns(of: line) > width else { return line }
                return TextLayout.fit(line, width)
            } + [
                "", "--verbose shows the whole matrix; pinhole lab list A09 explains a scenario.",
            ]
    }

    /// Returns the numbers of a row, and the names of the columns that went wrong.
    private func tally(_ row: LabDocument.Row) -> (detected: String, alarms: String, names: String) {
        let cells = document.cells.filter { $0.place.policy == row.id }
        let attacks = cells.filter { $0.expected == .detected }
        let changes = cells.filter { $0.expected == .accepted }
        let missed = attacks.filter { $0.outcome == .missed }.map(\.place.scenario)
        let alarms = changes.filter { $0.outcome == .falseAlarm }.map(\.place.scenario)
        let names = [missed, alarms].filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
        return (
            attacks.isEmpty ? "" : "\(attacks.count { $0.outcome == .detected })/\(attacks.count)",
            changes.isEmpty ? "" : "\(alarms.count)/\(changes.count)", names.joined(separator: "; ")
        )
    }
}
