import PinholeConsole
import PinholeModel

/// Traffic as lines for people.
struct TrafficLine: Sendable {
    /// Colours or none.
    let style: Style
    /// Whether lines say more: numbers of flows, addresses, notes.
    let isVerbose: Bool

    /// The fewest columns of a URL that are shown, on a terminal of any width.
    private static let narrowest = 24

    /// The line for `event`.
    ///
    /// - Parameters:
    ///   - event: The exchange or flow.
    ///   - width: The columns of the terminal, to which a long URL is cut in its middle; `nil` to cut nothing.
    /// - Returns: The line, followed by a second line for text that does not fit.
    func text(_ event: TrafficEvent, width: Int?) -> String {
        switch event {
        case .exchange(let record): exchange(record, width)
        case .flow(let record): flow(record, width)
        }
    }

    private func exchange(_ record: ExchangeRecord, _ width: Int?) -> String {
        let remarks = [record.trouble, record.hint].compactMap { $0 }.map { Plain.printable($0) }
        var front = [
            Cell(Plain.time(record.timings.started), .faint),
            Cell(Plain.printable(record.method).padded(to: 7)),
            record.status.map { Cell("\($0)", Style.colour(ofStatus: $0)) } ?? Cell(record.statusWord, .red),
        ]
        var back = [
            Cell(Plain.size(record.response?.body.length ?? 0)),
            Cell(record.timings.ended.map { Plain.duration($0 - record.timings.started) } ?? ""),
        ]
        if let summary = record.ruleSummary { back.append(Cell(summary, .blue)) }
        if let summary = record.webSocketSummary { back.append(Cell(Plain.printable(summary), .blue)) }
        if isVerbose {
            back.append(Cell("#\(record.id.rawValue)", .faint))
            back += record.notes.map { Cell($0.rawValue, .faint) }
        }
        front.append(url(record.url, beside: front + back, width))
        return line(
            front + back,
            below: remarks.isEmpty ? nil : Cell(remarks.joined(separator: "  "), .yellow),
            width
        )
    }

    private func flow(_ record: FlowRecord, _ width: Int?) -> String {
        var cells = [
            Cell(Plain.time(record.closed ?? record.opened), .faint),
            Cell(record.methodWord.padded(to: 7)),
            Cell(record.standing, record.isFailed ? .red : .blue),
            Cell(Plain.printable(record.authority ?? "from \(record.client)")),
        ]
        if !record.showsExchanges {
            let (sent, received) = (record.bytesFromClient, record.bytesFromServer)
            cells.append(Cell("\(Plain.size(sent)) sent, \(Plain.size(received)) received"))
        }
        if isVerbose { cells.append(Cell("#\(record.id.rawValue) from \(record.client)", .faint)) }
        let cause = Plain.printable(record.cause)
        return line(
            cells,
            below: cause.isEmpty ? nil : Cell(cause, record.isFailed ? .yellow : .faint),
            width
        )
    }

    /// A piece of a line and its colour.
    private struct Cell {
        let text: String
        let colour: Style.Colour?

        init(_ text: String, _ colour: Style.Colour? = nil) { (self.text, self.colour) = (text, colour) }
    }

    /// The URL, cut to what the other cells leave of the terminal.
    private func url(_ url: String, beside cells: [Cell], _ width: Int?) -> Cell {
        let text = Plain.printable(url)
        guard let width else { return Cell(text) }
        let used = cells.reduce(0) { $0 + TextLayout.columns(of: $1.text) + 2 }
        return Cell(TextLayout.middle(text, max(Self.narrowest, width - used)))
    }

    /// The cells in one line, followed by the failure; a narrow terminal gets the failure in the next line.
    private func line(_ cells: [Cell], below remark: Cell?, _ width: Int?) -> String {
        let text = cells.map(painted).joined(separator: "  ")
        guard let remark else { return text }
        let used = cells.reduce(0) { $0 + TextLayout.columns(of: $1.text) + 2 }
        guard let width, used + TextLayout.columns(of: remark.text) > width else {
            return "\(text)  \(painted(remark))"
        }
        let lines = TextLayout.wrap(remark.text, max(20, width - 10)).map {
            String(repeating: " ", count: 10) + painted(Cell($0, remark.colour))
        }
        return ([text] + lines).joined(separator: "\n")
    }

    private func painted(_ cell: Cell) -> String {
        cell.colour.map { style.paint(cell.text, $0) } ?? cell.text
    }
}

extension ExchangeRecord {
    /// That rules matched it, whatever they did; `nil` where none did, or the answer of one says so.
    var ruleSummary: String? { notes.contains(.ruled) && trouble == nil ? "matched rules" : nil }

    /// The outcome in a word, for an exchange without a status.
    var statusWord: String {
        switch outcome {
        case nil: "…"
        case .aborted, .abortedByUser: "ABORTED"
        case .failed: "FAILED"
        case .completed, .closedByClient, .answeredByProxy: "-"
        }
    }

    /// What went wrong or was answered by the proxy itself, in a sentence; `nil` when all is well.
    var trouble: String? {
        switch outcome {
        case .completed, .closedByClient, nil: nil
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

    /// The outcome of the connection, in a word.
    var standing: String {
        if isFailed { return "FAILED" }
        return outcome?.kind == .spare ? "SPARE" : "RELAYED"
    }

    /// Why it ended so, in a sentence: the failed handshake's cause, or the outcome, or the rule.
    var cause: String {
        if let handshake = failedHandshake, let failure = handshake.failure {
            let certainty = failure.isHint ? "probably " : ""
            return
                "TLS with the \(handshake.peer.rawValue): \(certainty)\(failure.cause.rawValue): \(failure.detail)"
        }
        if outcome?.kind == .spare { return outcome?.detail ?? "" }
        if isFailed { return outcome.map { "\($0.kind.rawValue): \($0.detail)" } ?? "" }
        return reason ?? treatment?.rawValue ?? ""
    }
}

extension String {
    /// The text with spaces after it, up to `width` columns.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - TextLayout.columns(of: self)))
    }
}
