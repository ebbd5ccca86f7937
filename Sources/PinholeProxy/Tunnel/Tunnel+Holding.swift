import PinholeModel
import PinholeRules
import PinholeWire

/// Messages that are held until rules have had all of them.
///
/// The stack gathers what comes of them, so the machine sees lengths alone here, too.
extension Tunnel {
    /// A message that is held; boxed, since hardly any is.
    final class Held: Sendable, Equatable {
        /// How it stands.
        let holding: Holding
        /// The number of the question that is open: whether it took too long, or what becomes of it.
        let question: Int
        /// The response as it is sent on; `nil` where it is the request.
        let response: ResponseHead?

        init(_ holding: Holding, question: Int, response: ResponseHead?) {
            self.holding = holding
            self.question = question
            self.response = response
        }

        static func == (left: Held, right: Held) -> Bool {
            left === right
                || left.holding == right.holding && left.question == right.question
                    && left.response == right.response
        }
    }

    /// Whether it is the response that is held.
    var isResponseHeld: Bool { exchange?.held?.response != nil }

    /// Whether somebody takes his time over the response.
    var isResponseAwaited: Bool { isResponseHeld && exchange?.held?.holding.isWaiting == true }

    // MARK: Requests

    /// Holds the request until all of it is there.
    mutating func holdRequest(
        _ plan: RequestPlan,
        of original: RuleRequest,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        guard let head = exchange?.request else { return }
        var plan = plan
        if let obstacle = Holding.obstacle(head.fields, length: head.framing.knownLength, policy.limits) {
            note(plan.tasks.notApplied(obstacle), into: &commands)
            if let reason = plan.tasks.requirement(obstacle) {
                return cut(isReset: false, reason, at: now, into: &commands)
            }
            plan.tasks = []
            return follow(plan, of: original, at: now, into: &commands)
        }
        if head.expectsContinue {
            // The client gets it here, and would get it again.
            plan.request.fields.removeAll(named: "expect")
            plan.isChanged = true
        }
        consultations += 1
        exchange?.held = Held(Holding(tasks: plan.tasks), question: consultations, response: nil)
        exchange?.ruling = Ruling(original: original, plan: plan, question: consultations)
        commands += [
            .arm(.idle, policy.limits.idleTimeout),
            .holdRequest(continues: head.expectsContinue),
            .consult(consultations, .wait(policy.limits.heldBodyTime)),
        ]
    }

    /// The request that is held is all there, or will not be.
    mutating func requestHeld(
        _ end: HeldEnd,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        guard phase == .exchanging, let ruling = exchange?.ruling, let held = exchange?.held,
            held.response == nil, !held.holding.isWhole
        else { return }
        commands.append(.withdraw(held.question))
        guard case .whole(let hasTrailers) = end else {
            return passRequest(end, ruling, at: now, into: &commands)
        }
        let message = HeldMessage(request: ruling.plan.request, tasks: held.holding.tasks)
        let number = ask(message, held.holding.whole(hasTrailers), into: &commands)
        exchange?.ruling = Ruling(original: ruling.original, plan: ruling.plan, question: number)
    }

    /// Sends the request on as it came, since it cannot be held.
    private mutating func passRequest(
        _ end: HeldEnd,
        _ ruling: Ruling,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        var plan = ruling.plan
        let obstacle = Holding.reason(end, policy.limits)
        note(plan.tasks.notApplied(obstacle), into: &commands)
        if let reason = plan.tasks.requirement(obstacle) {
            return cut(isReset: false, reason, at: now, into: &commands)
        }
        plan.tasks = []
        exchange?.held = nil
        commands.append(.releaseRequest)
        follow(plan, of: ruling.original, at: now, into: &commands)
    }

    // MARK: Responses

