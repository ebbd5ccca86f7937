package import PinholeModel

/// Something that is worth a line while traffic passes.
package enum TrafficEvent: Sendable {
    /// An exchange is over. Heads and bodies were taken out, so that a long queue stays small.
    case exchange(ExchangeRecord)
    /// A flow is over that failed, or whose inside was not seen.
    case flow(FlowRecord)

    /// What is worth a line of what is recorded; `nil` for the rest.
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
            .leftOut:
            return nil
        }
    }
}

extension FlowRecord {
    /// Whether its exchanges were seen one by one.
    package var showsExchanges: Bool {
        switch treatment {
        case .passedThrough, .opaque: false
        case .intercepted, .plain, .local, nil: true
        }
    }

    /// The handshake that failed, the client's first.
    package var failedHandshake: HandshakeRecord? {
        [clientHandshake, serverHandshake].compactMap(\.self).first { $0.failure != nil }
    }
}
