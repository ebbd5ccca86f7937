package import PinholeModel

extension ExchangeRecord {
    /// Whether `flag` holds, as far as the exchange can tell.
    package func truth(of flag: FilterFlag) -> Truth {
        switch flag {
        case .http: .yes
        case .https: Truth(scheme == .https)
        case .answered: Truth(response != nil)
        case .unanswered: Truth(response == nil)
        case .running: Truth(outcome == nil)
        case .failed: failure
        case .websocket: settled(notes.contains(.webSocket))
        case .reused: settled(notes.contains(.connectionReused))
        case .retried: settled(notes.contains(.retried))
        case .ruled: settled(notes.contains(.ruled))
        case .grpc:
            has(type: .either) { CaseFolding.isEqual($0.prefix(16), Array("application/grpc".utf8)) }
        case .sse:
            has(type: .response) { CaseFolding.isEqual($0.prefix(17), Array("text/event-stream".utf8)) }
        case .asset: has(type: .response, AssetType.includes)
        case .marked, .spare: .no
        case .tls, .tlsFailed, .tlsAlert, .pinned, .resumed, .relayed, .intercepted: .open
        }
    }

    /// The texts of `field`, as far as the exchange can tell.
    func texts(of field: TextField) -> TextFacts {
        switch field {
        case .method: TextFacts(method)
        case .host: TextFacts(authority.host.description)
        case .path: TextFacts(String(path.prefix { $0 != "?" }))
        case .query: TextFacts(path.firstIndex(of: "?").map { String(path[path.index(after: $0)...]) })
        case .url: TextFacts(url)
        case .scheme: TextFacts(scheme.rawValue)
        case .outcome: TextFacts(outcome?.kind.rawValue, isComplete: outcome != nil)
        case .error: TextFacts(outcome?.detail, isComplete: outcome != nil)
        case .comment, .marker: TextFacts([])
        // A request of HTTP/2 goes on while its login is verified.
        case .proxyUser: TextFacts(proxyUser, isComplete: proxyUser != nil || outcome != nil)
        case .headers(let part): fields(part) { $0.lines }
        case .header(let part, let name): fields(part) { $0.values(of: name) }
        case .contentType(let part): fields(part) { $0.values(of: "content-type") }
        case .body, .client, .process, .server, .destination, .treatment, .serverName, .applicationProtocol,
            .version,
            .cipher, .cause, .alert:
            TextFacts([], isComplete: false)
        }
    }

    /// The number of `field`.
    func number(of field: NumberField) -> NumberFact {
        let isOver = outcome != nil
        let started = timings.started
        switch field {
        case .status: return NumberFact(status.map(Int64.init), isComplete: isOver)
        case .port: return .known(Int64(authority.port))
        case .id: return .known(id.rawValue)
        case .flow: return .known(flow.rawValue)
        case .pid: return .open
        case .messages: return isOver ? .known(messages) : .growing(messages)
        case .requestSize:
            return isOver || request.body.isComplete
                ? .known(request.body.length) : .growing(request.body.length)
        case .responseSize:
            guard let body = response?.body else { return isOver ? .absent : .open }
            return isOver || body.isComplete ? .known(body.length) : .growing(body.length)
        case .size:
            let length = request.body.length + (response?.body.length ?? 0)
            let isComplete = request.body.isComplete && response?.body.isComplete == true
            return isOver || isComplete ? .known(length) : .growing(length)
        case .duration:
            return NumberFact(timings.ended.map { ($0 - started).microseconds }, isComplete: isOver)
        case .firstByte:
            return NumberFact(timings.responseStarted.map { ($0 - started).microseconds }, isComplete: isOver)
        case .blocked: return NumberFact(timings.blocked?.microseconds, isComplete: isOver)
        case .resolve: return NumberFact(timings.resolve?.microseconds, isComplete: isOver)
        case .connect: return NumberFact(timings.connect?.microseconds, isComplete: isOver)
        case .tlsTime: return NumberFact(timings.tls?.microseconds, isComplete: isOver)
        case .time: return .known(started.microseconds)
        }
    }

    /// What is noted stays noted; what is not may still be while it goes on.
    private func settled(_ holds: Bool) -> Truth { holds ? .yes : outcome == nil ? .open : .no }

    private var failure: Truth {
        switch outcome {
        case nil: .open
        case .completed, .closedByClient: .no
        // Without a status the proxy closed, and the client has no answer.
        case .answeredByProxy: Truth(status.map { $0 >= 400 } ?? true)
        case .aborted, .abortedByUser, .failed: .yes
        }
    }

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

    /// `name: value`, as mitmproxy matches them.
    fileprivate var lines: [[UInt8]] {
        [fields, HeaderFields(section: trailers)].flatMap { fields in
            fields.indices.map { Array(fields.name(at: $0)) + Array(": ".utf8) + Array(fields.value(at: $0)) }
        }
    }
}
