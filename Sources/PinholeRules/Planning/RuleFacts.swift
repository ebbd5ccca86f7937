import PinholeFilter
import PinholeModel

/// The facts about an exchange when rules are evaluated: its request, possibly its response, and its flow.
///
/// Facts that are still to come are open, so a rule whose filter needs them does not act.
struct RuleFacts: FilterFacts {
    let request: RuleRequest
    let response: RuleResponse?
    private let flow: FlowRecord?
    private var hostTexts: TextFacts?
    private var record: ExchangeRecord?

    init(_ request: RuleRequest, _ response: RuleResponse?, flow: FlowRecord?) {
        self.request = request
        self.response = response
        self.flow = flow
    }

    func truth(of flag: FilterFlag) -> Truth {
        switch flag {
        case .http: .yes
        case .https: Truth(request.scheme == .https)
        case .answered: Truth(response != nil)
        case .unanswered: Truth(response == nil)
        case .running: .yes
        case .websocket: Truth(request.asksForWebSocket)
        case .grpc: type(.either) { CaseFolding.isEqual($0.prefix(16), Array("application/grpc".utf8)) }
        case .sse: type(.response) { CaseFolding.isEqual($0.prefix(17), Array("text/event-stream".utf8)) }
        case .asset: type(.response, AssetType.includes)
        case .failed, .broken, .reused, .retried, .sloppy, .ruled: .open
        // No person has seen the exchange yet.
        case .marked, .spare, .tlsAnswered: .no
        case .tls, .tlsFailed, .tlsAlert, .pinned, .resumed, .relayed, .intercepted:
            RecordFacts(exchange: nil, flow: flow).truth(of: flag)
        }
    }

    mutating func texts(of field: TextField) -> TextFacts {
        switch field {
        case .host:
            // Every rule asks for the host, so its text is cached.
            if let hostTexts { return hostTexts }
            let texts = TextFacts(request.authority.host.description)
            hostTexts = texts
            return texts
        case .named(let named):
            guard named.exchange?.filter != nil else {
                // The process is found in parallel to the traffic, and a rule must not act by chance.
                return named.stage == .end
                    ? TextFacts([], isComplete: false)
                    : RecordFacts(exchange: nil, flow: flow).texts(of: field)
            }
            var texts = exchange.texts(of: field)
            texts.isComplete = isKnown(named)
            return texts
        case .headers(let part):
            return fields(part) { fields, index in
                Array(fields.name(at: index)) + Array(": ".utf8) + Array(fields.value(at: index))
            }
        case .header(let part, let name):
            return fields(part) { $0.isNamed(name, at: $1) ? Array($0.value(at: $1)) : nil }
        case .contentType(let part): return types(part)
        case .body: return TextFacts([], isComplete: false)
        case .graphQL(let fact):
            return fact.texts(of: request.operations ?? [], isComplete: request.operations != nil)
        case .comment, .marker: return TextFacts([])
        }
    }

    mutating func number(of field: NumberField) -> NumberFact {
        if field == .flow { return flow.map { .known($0.id.rawValue) } ?? .open }
        guard isKnown(field.field) else { return .open }
        return exchange.number(of: field)
    }

    /// Whether the value is known at this point; users have logged in when rules are asked.
    private func isKnown(_ field: NamedField) -> Bool {
        switch field.stage {
        case .request: true
        case .response: response != nil
        case .end: false
        }
    }

    /// The exchange as it is recorded at this point.
    private var exchange: ExchangeRecord {
        mutating get {
            if let record { return record }
            var record = ExchangeRecord(
                id: ExchangeID(rawValue: 0),
                flow: flow?.id ?? FlowID(rawValue: 0),
                scheme: request.scheme,
                authority: request.authority,
                proxyUser: flow?.proxyUser,
                method: request.method,
                path: request.path,
                request: MessageRecord(head: []),
                timings: ExchangeTimings(started: Timestamp(microseconds: 0))
            )
            record.status = response.map { Int($0.status) }
            if let response { record.noteResponse(response.fields) }
            self.record = record
            return record
        }
    }

    private func types(_ part: TextField.Part) -> TextFacts {
        fields(part) { $0.isNamed("content-type", at: $1) ? Array($0.value(at: $1)) : nil }
    }

    private func type(_ part: TextField.Part, _ holds: ([UInt8]) -> Bool) -> Truth {
        let types = types(part)
        if types.values.contains(where: holds) { return .yes }
        return types.isComplete ? .no : .open
    }

    private func fields(
        _ part: TextField.Part,
        _ text: (HeaderFields, Int) -> [UInt8]?
    ) -> TextFacts {
        var values: [[UInt8]] = []
        if part != .response {
            values += request.fields.indices.compactMap { text(request.fields, $0) }
        }
        guard part != .request else { return TextFacts(values) }
        guard let response else { return TextFacts(values, isComplete: false) }
        return TextFacts(values + response.fields.indices.compactMap { text(response.fields, $0) })
    }
}
