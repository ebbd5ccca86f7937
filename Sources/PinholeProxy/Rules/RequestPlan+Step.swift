import PinholeModel
package import PinholeRules

/// What comes next in an exchange that rules mean, in either machine.
enum RuleStep: Equatable {
    /// Ask, and go on with the decision.
    case consult(Consultation)
    /// Answer in the server's place.
    case answer(Answer)
    /// End it without an answer; the text says why.
    case cut(isReset: Bool, String)
    /// Hold it until all of it is there.
    case hold
    /// Ask the server.
    case proceed
}

extension RequestPlan {
    /// Takes the next step; each is taken once.
    mutating func nextStep() -> RuleStep {
        if delay > .zero {
            defer { delay = .zero }
            return .consult(.wait(delay))
        }
        switch ending {
        case nil:
            guard !tasks.isEmpty else { return .proceed }
            let message = HeldMessage(request: request, tasks: tasks)
            guard message.isHeadAlone else { return .hold }
            tasks = []
            return .consult(.message(message))
        case .mock(let mock):
            guard case .bytes(let body) = mock.content else {
                return .consult(.file(mock, reason: reason))
            }
            return .answer(Answer(mock, body: body, reason: reason))
        case .local(let map): return .consult(.local(map, path: request.path, reason: reason))
        case .replay(let replay):
            // Its task looks for the request once its body is there.
            if replay.match == .strict, !tasks.isEmpty { return .hold }
            // Where nothing was recorded, the server may be asked.
            ending = nil
            return .consult(.replay(replay, request, body: nil, reason: reason))
        case .close: return .cut(isReset: false, reason)
        case .reset: return .cut(isReset: true, reason)
        }
    }

    /// Why the proxy answers, for the record.
    private var reason: String { "the rule “\(hits.last?.rule ?? "")” \(hits.last?.effect ?? "")" }

    /// What is dialed, where it is not what the client asked for.
    ///
    /// - Parameter protocols: What is offered in ALPN.
    /// - Returns: The target; `nil` where it is the same.
    func target(offering protocols: [String]) -> DialTarget? {
        guard isElsewhere else { return nil }
        let authority = request.authority
        let name = ServerName(authority: authority, host: authority.host, applicationProtocols: protocols)
        var target = DialTarget(
            authority: authority,
            serverName: request.scheme == .https ? name : nil,
            mayReuse: true
        )
        target.isPlain = request.scheme == .http
        return target
    }

    /// What the request names as its server, where that is not what the client wrote.
    var shownAuthority: String? {
        isElsewhere && !keepsHost ? request.authority.text(defaultPort: request.scheme.defaultPort) : nil
    }
}

extension Answer {
    /// Makes the answer of a rule.
    ///
    /// - Parameters:
    ///   - mock: Status and fields.
    ///   - body: The content.
    ///   - reason: Why the proxy answers, for the record.
    package init(_ mock: MockAnswer, body: [UInt8], reason: String) {
        self.init(
            status: mock.status,
            fields: mock.fields.map { Field($0.name, $0.value) },
            body: body,
            reason: reason
        )
    }
}