    /// Holds a response until all of it is there, or until its head was decided about where nobody wants more.
    ///
    /// - Returns: Whether it can be held, or does not go on; else it is noted why not.
    mutating func hold(
        _ head: ResponseHead,
        for tasks: [MessageTask],
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) -> Bool {
        guard let exchange else { return false }
        let message = heldMessage(head, tasks, of: exchange)
        let obstacle: String? =
            if head.status == 101 {
                "the connection switches protocols"
            } else if message.isHeadAlone {
                nil
            } else {
                Holding.obstacle(head.fields, length: head.framing.knownLength, policy.limits)
            }
        if let obstacle {
            note(tasks.notApplied(obstacle), into: &commands)
            guard let reason = tasks.requirement(obstacle) else { return false }
            refuseResponse(reason, at: now, into: &commands)
            return true
        }
        if message.isHeadAlone {
            var holding = Holding(tasks: tasks)
            holding.stage = .askedEarly
            self.exchange?.held = Held(holding, question: 0, response: head)
            commands += [.arm(.idle, policy.limits.idleTimeout), .holdResponse(head, gathers: false)]
            _ = ask(message, holding, into: &commands)
            return true
        }
        consultations += 1
        self.exchange?.held = Held(Holding(tasks: tasks), question: consultations, response: head)
        commands += [
            .arm(.idle, policy.limits.idleTimeout),
            .holdResponse(head, gathers: true),
            .consult(consultations, .wait(policy.limits.heldBodyTime)),
        ]
        return true
    }

    /// The response that is held is all there, or will not be.
    mutating func responseHeld(_ end: HeldEnd, at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard phase == .exchanging, let exchange, let held = exchange.held, let head = held.response,
            !held.holding.isWhole
        else { return }
        if held.holding.stage == .askedEarly, case .whole(let hasTrailers) = end {
            let holding = held.holding.whole(hasTrailers)
            self.exchange?.held = Held(holding, question: held.question, response: head)
            return
        }
        commands.append(.withdraw(held.question))
        guard case .whole(let hasTrailers) = end else { return passResponse(end, at: now, into: &commands) }
        let message = heldMessage(head, held.holding.tasks, of: exchange)
        _ = ask(message, held.holding.whole(hasTrailers), into: &commands)
    }

    private func heldMessage(
        _ head: ResponseHead,
        _ tasks: [MessageTask],
        of exchange: Exchange
    ) -> HeldMessage {
        HeldMessage(
            request: exchange.ruling?.plan.request
                ?? RuleRequest(exchange.request, askedScheme, shownAuthority),
            response: RuleResponse(status: head.status, fields: head.fields),
            tasks: tasks
        )
    }

    /// Sends the response on as it came, since it cannot be held.
    private mutating func passResponse(
        _ end: HeldEnd,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        guard let held = exchange?.held, let head = held.response else { return }
        let obstacle = Holding.reason(end, policy.limits)
        note(held.holding.tasks.notApplied(obstacle), into: &commands)
        exchange?.held = nil
        if let reason = held.holding.tasks.requirement(obstacle) {
            return refuseResponse(reason, at: now, into: &commands)
        }
        pass(head, into: &commands)
    }

    /// Ends the exchange without the response, which came in part or not at all.
    private mutating func refuseResponse(
        _ reason: String,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        link = .none
        commands.append(.closeServer)
        cut(isReset: false, reason, at: now, into: &commands)
    }

    /// The server is gone while its response is held.
    ///
    /// - Returns: Whether that changes nothing, since the response is all there; else it is not held any longer.
    mutating func responseIsKept(
        without kind: CloseKind,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) -> Bool {
        guard exchange?.held?.holding.isWhole == true else {
            passResponse(.broken, at: now, into: &commands)
            // Where it may not go on, there is nothing left to end.
            return exchange == nil
        }
        exchange?.keepsServer = false
        guard !kind.isOrderly else { return true }
        link = .none
        commands.append(.closeServer)
        if exchange?.requestIsComplete == false { commands.append(.discardRequest) }
        return true
    }

