import PinholeConsole
import PinholeModel
import PinholeRules

/// The flows that the capture's filter does not mean by themselves: one of their exchanges may bring them in.
struct DeferredFlows {
    /// Flows that began from this number on are judged; older ones are recorded in any case, being in the capture.
    private let first: Int64
    /// Open flows; `nil` for one that is recorded.
    private var open: [FlowID: FlowRecord?] = [:]

    init(from first: Int64) { self.first = first }

    /// What belongs into the capture of `events`.
    ///
    /// - Parameters:
    ///   - events: What was recorded; exchanges that do not belong there are not among them.
    ///   - scope: What belongs there.
    /// - Returns: That, flows that it brings in before it.
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
            case .flow, .bodyPart, .bodyPiece, .webSocketMessage, .webSocketPart, .leftOut:
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

    /// Whether a flow belongs there by itself: one that has exchanges comes with them, or not at all.
    private func isMeant(_ record: FlowRecord, _ scope: CaptureScope) -> Bool {
        guard record.exchanges == 0, record.closed != nil || !record.showsExchanges else { return false }
        return scope.law.means(record)
    }

    /// The flow of an exchange that is recorded, where it was not recorded yet.
    private mutating func bringIn(_ id: FlowID) -> FlowRecord? {
        guard id.rawValue >= first, let flow = open[id] ?? nil else {
            // It may not have been told of yet.
            if id.rawValue >= first { open.updateValue(nil, forKey: id) }
            return nil
        }
        open.updateValue(nil, forKey: id)
        return flow
    }
}
