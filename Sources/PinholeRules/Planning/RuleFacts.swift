import PinholeFilter
import PinholeModel

/// What is known of an exchange at the point where rules are asked: its request, maybe its response, and its flow.
///
/// What is still to come is open, so a rule whose filter needs it does not act.
struct RuleFacts: FilterFacts {
    let request: RuleRequest
    let response: RuleResponse?
    private let flow: FlowRecord?
    private var hostTexts: TextFacts?

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
        case .failed, .reused, .retried, .ruled: .open
        // Nobody has seen it yet.
        case .marked, .spare: .no
        case .tls, .tlsFailed, .tlsAlert, .pinned, .resumed, .relayed, .intercepted:
            RecordFacts(exchange: nil, flow: flow).truth(of: flag)
        }
    }

    mutating func texts(of field: TextField) -> TextFacts {
        switch field {
        case .host:
            // Every rule asks for it.
            if let hostTexts { return hostTexts }
            let texts = TextFacts(request.authority.host.description)
            hostTexts = texts
            return texts
        case .method: return TextFacts(request.method)
        case .path: return TextFacts(String(request.path.prefix { $0 != "?" }))
        case .query:
            let path = request.path
            return TextFacts(path.firstIndex(of: "?").map { String(path[path.index(after: $0)...]) })
        case .url: return TextFacts(request.url)
        case .scheme: return TextFacts(request.scheme.rawValue)
        case .headers(let part):
            return fields(part) { fields, index in
                Array(fields.name(at: index)) + Array(": ".utf8) + Array(fields.value(at: index))
            }
        case .header(let part, let name):
            return fields(part) { $0.isNamed(name, at: $1) ? Array($0.value(at: $1)) : nil }
        case .contentType(let part): return types(part)
        // It is found out beside the traffic, and a rule must not act by chance.
        case .outcome, .error, .process, .body: return TextFacts([], isComplete: false)
        case .comment, .marker: return TextFacts([])
        // Who has to log in has done so when rules are asked.
        case .proxyUser: return TextFacts(flow?.proxyUser)
        case .client, .server, .destination, .treatment, .serverName, .applicationProtocol, .version, .cipher,
            .cause, .alert:
            return RecordFacts(exchange: nil, flow: flow).texts(of: field)
        }
    }

    func number(of field: NumberField) -> NumberFact {
        switch field {
        case .port: .known(Int64(request.authority.port))
        case .status: response.map { .known(Int64($0.status)) } ?? .open
        case .flow: flow.map { .known($0.id.rawValue) } ?? .open
        case .id, .pid, .messages, .size, .requestSize, .responseSize, .duration, .firstByte, .blocked,
            .resolve,
            .connect, .tlsTime, .time:
            .open
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
