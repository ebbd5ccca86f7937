import PinholeModel
import PinholeRules
import PinholeWire

/// What rules do with exchanges.
extension Tunnel {
    /// What rules have to do with the exchange; boxed, since most have nothing.
    final class Ruling: Sendable, Equatable {
        /// The request as the client sent it.
        let original: RuleRequest
        /// What is still to be done.
        let plan: RequestPlan
        /// The number of the question for whose answer the exchange is held.
        let question: Int?
        /// Whether that takes its time.
        let isWaiting: Bool

        init(original: RuleRequest, plan: RequestPlan, question: Int? = nil, isWaiting: Bool = false) {
            self.original = original
            self.plan = plan
            self.question = question
            self.isWaiting = isWaiting
        }

        static func == (left: Ruling, right: Ruling) -> Bool {
            left === right
                || left.original == right.original && left.plan == right.plan
                    && left.question == right.question
        }
    }

    /// Asks the rules about a request.
    ///
    /// - Returns: Whether one means it, so that it goes on as the rule says.
    mutating func rule(
        on head: RequestHead,
        _ scheme: Scheme,
        _ authority: Authority,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) -> Bool {
        guard policy.rules.concernsRequests else { return false }
        let request = RuleRequest(head, scheme, authority)
        guard var plan = policy.rules.plan(request, flow: { flow }) else { return false }
        note(plan.hits, into: &commands)
        if let throttling = plan.throttling {
            plan.delay += throttling.delay(seed: UInt64(bitPattern: now.microseconds))
            commands.append(.throttle(throttling))
        }
        follow(plan, of: request, at: now, into: &commands)
        return true
    }

    /// Does what a plan says, as far as that goes without an answer from elsewhere.
    mutating func follow(
        _ plan: RequestPlan,
        of request: RuleRequest,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        var plan = plan
        let step = plan.nextStep()
        switch step {
        case .consult(let question):
            consultations += 1
            exchange?.ruling = Ruling(
                original: request,
                plan: plan,
                question: consultations,
                isWaiting: question.patience > .zero
            )
            commands.append(.arm(.idle, policy.limits.idleTimeout + question.patience))
            commands.append(.consult(consultations, question))
        case .answer(let answer): self.answer(answer, at: now, into: &commands)
        case .cut(let isReset, let reason): cut(isReset: isReset, reason, at: now, into: &commands)
        case .hold: holdRequest(plan, of: request, at: now, into: &commands)
        case .proceed: send(plan, of: request, at: now, into: &commands)
        }
    }

    /// Sends the request on as a plan has made it.
    ///
    /// - Parameters:
    ///   - plan: What it is now.
    ///   - request: What it was.
    ///   - framing: How the end of its body is found; `nil` where that is as it came.
    ///   - now: The time.
    ///   - commands: Receives what to do.
    mutating func send(
        _ plan: RequestPlan,
        of request: RuleRequest,
        framing: BodyFraming? = nil,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        exchange?.ruling = Ruling(original: request, plan: plan)
        exchange?.apply(plan, framing: framing)
        commands.append(.arm(.idle, policy.limits.idleTimeout))
        proceed(at: now, into: &commands)
    }

    /// What was asked about the exchange is decided; an answer that comes too late finds another question.
    mutating func decided(
        _ number: Int,
        _ decision: Decision,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        if let held = exchange?.held, held.question == number {
            return decided(held, decision, at: now, into: &commands)
        }
        guard phase == .exchanging, let ruling = exchange?.ruling, ruling.question == number else { return }
        switch decision {
        case .proceed: follow(ruling.plan, of: ruling.original, at: now, into: &commands)
        case .change(let change):
            var plan = ruling.plan
            _ = plan.take(change, hasTrailers: false)
            follow(plan, of: ruling.original, at: now, into: &commands)
        case .answer(let answer): self.answer(answer, at: now, into: &commands)
        case .cut(let isReset, let reason): cut(isReset: isReset, reason, at: now, into: &commands)
        case .noting(let hits, let decision):
            note(hits, into: &commands)
            decided(number, decision, at: now, into: &commands)
        }
    }

