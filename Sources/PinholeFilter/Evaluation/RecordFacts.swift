package import PinholeModel

/// What is known of an exchange with its flow, or of a flow alone, from their records.
package struct RecordFacts: FilterFacts {
    /// The exchange; `nil` for a flow by itself.
    package var exchange: ExchangeRecord?
    /// The flow; `nil` where it is not known.
    package var flow: FlowRecord?
    /// Whether somebody marked it.
    package var isMarked = false
    /// What somebody said of it; `nil` for nothing.
    package var comment: String?
    /// The bodies of an exchange, decoded; only asked for where a filter needs them.
    package var bodies: @Sendable (ExchangeRecord, TextField.Part) -> TextFacts

    /// Creates facts from records.
    ///
    /// - Parameters:
    ///   - exchange: The exchange; `nil` for a flow by itself.
    ///   - flow: The flow; `nil` where it is not known.
    ///   - bodies: The bodies, decoded, and the messages of a WebSocket.
    package init(
        exchange: ExchangeRecord?,
        flow: FlowRecord?,
        bodies: @escaping @Sendable (ExchangeRecord, TextField.Part) -> TextFacts = { _, _ in TextFacts([]) }
    ) {
        self.exchange = exchange
        self.flow = flow
        self.bodies = bodies
    }

    /// What mitmproxy calls a mark that nobody chose a sign for.
    package static let marker = ":default:"

    /// Whether `flag` holds.
    package func truth(of flag: FilterFlag) -> Truth {
        if flag == .marked { return Truth(isMarked) }
        if flag.source == .flow { return flow?.truth(of: flag) ?? .open }
        return exchange?.truth(of: flag) ?? flow?.truth(of: flag) ?? .open
    }

    /// The texts of `field`.
    package func texts(of field: TextField) -> TextFacts {
        switch field {
        case .comment: return TextFacts(comment)
        case .marker: return TextFacts(isMarked ? Self.marker : nil)
        default: break
        }
        if field.source == .flow {
            return flow?.texts(of: field) ?? TextFacts([], isComplete: false)
        }
        guard let exchange else { return flow?.texts(of: field) ?? TextFacts([], isComplete: false) }
        if case .body(let part) = field { return bodies(exchange, part) }
        return exchange.texts(of: field)
    }

    /// The number of `field`.
    package func number(of field: NumberField) -> NumberFact {
        if field.source == .flow { return flow?.number(of: field) ?? .open }
        return exchange?.number(of: field) ?? flow?.number(of: field) ?? .open
    }
}
