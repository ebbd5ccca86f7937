import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeWire

/// Messages that are held until rules have had all of them, as ``Tunnel`` holds them, exchange by exchange.
extension Multiplexer {
    /// A message that is held.
    struct Held: Sendable, Equatable {
        /// How it stands.
        var holding: Holding
        /// The response as it is sent on; `nil` where it is the request.
        var response: ResponseHead?
    }

    /// Whether it is the response that is held.
    func isResponseHeld(_ lane: Lane) -> Bool { exchanges[lane]?.held?.response != nil }

    // MARK: Requests

    /// Holds the request of an exchange until all of it is there.
    mutating func holdRequest(_ lane: Lane, at now: Timestamp, into commands: inout [MultiplexCommand]) {
        guard let exchange = exchanges[lane], let tasks = exchange.ruling?.plan.tasks else { return }
        let head = exchange.request
        let obstacle =
            head.protocolName != nil
            ? "the stream switches protocols"
            : Holding.obstacle(head.fields, length: head.framing.knownLength, policy.limits)
        if let obstacle {
            note(tasks.notApplied(obstacle), lane, into: &commands)
            if let reason = tasks.requirement(obstacle) {
                return cut(lane, isReset: false, reason, at: now, into: &commands)
            }
            exchanges[lane]?.ruling?.plan.tasks = []
            return follow(lane, at: now, into: &commands)
        }
        let continues = !exchange.requestIsComplete && head.expectsContinue
        if continues {
            // The client gets it here, and would get it again.
            exchanges[lane]?.ruling?.plan.request.fields.removeAll(named: "expect")
            exchanges[lane]?.ruling?.plan.isChanged = true
        }
        exchanges[lane]?.held = Held(holding: Holding(tasks: tasks))
        commands += [
            .holdRequest(lane, continues: continues), .consult(lane, .wait(policy.limits.heldBodyTime)),
        ]
    }

    /// The request that is held is all there, or will not be.
    mutating func requestHeld(
        _ lane: Lane,
        _ end: HeldEnd,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard let exchange = exchanges[lane], let ruling = exchange.ruling, let held = exchange.held,
            held.response == nil, !held.holding.isWhole
        else { return }
        commands.append(.withdraw(lane))
        guard case .whole(let hasTrailers) = end else {
            return passRequest(lane, end, at: now, into: &commands)
        }
        let message = HeldMessage(request: ruling.plan.request, tasks: held.holding.tasks)
        ask(lane, message, held.holding.whole(hasTrailers), into: &commands)
    }

    /// Sends a request on as it came, since it cannot be held.
    private mutating func passRequest(
        _ lane: Lane,
        _ end: HeldEnd,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        let tasks = exchanges[lane]?.held?.holding.tasks ?? []
        let obstacle = Holding.reason(end, policy.limits)
        note(tasks.notApplied(obstacle), lane, into: &commands)
        if let reason = tasks.requirement(obstacle) {
            return cut(lane, isReset: false, reason, at: now, into: &commands)
        }
        exchanges[lane]?.held = nil
        exchanges[lane]?.ruling?.plan.tasks = []
        commands.append(.releaseRequest(lane))
        follow(lane, at: now, into: &commands)
    }

    // MARK: Responses

    /// Holds the response of an exchange until all of it is there, or until its head was decided about where nobody
    /// wants more.
    ///
    /// - Returns: Whether it can be held, or does not go on; else it is noted why not.
    mutating func hold(
        _ head: ResponseHead,
        _ lane: Lane,
        for tasks: [MessageTask],
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) -> Bool {
        guard let exchange = exchanges[lane] else { return false }
        let message = heldMessage(head, tasks, of: exchange)
        let obstacle: String? =
            if exchange.request.protocolName != nil {
                "the stream switches protocols"
            } else if message.isHeadAlone {
                nil
            } else {
                Holding.obstacle(head.fields, length: head.framing.knownLength, policy.limits)
            }
        if let obstacle {
            note(tasks.notApplied(obstacle), lane, into: &commands)
            guard let reason = tasks.requirement(obstacle) else { return false }
            refuseResponse(lane, reason, at: now, into: &commands)
            return true
        }
        if message.isHeadAlone {
            var holding = Holding(tasks: tasks)
            holding.stage = .askedEarly
            exchanges[lane]?.held = Held(holding: holding, response: head)
            commands.append(.holdResponse(lane, head, gathers: false))
            ask(lane, message, holding, into: &commands)
            return true
        }
        exchanges[lane]?.held = Held(holding: Holding(tasks: tasks), response: head)
        commands += [
            .holdResponse(lane, head, gathers: true),
            .consult(lane, .wait(policy.limits.heldBodyTime)),
        ]
        return true
    }

