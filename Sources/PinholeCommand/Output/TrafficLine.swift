import PinholeFormats
import PinholeModel
import PinholeSession

/// Traffic as lines for users.
struct TrafficLine: Sendable {
    /// The colours of the lines, or none.
    let style: Style
    /// Whether lines have more details: numbers of flows, addresses, notes.
    let isVerbose: Bool

    /// The fewest columns of a URL that are shown, on a terminal of any width.
    private static let narrowest = 24

    /// Returns the lines for `events`, each with its line break.
    ///
    /// A busy proxy prints 30,000 lines a second beside its traffic. So their parts go straight into one text, and
    /// columns are counted only for a terminal.
    ///
    /// - Parameters:
    ///   - events: The exchanges and flows.
    ///   - width: The columns of the terminal, to which a long URL is cut in its middle; `nil` to cut nothing.
    /// - Returns: The lines; text that does not fit is in a line below its own.
    func lines(_ events: [TrafficEvent], width: Int?) -> String {
        var text = ""
        for event in events {
            append(event, width: width, to: &text)
            text += "\n"
        }
        return text
    }

    private func append(_ event: TrafficEvent, width: Int?, to text: inout String) {
        switch event {
        case .exchange(let record): append(record, width, to: &text)
        case .flow(let record): append(record, width, to: &text)
        }
    }

    private func append(_ record: ExchangeRecord, _ width: Int?, to text: inout String) {
        var cells = Cells(style)
        cells.add(Plain.time(record.timings.started), .faint)
        cells.add(Plain.printable(record.method).padded(to: 7))
        cells.add(record.statusWord, Style.colour(of: record))
        var back = Cells(style)
        back.add(Plain.size(record.response?.body.length ?? 0))
        back.add(record.timings.ended.map { Plain.duration($0 - record.timings.started) } ?? "")
        if let summary = record.ruleSummary { back.add(summary, .blue) }
        if let operation = record.operation { back.add(Plain.printable(operation), .blue) }
        if let summary = record.webSocketSummary { back.add(Plain.printable(summary), .blue) }
        if isVerbose {
            back.add("#\(record.id.rawValue)", .faint)
            for note in record.notes { back.add(note.rawValue, .faint) }
        }
        let url = Plain.printable(record.url)
        if let width {
            let used = TextLayout.columns(of: cells.text) + TextLayout.columns(of: back.text) + 4
            cells.add(TextLayout.middle(url, max(Self.narrowest, width - used)))
        } else {
            cells.add(url)
        }
        cells.add(back.text)
        var remarks = ""
        if let trouble = record.trouble { remarks = Plain.printable(trouble) }
        if let hint = record.hint { remarks += (remarks.isEmpty ? "" : "  ") + Plain.printable(hint) }
        text += cells.text
        append(remark: remarks, .yellow, below: cells.text, width, to: &text)
    }

    private func append(_ record: FlowRecord, _ width: Int?, to text: inout String) {
        var cells = Cells(style)
        cells.add(Plain.time(record.closed ?? record.opened), .faint)
        cells.add(record.methodWord.padded(to: 7))
        cells.add(Standing.listWord(record.standing), Style.colour(of: record))
        cells.add(Plain.printable(record.authority ?? "from \(record.client)"))
        if !record.showsExchanges {
            let (sent, received) = (record.bytesFromClient, record.bytesFromServer)
            cells.add("\(Plain.size(sent)) sent, \(Plain.size(received)) received")
        }
        if isVerbose { cells.add("#\(record.id.rawValue) from \(record.client)", .faint) }
        text += cells.text
        let remark = Plain.printable(record.remark + record.reference)
        append(remark: remark, record.isFailed ? .yellow : .faint, below: cells.text, width, to: &text)
    }

    /// Appends a remark behind a line, or below it if the terminal is too narrow for both.
    private func append(
        remark: String,
        _ colour: Style.Colour,
        below line: String,
        _ width: Int?,
        to text: inout String
    ) {
        guard !remark.isEmpty else { return }
        guard let width, TextLayout.columns(of: line) + 2 + TextLayout.columns(of: remark) > width else {
            text += "  " + style.paint(remark, colour)
            return
        }
        for line in TextLayout.wrap(remark, max(20, width - 10)) {
            text += "\n" + String(repeating: " ", count: 10) + style.paint(line, colour)
        }
    }

    /// The cells of a line, with two spaces between them.
    private struct Cells {
        let style: Style
        private(set) var text = ""

        init(_ style: Style) { self.style = style }

        mutating func add(_ cell: String, _ colour: Style.Colour? = nil) {
            if !text.isEmpty { text += "  " }
            text += colour.map { style.paint(cell, $0) } ?? cell
        }
    }
}

extension ExchangeRecord {
    /// A note that rules matched the exchange; `nil` if none did, or if ``trouble`` names the rule.
    var ruleSummary: String? {
        notes.contains(.ruled) && trouble == protocolStatus?.trouble ? "matched rules" : nil
    }

    /// The status, or the result in a word for an exchange without one.
    var statusWord: String { status.map { "\($0)" } ?? Standing.listWord(standing) }

    /// The failure, or the proxy's own answer, in a sentence; `nil` if the exchange succeeded, or if its status says it.
    var trouble: String? {
        switch outcome {
        case .completed, .closedByClient, nil: protocolStatus?.trouble
        case .answeredByProxy(let reason): "answered by pinhole: \(reason)"
        case .aborted(let side, let reason): "aborted by the \(side.rawValue): \(reason)"
        case .abortedByUser: ExchangeOutcome.userDetail
        case .failed(let reason): "failed: \(reason)"
        }
    }
}

extension FlowRecord {
    /// The word in the column of methods, as in the console; a flow that is listed has no request.
    var methodWord: String {
        failedHandshake?.failure != nil || outcome?.kind == .spare ? "TLS" : "tunnel"
    }

    /// The section of the documentation for a handshake that looks pinned; empty for other flows.
    fileprivate var reference: String {
        guard failedHandshake?.failure?.cause == .looksPinned else { return "" }
        return " (docs/TROUBLESHOOTING.md#the-tls-handshake-fails)"
    }
}

extension String {
    /// Returns the text followed by spaces, up to `width` columns.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - TextLayout.columns(of: self)))
    }
}
