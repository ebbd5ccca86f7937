import PinholeModel
package import PinholeRules

/// The next step of the plan that rules made for an exchange.
enum RuleStep: Equatable {
    /// Ask this question, and continue with the decision.
    case consult(Consultation)
    /// Answer instead of the server.
    case answer(Answer)
    /// End the exchange without a response; the text says why.
    case cut(isReset: Bool, String)
    /// Hold the request until it is complete.
    case hold
    /// Send the request to the server.
    case proceed
}

extension RequestPlan {
    /// Removes and returns the next step of the plan.
    mutating func nextStep() -> RuleStep {
        if delay > .zero {
            defer { delay = .zero }
            return .consult(.wait(delay))
        }
        // Breakpoints and programs are asked before a later rule answers.
        if !tasks.isEmpty {
            let message = HeldMessage(request: request, tasks: tasks)
            guard message.isHeadAlone else { return .hold }
            tasks = []
            return .consult(.message(message))
        }
        switch ending {
        case nil: return .proceed
        case .mock(let mock):
            guard case .bytes(let body) = mock.content else {
                return .consult(.file(mock, request, reason: reason))
            }
            return .answer(Answer(mock, body: body, reason: reason))
        case .local(let map): return .consult(.local(map, request, reason: reason))
        case .replay(let replay):
            // If nothing was recorded, the server may be asked.
            ending = nil
            return .consult(.replay(replay, request, body: nil, reason: reason))
        case .close: return .cut(isReset: false, reason)
        case .reset: return .cut(isReset: true, reason)
        }
    }

    /// The reason for the proxy's own answer, for the record.
    private var reason: String { "the rule “\(hits.last?.rule ?? "")” \(hits.last?.effect ?? "")" }

    /// Returns the server that rules have chosen instead of the client's.
    ///
    /// - Parameter protocols: The protocols to offer in ALPN.
    /// - Returns: The target, or `nil` if rules have not changed the server.
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

    /// The name of the server in the request; `nil` if it is the one that the client wrote.
    var shownAuthority: String? {
        isElsewhere && !keepsHost ? request.authority.text(defaultPort: request.scheme.defaultPort) : nil
    }
}

extension Answer {
    /// Creates the answer that a rule gives.
    ///
    /// - Parameters:
    ///   - mock: The status and the fields.
    ///   - body: The body.
    ///   - reason: The reason for the answer, for the record.
    package init(_ mock: MockAnswer, body: [UInt8], reason: String) {
        self.init(
            status: mock.status,
            fields: mock.fields.map { HeaderLine($0.name, $0.value) },
            body: body,
            reason: reason
        )
    }
}