    /// The response that is held is all there, or will not be.
    mutating func responseHeld(
        _ lane: Lane,
        _ end: HeldEnd,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard let exchange = exchanges[lane], let held = exchange.held, let head = held.response,
            !held.holding.isWhole
        else { return }
        if held.holding.stage == .askedEarly, case .whole(let hasTrailers) = end {
            exchanges[lane]?.held?.holding = held.holding.whole(hasTrailers)
            return
        }
        commands.append(.withdraw(lane))
        guard case .whole(let hasTrailers) = end else {
            return passResponse(lane, end, at: now, into: &commands)
        }
        let message = heldMessage(head, held.holding.tasks, of: exchange)
        ask(lane, message, held.holding.whole(hasTrailers), into: &commands)
    }

    private func heldMessage(
        _ head: ResponseHead,
        _ tasks: [MessageTask],
        of exchange: Exchange
    ) -> HeldMessage {
        HeldMessage(
            request: exchange.ruling?.plan.request ?? original(of: exchange),
            response: RuleResponse(status: head.status, fields: head.fields, isLowercased: true),
            tasks: tasks
        )
    }

    /// Sends a response on as it came, since it cannot be held.
    private mutating func passResponse(
        _ lane: Lane,
        _ end: HeldEnd,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard let held = exchanges[lane]?.held, let head = held.response else { return }
        let obstacle = Holding.reason(end, policy.limits)
        note(held.holding.tasks.notApplied(obstacle), lane, into: &commands)
        exchanges[lane]?.held = nil
        if let reason = held.holding.tasks.requirement(obstacle) {
            return refuseResponse(lane, reason, at: now, into: &commands)
        }
        pass(head, lane, into: &commands)
    }

    /// Ends the exchange without the response, which came in part or not at all.
    private mutating func refuseResponse(
        _ lane: Lane,
        _ reason: String,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        if let link = exchanges[lane]?.link, links[link] != nil {
            commands.append(.reset(lane, .server, .cancel))
        }
        cut(lane, isReset: false, reason, at: now, into: &commands)
    }

    /// The server has gone, or given the exchange up, while its response is held.
    ///
    /// - Returns: Whether that changes nothing, since the response is all there; else it is not held any longer.
    mutating func responseIsKept(
        _ lane: Lane,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) -> Bool {
        guard let exchange = exchanges[lane], exchange.held?.holding.isWhole == true else {
            passResponse(lane, .broken, at: now, into: &commands)
            // Where it may not go on, there is nothing left to end.
            return exchanges[lane] == nil
        }
        if let link = exchange.link, links[link] == nil { exchanges[lane]?.link = nil }
        requestUnwanted(lane, at: now, into: &commands)
        return true
    }

    // MARK: Decisions

    /// Asks what becomes of a message that is all there.
    private mutating func ask(
        _ lane: Lane,
        _ message: HeldMessage,
        _ holding: Holding,
        into commands: inout [MultiplexCommand]
    ) {
        exchanges[lane]?.held?.holding = holding
        // Others may go on, but nothing has to move until then.
        commands.append(.arm(policy.limits.idleTimeout + message.patience))
        commands.append(.consult(lane, .message(message)))
    }

    /// What was asked about a message that is held is decided.
    mutating func decided(
        _ lane: Lane,
        _ held: Held,
        _ decision: Decision,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard held.holding.isDecidable else {
            guard held.response == nil else {
                return passResponse(lane, .tooSlow, at: now, into: &commands)
            }
            return passRequest(lane, .tooSlow, at: now, into: &commands)
        }
        exchanges[lane]?.held = nil
        armUnlessHeld(into: &commands)
        switch decision {
        case .proceed, .change, .noting:
            guard let head = held.response else {
                return sendRequest(lane, held.holding, decision.change, at: now, into: &commands)
            }
            let method = exchanges[lane]?.request.method ?? ""
            let hasTrailers = held.holding.hasTrailers
            let changed = decision.change.map { head.changed($0, to: method, hasTrailers: hasTrailers) }
            pass(changed ?? head, lane, into: &commands)
        case .answer(let answer):
            if held.response != nil { leaveServer(lane, held.holding, into: &commands) }
            self.answer(answer, lane, at: now, into: &commands)
        case .cut(let isReset, let reason):
            if held.response != nil { leaveServer(lane, held.holding, into: &commands) }
            cut(lane, isReset: isReset, reason, at: now, into: &commands)
        }
    }

    private mutating func sendRequest(
        _ lane: Lane,
        _ holding: Holding,
        _ change: MessageChange?,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        let change = change ?? MessageChange()
        let framing = exchanges[lane]?.ruling?.plan.take(change, hasTrailers: holding.hasTrailers)
        exchanges[lane]?.framing = framing ?? nil
        if let body = change.body { exchanges[lane]?.isBodiless = body.isEmpty && !holding.hasTrailers }
        follow(lane, at: now, into: &commands)
    }

    /// The server has said all that it has to say; what the client still has for it is of no use.
    private mutating func leaveServer(
        _ lane: Lane,
        _ holding: Holding,
        into commands: inout [MultiplexCommand]
    ) {
        exchanges[lane]?.responseIsComplete = holding.isWhole
        guard let exchange = exchanges[lane], !exchange.requestIsComplete || !holding.isWhole,
            exchange.link != nil
        else { return }
        commands.append(.reset(lane, .server, .cancel))
    }
}
