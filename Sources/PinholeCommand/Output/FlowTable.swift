import PinholeConsole
import PinholeModel

/// Exchanges and flows as a table.
struct FlowTable {
    let style: Style
    /// The columns of the terminal; `nil` to cut nothing.
    let width: Int?
    /// What is of another day than this has its date with it.
    let now: Timestamp

    /// The lines, a heading first where a terminal shows them.
    func lines(_ events: [TrafficEvent]) -> [String] {
        let rows = events.map { Row($0, at: now) }
        let time = max(8, rows.map(\.time.count).max() ?? 0)
        let number = max(2, rows.map(\.number.count).max() ?? 0)
        let method = max(6, rows.map(\.method.count).max() ?? 0)
        let lines = rows.map { row in
            let front = [
                row.number.leftPadded(to: number),
                row.time.leftPadded(to: time),
                style.paint(row.method.padded(to: method), row.isFlow ? .blue : .bold),
                style.paint(row.status.padded(to: 3), row.colour),
                row.size.leftPadded(to: 8),
                row.duration.leftPadded(to: 8),
            ].joined(separator: "  ")
            let rest = [row.url, row.detail].filter { !$0.isEmpty }.joined(separator: "  ")
            let used = number + time + method + 3 + 8 + 8 + 12
            return "\(front)  \(cut(rest, to: width.map { max(20, $0 - used) }))"
        }
        guard width != nil else { return lines }
        let heading =
            "\("ID".leftPadded(to: number))  \("TIME".padded(to: time))  \("METHOD".padded(to: method))  ---      SIZE      TIME  URL"
        return [style.paint(heading, .faint)] + lines
    }

    private func cut(_ text: String, to width: Int?) -> String {
        guard let width, text.count > width else { return text }
        return text.prefix(width - 1) + "…"
    }

    private struct Row {
        let number: String
        let time: String
        let method: String
        let status: String
        let colour: Style.Colour
        let size: String
        let duration: String
        let url: String
        let detail: String
        let isFlow: Bool

        init(_ event: TrafficEvent, at now: Timestamp) {
            switch event {
            case .exchange(let record): self.init(record, at: now)
            case .flow(let record): self.init(record, at: now)
            }
        }

        init(_ record: ExchangeRecord, at now: Timestamp) {
            number = "\(record.id.rawValue)"
            time = Plain.time(record.timings.started, at: now)
            method = Plain.printable(record.method)
            status = record.status.map { "\($0)" } ?? (record.outcome == nil ? "…" : "---")
            colour = record.status.map(Style.colour) ?? .red
            size = Plain.size(record.response?.body.length ?? 0)
            duration = record.timings.ended.map { Plain.duration($0 - record.timings.started) } ?? "…"
            url = Plain.printable(record.url)
            let remarks = [record.webSocketSummary, record.ruleSummary, record.trouble].compactMap(\.self)
            detail = Plain.printable(remarks.joined(separator: "  "))
            isFlow = false
        }

        init(_ record: FlowRecord, at now: Timestamp) {
            number = "\(record.id.rawValue)"
            time = Plain.time(record.opened, at: now)
            method = record.isFailed ? "FAILED" : "RELAYED"
            status = "---"
            colour = record.isFailed ? .red : .blue
            size = Plain.size(record.bytesFromServer)
            duration = record.closed.map { Plain.duration($0 - record.opened) } ?? "…"
            url = Plain.printable(record.authority ?? "from \(record.client)")
            detail = Plain.printable(record.cause)
            isFlow = true
        }
    }
}

extension String {
    /// The text with spaces before it, up to `width` characters.
    func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: Swift.max(0, width - count)) + self
    }
}
