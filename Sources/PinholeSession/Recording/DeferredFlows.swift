import PinholeFormats
import PinholeModel
import PinholeRules

/// The flows that the capture's filter does not match; they are recorded if one of their exchanges is.
struct DeferredFlows {
    /// The first number of a flow that is judged; older flows are in the capture already.
    private let first: Int64
    /// The open flows; `nil` for a flow that is recorded.
    private var open: [FlowID: FlowRecord?] = [:]

    init(from first: Int64) { self.first = first }

    /// Returns the events that belong in the capture.
    ///
    /// - Parameters:
    ///   - events: The events, without exchanges that do not belong in the capture.
    ///   - scope: The scope of the capture.
    /// - Returns: The events, with the deferred flow of an exchange before it.
    mutating func sift(_ events: [FlowEvent], _ scope: CaptureScope) -> [FlowEvent] {
        var kept: [FlowEvent] = []
        kept.reserveCapacity(events.count)
        for event in events {
            switch event {
            case .flow(let record) where record.id.rawValue >= first:
                if keeps(record, scope) { kept.append(event) }
            case .clientProcess(let id, let process):
                if open[id] ?? nil != nil { open[id]??.clientProcess = process } else { kept.append(event) }
            case .exchange(let record):
                if let flow = bringIn(record.flow) { kept.append(.flow(flow)) }
                kept.append(event)
            case .flow, .bodyPart, .bodyPiece, .webSocketMessage, .webSocketPart, .leftOut, .packet,
                .secret:
                kept.append(event)
            }
        }
        return kept
    }

    private mutating func keeps(_ record: FlowRecord, _ scope: CaptureScope) -> Bool {
        let isRecorded = open[record.id].map { $0 == nil } ?? false
        let isKept = isRecorded || !scope.isNarrow || isMeant(record, scope)
        if record.closed != nil {
            open.removeValue(forKey: record.id)
        } else {
            open.updateValue(isKept ? nil : record, forKey: record.id)
        }
        return isKept
    }

    /// Whether the filter matches a flow without exchanges; a flow with exchanges is recorded with them, or not at all.
    private func isMeant(_ record: FlowRecord, _ scope: CaptureScope) -> Bool {
        guard record.exchanges == 0, record.closed != nil || !record.showsExchanges else { return false }
        return scope.law.means(record)
    }

    /// Returns the flow of a recorded exchange, if the flow was not recorded yet.
    private mutating func bringIn(_ id: FlowID) -> FlowRecord? {
        guard id.rawValue >= first, let flow = open[id] ?? nil else {
            // The event of the flow may still be to come.
            if id.rawValue >= first { open.updateValue(nil, forKey: id) }
            return nil
        }
        open.updateValue(nil, forKey: id)
        return flow
    }
}