    /// Lets rules slow a tunnel whose bytes are relayed unread.
    mutating func throttleRelay(into commands: inout [TunnelCommand]) {
        guard exchange == nil, policy.rules.concernsRequests, let found = policy.rules.throttling(of: flow)
        else {
            return
        }
        flow.reason =
            (flow.reason.map { $0 + "; " } ?? "") + "the rule “\(found.hit.rule)”: \(found.hit.effect)"
        commands.append(.throttle(found.throttling))
    }

    /// Notes what rules did.
    func note(_ hits: [RuleHit], into commands: inout [TunnelCommand]) {
        if !hits.isEmpty { commands.append(.noteRules(hits)) }
    }

    /// Whether somebody is asked about the exchange, and nothing of it was sent on.
    var isHeld: Bool { exchange?.ruling?.question != nil }

    /// Whether the exchange waits for a time to be over.
    var isWaiting: Bool { exchange?.ruling?.isWaiting == true || isResponseAwaited }

    /// Ends the exchange, and the connection, without an answer.
    mutating func cut(
        isReset: Bool,
        _ reason: String,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        exchange = nil
        commands.append(.endExchange(.answeredByProxy(reason)))
        guard isReset else { return close(at: now, into: &commands) }
        releaseServer(into: &commands)
        link = .none
        commands.append(.resetClient)
        finish(Outcome(.completed, detail: reason), at: now, into: &commands)
        commands.append(.abort)
    }

    /// The response as rules want it to be, and what they do with all of it.
    mutating func ruled(
        _ head: ResponseHead,
        into commands: inout [TunnelCommand]
    ) -> (head: ResponseHead, tasks: [MessageTask]) {
        guard policy.rules.concernsResponses, let exchange else { return (head, []) }
        let request = exchange.ruling?.original ?? RuleRequest(exchange.request, askedScheme, shownAuthority)
        let response = RuleResponse(
            status: head.status,
            fields: head.fields,
            isSwitch: head.status == 101
        )
        guard let plan = policy.rules.plan(response, to: request, flow: { flow }) else { return (head, []) }
        note(plan.hits, into: &commands)
        guard plan.isChanged else { return (head, plan.tasks) }
        let method = exchange.request.method
        return (head.restated(plan.response.status, plan.response.fields, to: method), plan.tasks)
    }

    /// Lets rules act on the messages of a WebSocket that `head` opens.
    mutating func ruleMessages(_ head: ResponseHead, into commands: inout [TunnelCommand]) {
        guard policy.rules.concernsMessages, let exchange else { return }
        let request = exchange.ruling?.original ?? RuleRequest(exchange.request, scheme, shownAuthority)
        let response = RuleResponse(status: head.status, fields: head.fields)
        guard let found = policy.rules.messages(of: request, response, flow: { flow }) else { return }
        commands.append(.noteRules(found.hits))
        commands.append(.editMessages(found.rules))
    }

    /// How the server of the exchange is shown.
    var shownAuthority: Authority {
        exchange?.request.authority(for: askedScheme) ?? authority
            ?? Authority(host: policy.ownHost, port: scheme.defaultPort)
    }
}

extension Tunnel.Exchange {
    /// Lets the request be what a plan says.
    fileprivate mutating func apply(_ plan: RequestPlan, framing: BodyFraming?) {
        if plan.isChanged || plan.shownAuthority != nil {
            let isSamePath = plan.request.path == request.textualPath
            request = request.changed(by: plan, framing: framing)
            if !isSamePath { path = nil }
        }
        if let target = plan.target(offering: ["http/1.1"]) { self.target = target }
    }
}

extension RequestHead {
    /// The request as a plan wants it to be; what no server can be asked is left as it was.
    func changed(by plan: RequestPlan, framing: BodyFraming?) -> RequestHead {
        let changed = try? changed(
            method: plan.request.method,
            scheme: plan.request.scheme,
            authority: plan.shownAuthority,
            path: plan.request.path == textualPath ? nil : plan.request.path,
            fields: plan.request.fields,
            framing: framing
        )
        return changed ?? self
    }
}

extension RuleRequest {
    /// The request as rules see it.
    init(_ head: RequestHead, _ scheme: Scheme, _ authority: Authority) {
        self.init(
            scheme: scheme,
            authority: authority,
            method: head.method,
            path: head.textualPath.isEmpty ? "/" : head.textualPath,
            fields: head.fields,
            isLowercased: head.version == .http2
        )
    }
}
