import PinholeFormats
import PinholeModel

/// Exchanges and flows as a table.
struct FlowTable {
    let style: Style
    /// The columns of the terminal; `nil` to cut nothing.
    let width: Int?
    /// The current time; a row of another day shows its date.
    let now: Timestamp

    /// The width of the status column: room for its heading, and for the outcome of a row without a status.
    private static let statusWidth = 7

    /// Returns the lines, with a heading first on a terminal.
    ///
    /// On a terminal, the middle of a long URL becomes an ellipsis, and a remark that does not fit moves to
    /// the next line. A pipe gets one line for each event, of any length.
    func lines(_ events: [TrafficEvent]) -> [String] {
        let rows = events.map { TrafficCells($0, at: now) }
        let time = max(8, rows.map(\.time.count).max() ?? 0)
        let number = max(2, rows.map(\.number.count).max() ?? 0)
        let method = max(6, rows.map { TextLayout.columns(of: $0.method) }.max() ?? 0)
        let used = number + time + method + Self.statusWidth + 8 + 8 + 12
        let lines = rows.flatMap { row in
            let front = [
                row.number.leftPadded(to: number),
                row.time.leftPadded(to: time),
                style.paint(row.method.padded(to: method), row.isFlow ? .blue : .bold),
                style.paint(row.status.padded(to: Self.statusWidth), row.colour),
                row.size.leftPadded(to: 8),
                row.duration.leftPadded(to: 8),
            ].joined(separator: "  ")
            guard let width else {
                return [front + row.texts.map { "  \($0)" }.joined()]
            }
            let room = max(20, width - used)
            let whole = row.texts.joined(separator: "  ")
            guard TextLayout.columns(of: whole) > room, !row.detail.isEmpty else {
                return ["\(front)  \(TextLayout.middle(whole, room))"]
            }
            return ["\(front)  \(TextLayout.middle(row.url, room))"]
                + TextLayout.wrap(row.detail, max(20, width - number - 2))
                .map { String(repeating: " ", count: number + 2) + style.paint($0, .faint) }
        }
        guard width != nil else { return lines }
        let heading = [
            "ID".leftPadded(to: number), "TIME".padded(to: time), "METHOD".padded(to: method),
            "STATUS".padded(to: Self.statusWidth), "SIZE".leftPadded(to: 8), "DURATION", "URL",
        ].joined(separator: "  ")
        return [style.paint(heading, .faint)] + lines
    }
}

extension String {
    /// Returns the text preceded by spaces, up to `width` columns.
    func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: Swift.max(0, width - TextLayout.columns(of: self))) + self
    }
}
