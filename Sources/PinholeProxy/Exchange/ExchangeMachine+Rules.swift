import PinholeModel
import PinholeRules
import PinholeWire

/// The work of rules: questions, changes and answers.
extension ExchangeMachine {
    /// Applies the rules for requests to the request.
    ///
    /// - Parameters:
    ///   - authority: The server under the name that is recorded.
    ///   - now: The time, which also seeds random delays.
    ///   - flow: The record of the connection.
    ///   - commands: The list to which commands are appended.
    /// - Returns: The next step of the exchange.
    mutating func rule(
        _ authority: Authority,
        at now: Timestamp,
        flow: @autoclosure () -> FlowRecord,
        into commands: inout [ConversationCommand]
    ) -> ExchangeStep {
        let rules = policy.value.rules
        guard rules.concernsRequests else { return .send }
        let request = knowingOperations(RuleRequest(request, scheme, authority))
        guard rules.asksForOperations, request.operations == nil else {
            return judge(request, at: now, flow: flow(), into: &commands)
        }
        let flow = flow().of(user)
        let tasks = rules.waiting(for: request) { flow }
        guard !tasks.isEmpty else { return judge(request, at: now, flow: flow, into: &commands) }
        let plan = RequestPlan(request: request, tasks: tasks)
        ruling = Ruling(original: request, plan: plan, unjudged: Unjudged(flow: flow, time: now))
        return holdRequest(into: &commands)
    }

    /// Makes the plan for a request of which the rules know as much as they can.
    private mutating func judge(
        _ request: RuleRequest,
        at now: Timestamp,
        flow: @autoclosure () -> FlowRecord,
        into commands: inout [ConversationCommand]
    ) -> ExchangeStep {
        let gathered = ruling?.gathered
        let user = user
        let found = policy.value.rules.plan(request) { flow().of(user) }
        guard var plan = found ?? gathered.map({ _ in RequestPlan(request: request) }) else {
            ruling = nil
            return .send
        }
        if gathered != nil, self.request.expectsContinue {
            // The proxy has sent the 100 (Continue).
            plan.request.fields.removeAll(named: "expect")
            plan.isChanged = true
        }
        note(plan.hits, into: &commands)
        if !plan.byteActions.isEmpty {
            let seed = UInt64(bitPattern: now.microseconds) ^ UInt64(bitPattern: Int64(lane.rawValue)) << 40
            for action in plan.byteActions { plan.delay += action.delayOfBytes(seed: seed) }
            commands.append(.throttle(lane, plan.byteActions))
        }
        ruling = Ruling(original: request, plan: plan, gathered: gathered)
        return follow(into: &commands)
    }

    /// Adds the operations of GraphQL, if a rule asks for them and the body cannot have any.
    private func knowingOperations(_ asked: RuleRequest) -> RuleRequest {
        guard policy.value.rules.asksForOperations else { return asked }
        let hasBody = request.framing.hasBody && request.protocolName == nil
        guard !hasBody || !GraphQLRequest.isPossible(in: request.fields) else { return asked }
        var known = asked
        known.operations = asked.operations(in: nil)
        return known
    }

    /// Takes the steps of the plan up to the first one that needs an answer from elsewhere.
    mutating func follow(into commands: inout [ConversationCommand]) -> ExchangeStep {
        if let ruling, let unjudged = ruling.unjudged {
            self.ruling?.unjudged = nil
            return judge(ruling.original, at: unjudged.time, flow: unjudged.flow, into: &commands)
        }
        if answersBeforeRequest {
            guard let obstacle = obstacleToGathering else { return holdRequest(into: &commands) }
            if ruling?.plan.delay == .zero { noteAnswer(before: obstacle, into: &commands) }
        }
        guard let step = ruling?.plan.nextStep() else { return .send }
        switch step {
        case .consult(let question):
            ruling?.isAsked = true
            ruling?.isWaiting = question.patience > .zero
            return consult(question, into: &commands)
        case .answer(let answer): return .answer(answer)
        case .cut(let isReset, let reason): return .cut(isReset: isReset, reason)
        case .hold: return holdRequest(into: &commands)
        case .proceed: return .send
        }
    }

    /// Whether the next step is the answer of a rule although the request is not complete.
    private var answersBeforeRequest: Bool {
        guard !requestIsComplete, let ruling, ruling.plan.tasks.isEmpty else { return false }
        if case .whole = ruling.gathered { return false }
        switch ruling.plan.ending {
        case .mock, .local, .replay: return true
        case .close, .reset, nil: return false
        }
    }

    /// The reason why the request is not gathered for its record before a rule answers it; `nil` if it is.
    private var obstacleToGathering: String? {
        switch ruling?.gathered {
        case nil where request.expectsContinue: "the client waits for 100 (Continue)"
        case .whole, nil: Holding.obstacle(to: request, policy.value.limits)
        case let end?: Holding.reason(end, policy.value.limits)
        }
    }

    /// Records why a rule answers a request of which the capture has only a part.
    private func noteAnswer(before obstacle: String, into commands: inout [ConversationCommand]) {
        guard let hit = ruling?.plan.hits.last else { return }
        let effect = "answered before the whole request arrived: \(obstacle)"
        note([RuleHit(rule: hit.rule, kind: hit.kind, effect: effect)], into: &commands)
    }