    // MARK: Decisions

    /// Asks what becomes of a message that is all there.
    private mutating func ask(
        _ message: HeldMessage,
        _ holding: Holding,
        into commands: inout [TunnelCommand]
    ) -> Int {
        consultations += 1
        let response = exchange?.held?.response
        exchange?.held = Held(holding, question: consultations, response: response)
        commands.append(.arm(.idle, policy.limits.idleTimeout + message.patience))
        commands.append(.consult(consultations, .message(message)))
        return consultations
    }

    /// What was asked about a message that is held is decided.
    mutating func decided(
        _ held: Held,
        _ decision: Decision,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        guard phase == .exchanging else { return }
        if case .noting(let hits, let decision) = decision {
            note(hits, into: &commands)
            return decided(held, decision, at: now, into: &commands)
        }
        let end = HeldEnd.tooSlow
        guard held.holding.isDecidable else {
            guard held.response == nil else { return passResponse(end, at: now, into: &commands) }
            guard let ruling = exchange?.ruling else { return }
            return passRequest(end, ruling, at: now, into: &commands)
        }
        exchange?.held = nil
        if let head = held.response {
            decided(head, held.holding, decision, at: now, into: &commands)
        } else if let ruling = exchange?.ruling {
            decided(ruling, held.holding, decision, at: now, into: &commands)
        }
    }

    private mutating func decided(
        _ ruling: Ruling,
        _ holding: Holding,
        _ decision: Decision,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        var plan = ruling.plan
        switch decision {
        case .proceed, .noting:
            plan.tasks = []
            follow(plan, of: ruling.original, at: now, into: &commands)
        case .change(let change):
            let framing = plan.take(change, hasTrailers: holding.hasTrailers)
            send(plan, of: ruling.original, framing: framing, at: now, into: &commands)
        case .answer(let answer): self.answer(answer, at: now, into: &commands)
        case .cut(let isReset, let reason): cut(isReset: isReset, reason, at: now, into: &commands)
        }
    }

    private mutating func decided(
        _ head: ResponseHead,
        _ holding: Holding,
        _ decision: Decision,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        commands.append(.arm(.idle, policy.limits.idleTimeout))
        switch decision {
        case .proceed, .noting: pass(head, into: &commands)
        case .change(let change):
            let method = exchange?.request.method ?? ""
            pass(head.changed(change, to: method, hasTrailers: holding.hasTrailers), into: &commands)
        case .answer(let answer):
            leaveServer(holding, into: &commands)
            self.answer(answer, at: now, into: &commands)
        case .cut(let isReset, let reason):
            leaveServer(holding, into: &commands)
            cut(isReset: isReset, reason, at: now, into: &commands)
        }
    }

    /// Keeps the connection to a server whose response is not sent on only where it can take another request.
    private mutating func leaveServer(_ holding: Holding, into commands: inout [TunnelCommand]) {
        guard let exchange, !exchange.keepsServer || !exchange.requestIsComplete || !holding.isWhole else {
            return
        }
        link = .none
        commands.append(.closeServer)
    }
}

extension Holding {
    /// The same, with all of the message there.
    func whole(_ hasTrailers: Bool) -> Holding {
        var holding = self
        holding.stage = .asked
        holding.hasTrailers = hasTrailers
        return holding
    }
}

extension BodyFraming {
    /// The length of the body, where the head tells it.
    var knownLength: Int64? {
        switch self {
        case .none: 0
        case .length(let length): length
        case .chunked, .untilClose: nil
        }
    }
}

extension MessageChange {
    /// How long the content is that is written anew; `nil` where it stays as it came.
    func content(status: Int, was: Int) -> Int? {
        // Content that came is left out where the status allows none.
        if !RuleResponse.mayHaveContent(status), RuleResponse.mayHaveContent(was) { return 0 }
        return body?.count
    }
}
