import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeWire

/// What rules do with exchanges.
extension Multiplexer {
    /// Asks the rules about a request.
    ///
    /// - Returns: Whether one means it, so that it goes on as the rule says.
    mutating func rule(
        on lane: Lane,
        _ head: RequestHead,
        _ scheme: Scheme,
        _ authority: Authority,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) -> Bool {
        guard policy.rules.concernsRequests else { return false }
        let request = RuleRequest(head, scheme, authority)
        guard var plan = policy.rules.plan(request, flow: { flow(of: lane) }) else { return false }
        note(plan.hits, lane, into: &commands)
        if let throttling = plan.throttling {
            let seed = UInt64(bitPattern: now.microseconds) ^ UInt64(bitPattern: Int64(lane.rawValue)) << 40
            plan.delay += throttling.delay(seed: seed)
            commands.append(.throttle(lane, throttling))
        }
        exchanges[lane]?.ruling = Ruling(original: request, plan: plan)
        follow(lane, at: now, into: &commands)
        return true
    }

    /// The flow as rules on an exchange see it: its user is the one who asks.
    private func flow(of lane: Lane) -> FlowRecord {
        guard let user = exchanges[lane]?.user else { return flow }
        var flow = flow
        flow.proxyUser = user
        return flow
    }

    /// Does what the plan of an exchange says, as far as that goes without an answer from elsewhere.
    mutating func follow(_ lane: Lane, at now: Timestamp, into commands: inout [MultiplexCommand]) {
        guard let step = exchanges[lane]?.ruling?.plan.nextStep() else { return }
        switch step {
        case .consult(let question):
            exchanges[lane]?.ruling?.isHeld = true
            exchanges[lane]?.ruling?.isWaiting = question.patience > .zero
            // Others may go on, but nothing has to move until then.
            commands.append(.arm(policy.limits.idleTimeout + question.patience))
            commands.append(.consult(lane, question))
        case .answer(let answer): self.answer(answer, lane, at: now, into: &commands)
        case .cut(let isReset, let reason):
            cut(lane, isReset: isReset, reason, at: now, into: &commands)
        case .hold: holdRequest(lane, at: now, into: &commands)
        case .proceed:
            exchanges[lane]?.applyPlan(offering: ["h2", "http/1.1"])
            proceed(lane, at: now, into: &commands)
        }
    }

    /// What was asked about an exchange is decided; it may be over by then.
    mutating func decided(
        _ lane: Lane,
        _ decision: Decision,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        if case .noting(let hits, let decision) = decision {
            if exchanges[lane] != nil { note(hits, lane, into: &commands) }
            return decided(lane, decision, at: now, into: &commands)
        }
        if let held = exchanges[lane]?.held { return decided(lane, held, decision, at: now, into: &commands) }
        guard exchanges[lane]?.ruling?.isHeld == true else { return }
        exchanges[lane]?.ruling?.isHeld = false
        exchanges[lane]?.ruling?.isWaiting = false
        armUnlessHeld(into: &commands)
        switch decision {
        case .change(let change):
            _ = exchanges[lane]?.ruling?.plan.take(change, hasTrailers: false)
            follow(lane, at: now, into: &commands)
        case .proceed, .noting: follow(lane, at: now, into: &commands)
        case .answer(let answer): self.answer(answer, lane, at: now, into: &commands)
        case .cut(let isReset, let reason):
            cut(lane, isReset: isReset, reason, at: now, into: &commands)
        }
    }

    /// Ends what waits for a time to be over: nothing of it was sent, so the client may ask somebody else.
    mutating func endWaiting(at now: Timestamp, into commands: inout [MultiplexCommand]) {
        for lane in exchanges.keys.sorted() where isWaiting(lane) {
            commands.append(.reset(lane, .client, .refusedStream))
            end(lane, .failed("the proxy was stopped"), at: now, into: &commands)
        }
    }

    private func isWaiting(_ lane: Lane) -> Bool {
        exchanges[lane]?.ruling?.isWaiting == true || exchanges[lane]?.held?.holding.isWaiting == true
    }

    /// Nothing may move for longer while an exchange is held.
    func armUnlessHeld(into commands: inout [MultiplexCommand]) {
        guard !exchanges.values.contains(where: { $0.ruling?.isHeld == true || $0.held != nil }) else {
            return
        }
        commands.append(.arm(policy.limits.idleTimeout))
    }

    /// Notes what rules did.
    func note(_ hits: [RuleHit], _ lane: Lane, into commands: inout [MultiplexCommand]) {
        if !hits.isEmpty { commands.append(.noteRules(lane, hits)) }
    }

    /// Ends an exchange without an answer.
    mutating func cut(
        _ lane: Lane,
        isReset: Bool,
        _ reason: String,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        commands.append(.reset(lane, .client, isReset ? .internalError : .cancel))
        end(lane, .answeredByProxy(reason), at: now, into: &commands)
    }

    /// The response as rules want it to be, and what they do with all of it.
    mutating func ruled(
        _ head: ResponseHead,
        _ lane: Lane,
        into commands: inout [MultiplexCommand]
    ) -> (head: ResponseHead, tasks: [MessageTask]) {
        guard policy.rules.concernsResponses, let exchange = exchanges[lane] else { return (head, []) }
        let request = exchange.ruling?.original ?? original(of: exchange)
        let response = RuleResponse(
            status: head.status,
            fields: head.fields,
            isLowercased: head.version == .http2,
            isSwitch: exchange.request.protocolName != nil && 200..<300 ~= head.status
        )
        guard let plan = policy.rules.plan(response, to: request, flow: { flow(of: lane) }) else {
            return (head, [])
        }
        note(plan.hits, lane, into: &commands)
        guard plan.isChanged else { return (head, plan.tasks) }
        let method = exchange.request.method
        return (head.restated(plan.response.status, plan.response.fields, to: method), plan.tasks)
    }

    /// Lets rules act on the messages of a WebSocket that `head` opens (RFC 8441 §5).
    mutating func ruleMessages(
        _ head: ResponseHead,
        _ lane: Lane,
        into commands: inout [MultiplexCommand]
    ) {
        guard policy.rules.concernsMessages, let exchange = exchanges[lane],
            exchange.request.protocolName == "websocket", 200..<300 ~= head.status
        else { return }
        let request = exchange.ruling?.original ?? original(of: exchange)
        let response = RuleResponse(status: head.status, fields: head.fields)
        guard let found = policy.rules.messages(of: request, response, flow: { flow(of: lane) }) else {
            return
        }
        commands.append(.noteRules(lane, found.hits))
        commands.append(.editMessages(lane, found.rules))
    }

    func original(of exchange: Exchange) -> RuleRequest {
        let scheme = exchange.request.scheme ?? self.scheme
        let authority = exchange.request.authority(for: scheme) ?? exchange.target.authority
        return RuleRequest(exchange.request, scheme, authority)
    }
}

extension Multiplexer.Exchange {
    /// Lets the request be what its plan says.
    fileprivate mutating func applyPlan(offering protocols: [String]) {
        guard let plan = ruling?.plan else { return }
        if plan.isChanged || plan.isElsewhere {
            request = request.changed(by: plan, framing: framing)
            scheme = plan.request.scheme
        }
        if var target = plan.target(offering: protocols) {
            target.user = self.target.user
            self.target = target
        }
    }
}
