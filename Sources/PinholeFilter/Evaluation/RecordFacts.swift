package import PinholeModel

/// Facts from the records of an exchange and its flow, or of a flow alone.
package struct RecordFacts: FilterFacts {
    /// The exchange; `nil` for a flow without an exchange.
    package var exchange: ExchangeRecord?
    /// The flow; `nil` if it is not known.
    package var flow: FlowRecord?
    /// Whether a user marked the item.
    package var isMarked = false
    /// The user's comment on the item; `nil` if there is none.
    package var comment: String?
    /// Returns the decoded bodies of an exchange; called only if a filter needs them.
    package var bodies: @Sendable (ExchangeRecord, TextField.Part) -> TextFacts

    /// Creates facts from records.
    ///
    /// - Parameters:
    ///   - exchange: The exchange; `nil` for a flow without an exchange.
    ///   - flow: The flow; `nil` if it is not known.
    ///   - bodies: Returns the decoded bodies and the messages of a WebSocket.
    package init(
        exchange: ExchangeRecord?,
        flow: FlowRecord?,
        bodies: @escaping @Sendable (ExchangeRecord, TextField.Part) -> TextFacts = { _, _ in TextFacts([]) }
    ) {
        self.exchange = exchange
        self.flow = flow
        self.bodies = bodies
    }

    /// The text that mitmproxy records for a mark without a chosen sign.
    package static let marker = ":default:"

    /// Whether `flag` holds.
    package func truth(of flag: FilterFlag) -> Truth {
        if flag == .marked { return Truth(isMarked) }
        if flag.source == .flow { return flow?.truth(of: flag) ?? .open }
        return exchange?.truth(of: flag) ?? flow?.truth(of: flag) ?? .open
    }

    /// Returns the texts of `field`.
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
        if case .graphQL(let fact) = field { return fact.texts(exchange.path, bodies(exchange, .request)) }
        return exchange.texts(of: field)
    }

    /// Returns the number of `field`.
    package func number(of field: NumberField) -> NumberFact {
        if field.source == .flow { return flow?.number(of: field) ?? .open }
        return exchange?.number(of: field) ?? flow?.number(of: field) ?? .open
    }
}