    /// Changes the request and its server as the plan says.
    ///
    /// - Parameter protocols: The protocols that are offered in ALPN to a server that a rule names.
    mutating func applyPlan(offering protocols: @autoclosure () -> [String]) {
        // Most exchanges have no plan, and the optional ruling is copied before it is unwrapped.
        guard isRuled, let plan = ruling?.plan else { return }
        if plan.isChanged || plan.isElsewhere || plan.shownAuthority != nil {
            request = request.changed(by: plan, framing: framing)
            scheme = plan.request.scheme
        }
        if var target = plan.target(offering: protocols()) {
            target.user = self.target.user
            self.target = target
        }
    }

    /// Records the actions of rules.
    func note(_ hits: [RuleHit], into commands: inout [ConversationCommand]) {
        if !hits.isEmpty { commands.append(.noteRules(lane, hits)) }
    }

    // MARK: Decisions

    /// Whether a held message is not complete, so that a decision means that its time has run out.
    var isGathering: Bool { held?.isDecidable == false }

    /// Ends the open question.
    ///
    /// - Returns: The message that the question was about, or `nil` if it was about the whole exchange.
    mutating func endQuestion() -> Holding? {
        defer { held = nil }
        ruling?.isAsked = false
        ruling?.isWaiting = false
        return held
    }

    /// Carries out a decision.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - held: The message that the question was about, or `nil` if it was about the whole exchange.
    ///   - flow: The record of the connection.
    ///   - commands: The list to which commands are appended.
    /// - Returns: The next step of the exchange.
    mutating func decided(
        _ decision: ExchangeDecision,
        about held: Holding?,
        flow: @autoclosure () -> FlowRecord,
        into commands: inout [ConversationCommand]
    ) -> ExchangeStep {
        switch decision {
        case .answer(let answer): return .answer(answer, leavesServer: leavesServer(held))
        case .cut(let isReset, let reason):
            return .cut(isReset: isReset, reason, leavesServer: leavesServer(held))
        case .learned(let operations): ruling?.original.operations = operations
        case .proceed, .change, .noting: break
        }
        guard let held else {
            if let change = decision.change { _ = ruling?.plan.take(change, hasTrailers: false) }
            return follow(into: &commands)
        }
        guard let head = held.response else {
            return sendRequest(held, decision.change, into: &commands)
        }
        let changed = decision.change.map {
            head.changed($0, to: request.method, hasTrailers: held.hasTrailers)
        }
        return pass(changed ?? head, flow: flow(), into: &commands)
    }

    // MARK: Responses

    /// Handles the head of the final response.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - flow: The record of the connection.
    ///   - commands: The list to which commands are appended.
    /// - Returns: The next step of the exchange.
    mutating func received(
        _ head: ResponseHead,
        flow: @autoclosure () -> FlowRecord,
        into commands: inout [ConversationCommand]
    ) -> ExchangeStep {
        guard policy.value.rules.concernsResponses else { return pass(head, flow: flow(), into: &commands) }
        let ruled = ruled(head, flow: flow(), into: &commands)
        if !ruled.tasks.isEmpty, let step = hold(ruled.head, for: ruled.tasks, into: &commands) {
            return step
        }
        return pass(ruled.head, flow: flow(), into: &commands)
    }

    /// Returns the response head as rules change it, and the tasks of rules on the whole response.
    private func ruled(
        _ head: ResponseHead,
        flow: @autoclosure () -> FlowRecord,
        into commands: inout [ConversationCommand]
    ) -> (head: ResponseHead, tasks: [MessageTask]) {
        let ruling = ruling
        let user = user
        let response = RuleResponse(
            status: head.status,
            fields: head.fields,
            isLowercased: head.version == .http2,
            isSwitch: head.status == 101 || request.protocolName != nil && 200..<300 ~= head.status
        )
        guard
            let plan = policy.value.rules.plan(
                response,
                to: ruling?.original ?? original,
                after: ruling?.plan,
                flow: { flow().of(user) }
            )
        else { return (head, []) }
        note(plan.hits, into: &commands)
        guard plan.isChanged else { return (head, plan.tasks) }
        return (head.restated(plan.response.status, plan.response.fields, to: request.method), plan.tasks)
    }

    /// Applies rules to the messages of a WebSocket that `head` opens (RFC 8441 §5).
    func ruleMessages(
        _ head: ResponseHead,
        flow: @autoclosure () -> FlowRecord,
        into commands: inout [ConversationCommand]
    ) {
        guard policy.value.rules.concernsMessages,
            head.status == 101 || request.protocolName == "websocket" && 200..<300 ~= head.status
        else { return }
        let user = user
        let response = RuleResponse(status: head.status, fields: head.fields)
        guard
            let found = policy.value.rules.messages(
                of: ruling?.original ?? original,
                response,
                flow: { flow().of(user) }
            )
        else { return }
        commands += [.noteRules(lane, found.hits), .editMessages(lane, found.rules)]
    }

    /// The request as the client sent it, if no rule has looked at it.
    var original: RuleRequest {
        let scheme = request.scheme ?? scheme
        let authority = request.authority(for: scheme) ?? target.authority
        return knowingOperations(RuleRequest(request, scheme, authority))
    }
}

extension FlowRecord {
    /// Returns the record with the user of the exchange, as rules see it; unchanged if `user` is `nil`.
    fileprivate func of(_ user: String?) -> FlowRecord {
        guard let user else { return self }
        var flow = self
        flow.proxyUser = user
        return flow
    }
}
