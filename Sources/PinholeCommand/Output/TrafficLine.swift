import PinholeConsole
import PinholeModel

/// Traffic as lines for people.
struct TrafficLine: Sendable {
    /// Colours or none.
    let style: Style
    /// Whether lines say more: numbers of flows, addresses, notes.
    let isVerbose: Bool

    /// The line for `event`.
    func text(_ event: TrafficEvent) -> String {
        switch event {
        case .exchange(let record): exchange(record)
        case .flow(let record): flow(record)
        }
    }

    private func exchange(_ record: ExchangeRecord) -> String {
        var columns = [
            style.paint(Plain.time(record.timings.started), .faint),
            record.method.padded(to: 7),
            record.status.map { style.paint("\($0)", Style.colour(ofStatus: $0)) }
                ?? style.paint("---", .red),
            Plain.printable(record.url),
            Plain.size(record.response?.body.length ?? 0),
            record.timings.ended.map { Plain.duration($0 - record.timings.started) } ?? "",
        ]
        if let summary = record.ruleSummary { columns.append(style.paint(summary, .blue)) }
        if let summary = record.webSocketSummary { columns.append(style.paint(summary, .blue)) }
        if let trouble = record.trouble { columns.append(style.paint(Plain.printable(trouble), .yellow)) }
        if isVerbose {
            columns.append(style.paint("#\(record.id.rawValue)", .faint))
            columns += record.notes.map { style.paint($0.rawValue, .faint) }
        }
        return columns.joined(separator: "  ")
    }

    private func flow(_ record: FlowRecord) -> String {
        var columns = [
            style.paint(Plain.time(record.closed ?? record.opened), .faint),
            record.isFailed ? style.paint("FAILED ", .red) : style.paint("RELAYED", .blue),
            "---",
            Plain.printable(record.authority ?? "from \(record.client)"),
            Plain.printable(record.cause),
        ]
        if !record.showsExchanges {
            let (sent, received) = (record.bytesFromClient, record.bytesFromServer)
            columns.append("\(Plain.size(sent)) sent, \(Plain.size(received)) received")
        }
        if isVerbose { columns.append(style.paint("#\(record.id.rawValue) from \(record.client)", .faint)) }
        return columns.joined(separator: "  ")
    }
}

extension ExchangeRecord {
    /// That rules matched it, whatever they did; `nil` where none did, or the answer of one says so.
    var ruleSummary: String? { notes.contains(.ruled) && trouble == nil ? "matched rules" : nil }

    /// What went wrong or was answered by the proxy itself, in a sentence; `nil` when all is well.
    var trouble: String? {
        switch outcome {
        case .completed, nil: nil
        case .answeredByProxy(let reason): "answered by pinhole: \(reason)"
        case .aborted(let side, let reason): "aborted by the \(side.rawValue): \(reason)"
        case .abortedByUser: ExchangeOutcome.userDetail
        case .failed(let reason): "failed: \(reason)"
        }
    }
}

extension FlowRecord {
    /// Why it ended so, in a sentence: the failed handshake's cause, or the outcome, or the rule.
    var cause: String {
        if let handshake = failedHandshake, let failure = handshake.failure {
            let certainty = failure.isHint ? "probably " : ""
            return
                "TLS with the \(handshake.peer.rawValue): \(certainty)\(failure.cause.rawValue): \(failure.detail)"
        }
        if isFailed { return outcome.map { "\($0.kind.rawValue): \($0.detail)" } ?? "" }
        return reason ?? treatment?.rawValue ?? ""
    }
}

extension String {
    /// The text with spaces after it, up to `width` characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
