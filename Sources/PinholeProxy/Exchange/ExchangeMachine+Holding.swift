import PinholeModel
import PinholeRules
import PinholeWire

/// Messages that are held until rules have acted on the whole message.
///
/// The stack gathers their content; the machine sees only lengths.
extension ExchangeMachine {
    private var limits: Limits { policy.value.limits }

    // MARK: Requests

    /// Holds the request until it is complete.
    mutating func holdRequest(into commands: inout [ConversationCommand]) -> ExchangeStep {
        let tasks = ruling?.plan.tasks ?? []
        switch ruling?.gathered {
        case .whole(let hasTrailers):
            return ask(about: Holding(tasks: tasks).whole(hasTrailers), into: &commands)
        case let end?:
            return proceed(without: tasks, because: Holding.reason(end, limits), into: &commands)
        case nil: break
        }
        if let obstacle = Holding.obstacle(to: request, limits) {
            return proceed(without: tasks, because: obstacle, into: &commands)
        }
        let continues = !requestIsComplete && request.expectsContinue
        if continues {
            // The proxy sends the 100 (Continue) itself, so the server must not be asked to send another one.
            ruling?.plan.request.fields.removeAll(named: "expect")
            ruling?.plan.isChanged = true
        }
        held = Holding(tasks: tasks)
        commands += [
            .holdRequest(lane, continues: continues), .driver(.consult(lane, .wait(limits.heldBodyTime))),
        ]
        return .wait
    }

    /// Lets the request go on although its tasks cannot be done, unless one of them is required.
    private mutating func proceed(
        without tasks: [MessageTask],
        because obstacle: String,
        into commands: inout [ConversationCommand]
    ) -> ExchangeStep {
        note(tasks.notApplied(obstacle), into: &commands)
        if let reason = tasks.requirement(obstacle) { return .cut(isReset: false, reason) }
        ruling?.plan.tasks = []
        return follow(into: &commands)
    }

    /// Handles the end of gathering a held request: it is complete, or cannot be held any longer.
    mutating func requestHeld(_ end: HeldEnd, into commands: inout [ConversationCommand]) -> ExchangeStep {
        guard ruling != nil, let held, held.response == nil, !held.isWhole else { return .wait }
        commands.append(.driver(.withdraw(lane)))
        guard case .whole(let hasTrailers) = end else { return releaseRequest(end, into: &commands) }
        ruling?.gathered = end
        if held.tasks.isEmpty {
            self.held = nil
            return follow(into: &commands)
        }
        return ask(about: held.whole(hasTrailers), into: &commands)
    }

    /// Sends a request on unchanged, because it cannot be held.
    mutating func releaseRequest(_ end: HeldEnd, into commands: inout [ConversationCommand]) -> ExchangeStep {
        let tasks = held?.tasks ?? []
        let obstacle = Holding.reason(end, limits)
        held = nil
        ruling?.gathered = end
        commands.append(.releaseRequest(lane))
        return proceed(without: tasks, because: obstacle, into: &commands)
    }

    /// Sends a held request on according to the decision about it.
    mutating func sendRequest(
        _ holding: Holding,
        _ change: MessageChange?,
        into commands: inout [ConversationCommand]
    ) -> ExchangeStep {
        framing = ruling?.plan.take(change ?? MessageChange(), hasTrailers: holding.hasTrailers) ?? nil
        if let body = change?.body { isBodiless = body.isEmpty && !holding.hasTrailers }
        if change != nil, let ruling {
            commands.append(.replaceRequest(lane, ruling.original, by: ruling.plan.request))
        }
        return follow(into: &commands)
    }

    // MARK: Responses

    /// Holds the response until it is complete; if all tasks need only its head, until the decision about the head.
    ///
    /// - Returns: The next step of the exchange, or `nil` if the response cannot be held and passes unchanged.
    mutating func hold(
        _ head: ResponseHead,
        for tasks: [MessageTask],
        into commands: inout [ConversationCommand]
    ) -> ExchangeStep? {
        var holding = Holding(tasks: tasks, response: head)
        let message = message(of: holding)
        if let obstacle = Holding.obstacle(to: head, of: request, isHeadAlone: message.isHeadAlone, limits) {
            note(tasks.notApplied(obstacle), into: &commands)
            return tasks.requirement(obstacle).map { .cut(isReset: false, $0, leavesServer: isWithServer) }
        }
        held = holding
        commands.append(.holdResponse(lane, head, gathers: !message.isHeadAlone))
        guard message.isHeadAlone else {
            commands.append(.driver(.consult(lane, .wait(limits.heldBodyTime))))
            return .wait
        }
        holding.stage = .askedEarly
        return ask(about: holding, into: &commands)
    }

    /// Handles the end of gathering a held response: it is complete, or cannot be held any longer.
    mutating func responseHeld(
        _ end: HeldEnd,
        flow: @autoclosure () -> FlowRecord,
        into commands: inout [ConversationCommand]
    ) -> ExchangeStep {
        guard let held, held.response != nil, !held.isWhole else { return .wait }
        if held.stage == .askedEarly, case .whole(let hasTrailers) = end {
            self.held = held.whole(hasTrailers)
            return .wait
        }
        commands.append(.driver(.withdraw(lane)))
        guard case .whole(let hasTrailers) = end else {
            return releaseResponse(end, flow: flow(), into: &commands)
        }
        return ask(about: held.whole(hasTrailers), into: &commands)
    }

    /// Sends a response on unchanged, because it cannot be held any longer.
    mutating func releaseResponse(
        _ end: HeldEnd,
        flow: @autoclosure () -> FlowRecord,
        into commands: inout [ConversationCommand]
    ) -> ExchangeStep {
        guard let held, let head = held.response else { return .wait }
        let obstacle = Holding.reason(end, limits)
        note(held.tasks.notApplied(obstacle), into: &commands)
        self.held = nil
        if let reason = held.tasks.requirement(obstacle) {
            return .cut(isReset: false, reason, leavesServer: isWithServer)
        }
        return pass(head, flow: flow(), into: &commands)
    }

    /// Notes that a held response is not sent on.
    ///
    /// - Returns: Whether the server is still sending, or still receives the request, so that it must be told to stop.
    mutating func leavesServer(_ held: Holding?) -> Bool {
        guard let held, held.response != nil else { return false }
        responseIsComplete = held.isWhole
        return isWithServer && !(requestIsComplete && responseIsComplete)
    }

    /// Asks for a decision about a held message.
    private mutating func ask(
        about holding: Holding,
        into commands: inout [ConversationCommand]
    ) -> ExchangeStep {
        held = holding
        return consult(.message(message(of: holding)), into: &commands)
    }

    /// Returns the held message without content, as rules see it.
    private func message(of holding: Holding) -> HeldMessage {
        HeldMessage(
            request: ruling?.plan.request ?? original,
            response: holding.response.map {
                RuleResponse(status: $0.status, fields: $0.fields, isLowercased: $0.version == .http2)
            },
            tasks: holding.tasks
        )
    }

    /// Asks a question that is answered by `decided`.
    ///
    /// Other exchanges may continue, but if none does, the connection is not idle before the answer is due.
    func consult(_ question: Consultation, into commands: inout [ConversationCommand]) -> ExchangeStep {
        commands += [
            .driver(.arm(.idle, limits.idleTimeout + question.patience)), .driver(.consult(lane, question)),
        ]
        return .wait
    }
}
