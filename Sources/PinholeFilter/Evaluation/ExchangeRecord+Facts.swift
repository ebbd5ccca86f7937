package import PinholeModel

extension ExchangeRecord {
    /// Whether `flag` holds for the exchange; `open` if only its flow or its future can tell.
    package func truth(of flag: FilterFlag) -> Truth {
        switch flag {
        case .http: .yes
        case .https: Truth(scheme == .https)
        case .answered: Truth(response != nil)
        case .unanswered: Truth(response == nil)
        case .running: Truth(outcome == nil)
        case .failed: settled(isFailed)
        case .broken: settled(isBroken)
        case .websocket: settled(notes.contains(.webSocket))
        case .reused: settled(notes.contains(.connectionReused))
        case .retried: settled(notes.contains(.retried))
        case .sloppy: settled(notes.contains { $0.brokenRule != nil })
        case .ruled: settled(notes.contains(.ruled))
        case .grpc:
            has(type: .either) { CaseFolding.isEqual($0.prefix(16), Array("application/grpc".utf8)) }
        case .sse:
            has(type: .response) { CaseFolding.isEqual($0.prefix(17), Array("text/event-stream".utf8)) }
        case .asset: has(type: .response, AssetType.includes)
        case .marked, .spare, .tlsAnswered: .no
        case .tls, .tlsFailed, .tlsAlert, .pinned, .resumed, .relayed, .intercepted: .open
        }
    }

    /// Returns the texts of `field` in the exchange; bodies are left open.
    package func texts(of field: TextField) -> TextFacts {
        switch field {
        case .named(let field): field.exchange?.texts(of: self) ?? TextFacts([], isComplete: false)
        case .comment, .marker: TextFacts([])
        case .headers(let part): fields(part) { $0.lines }
        case .header(let part, let name): fields(part) { $0.values(of: name) }
        case .contentType(let part): fields(part) { $0.values(of: "content-type") }
        case .body, .graphQL: TextFacts([], isComplete: false)
        }
    }

    /// Returns the number of `field`; `open` if only the flow has it.
    package func number(of field: NumberField) -> NumberFact {
        field.field.exchange?.number(of: self) ?? .open
    }

    /// Returns the truth of a fact that may still be added while the exchange runs.
    private func settled(_ holds: Bool) -> Truth { holds ? .yes : outcome == nil ? .open : .no }

    private func has(type part: TextField.Part, _ holds: ([UInt8]) -> Bool) -> Truth {
        let types = texts(of: .contentType(part))
        if types.values.contains(where: holds) { return .yes }
        return types.isComplete ? .no : .open
    }

    private func fields(_ part: TextField.Part, _ texts: (MessageRecord) -> [[UInt8]]) -> TextFacts {
        var values: [[UInt8]] = []
        if part != .response { values += texts(request) }
        guard part != .request else { return TextFacts(values) }
        if let response { values += texts(response) }
        return TextFacts(values, isComplete: response != nil || outcome != nil)
    }
}

extension MessageRecord {
    fileprivate func values(of name: String) -> [[UInt8]] {
        [fields, HeaderFields(section: trailers)].flatMap { fields in
            fields.indices.filter { fields.isNamed(name, at: $0) }.map { Array(fields.value(at: $0)) }
        }
    }

    /// The field lines as `name: value`, the form that mitmproxy matches.
    fileprivate var lines: [[UInt8]] {
        [fields, HeaderFields(section: trailers)].flatMap { fields in
            fields.indices.map { Array(fields.name(at: $0)) + Array(": ".utf8) + Array(fields.value(at: $0)) }
        }
    }
}
