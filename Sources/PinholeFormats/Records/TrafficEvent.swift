package import PinholeModel

/// An event that has a line in live output.
package enum TrafficEvent: Sendable {
    /// An exchange that is over, without heads and bodies, so that a long queue stays small.
    case exchange(ExchangeRecord)
    /// A flow that is over and that failed, or whose content was not seen.
    case flow(FlowRecord)

    /// Takes a recorded event; `nil` if the event has no line.
    package init?(_ event: FlowEvent) {
        switch event {
        case .exchange(let record) where record.outcome != nil:
            var record = record
            record.request.head = []
            record.request.body.inline = []
            record.response?.head = []
            record.response?.body.inline = []
            record.informational = []
            self = .exchange(record)
        case .flow(let record) where record.closed != nil && (record.isFailed || !record.showsExchanges):
            self = .flow(record)
        case .flow, .clientProcess, .exchange, .bodyPart, .bodyPiece, .webSocketMessage, .webSocketPart,
            .packet, .secret,
            .leftOut:
            return nil
        }
    }
}

extension FlowRecord {
    /// Whether exchanges of the flow were recorded one by one.
    package var showsExchanges: Bool {
        switch treatment {
        case .passedThrough, .opaque: false
        case .intercepted, .plain, .local, nil: true
        }
    }
}
