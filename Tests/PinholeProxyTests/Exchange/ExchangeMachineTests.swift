import PinholeModel
import PinholeRules
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// One request and its response, without a conversation.
@Suite("Exchange")
struct ExchangeTests {
    private static let lane = Lane(rawValue: 7)

    private let flow = FlowRecord(
        id: FlowID(rawValue: 1),
        opened: Timestamp(seconds: 1_000_000_000),
        client: "127.0.0.1:50000",
        listener: "127.0.0.1:8080"
    )

    private func exchange(_ rules: String = "", _ method: String = "GET") throws -> ExchangeMachine {
        var policy = try Tunnels.world.policy()
        let rules = try RuleSet(JSONValue(parsing: Array("[\(rules)]".utf8)), path: "rules")
        var program = ProgramCall(name: "judge")
        program.points = [.request]
        program.failure = .close
        policy.rules = RuleBook(
            try rules.resolvingPrograms([ProgramDeclaration(program, command: ["p"])], path: "rules")
        )
        return ExchangeMachine(
            Self.lane,
            try ConversationPlays.get("/x", method),
            to: Shared(ConversationPlays.target),
            scheme: .https,
            policy: Shared(policy)
        )
    }

    private func begin(
        _ exchange: inout ExchangeMachine,
        _ commands: inout [ConversationCommand]
    ) -> ExchangeStep {
        exchange.rule(Plays.authority, at: Timestamp(seconds: 1), flow: flow, into: &commands)
    }

    @Test("sends a request without rules, and is complete after both messages")
    func unruled() throws {
        var exchange = try exchange()
        var commands: [ConversationCommand] = []
        guard case .send = begin(&exchange, &commands) else { return #expect(Bool(false), "not sent") }
        #expect(commands.isEmpty)
        let isEarly = exchange.responseEnded()
        #expect(!isEarly)
        let head = try ConversationPlays.response()
        exchange.responseBegan(head, into: &commands)
        guard case .wait = exchange.received(head, flow: flow, into: &commands) else {
            return #expect(Bool(false), "the response is not passed on")
        }
        #expect(commands == [.forwardResponse(Self.lane, head)])
        let hasEnded = exchange.responseEnded()
        let isComplete = exchange.isComplete
        #expect(hasEnded && isComplete)
    }

    @Test("notes a response that comes before the request is complete")
    func early() throws {
        var exchange = try exchange("", "POST")
        var commands: [ConversationCommand] = []
        exchange.responseBegan(try ConversationPlays.response(), into: &commands)
        #expect(commands == [.note(Self.lane, .answeredEarly)])
        _ = exchange.responseEnded()
        let isComplete = exchange.isComplete
        #expect(!isComplete)
    }

    @Test("asks once for a delay, and ignores a decision without a question")
    func delayed() throws {
        var exchange = try exchange(#"{"do": "delay", "seconds": 5}"#)
        var commands: [ConversationCommand] = []
        let isHeldEarly = exchange.isHeld
        #expect(!isHeldEarly)
        guard case .wait = begin(&exchange, &commands) else { return #expect(Bool(false), "no question") }
        #expect(commands.last == .consult(Self.lane, .wait(.seconds(5))))
        let isHeld = exchange.isHeld
        let message = exchange.endQuestion()
        #expect(isHeld && message == nil)
        guard case .send = exchange.decided(.proceed, about: nil, flow: flow, into: &commands) else {
            return #expect(Bool(false), "not sent")
        }
        let isHeldLate = exchange.isHeld
        #expect(!isHeldLate)
    }

    @Test(
        "reports how it was cut, and leaves the closing to its conversation",
        arguments: ["close", "reset"]
    )
    func cut(how: String) throws {
        var exchange = try exchange(#"{"do": "block", "with": "\#(how)"}"#)
        var commands: [ConversationCommand] = []
        guard case .cut(let isReset, _, leavesServer: false) = begin(&exchange, &commands) else {
            return #expect(Bool(false), "not cut")
        }
        #expect(isReset == (how == "reset"))
    }

    @Test("holds a response, and passes it as it came when its body grows too long")
    func held() throws {
        let rule = #"{"do": "rewriteResponse", "setJSON": [{"at": "/price", "value": 1}]}"#
        var exchange = try exchange(rule)
        var commands: [ConversationCommand] = []
        guard case .send = begin(&exchange, &commands) else { return #expect(Bool(false), "not sent") }
        let head = try ConversationPlays.response(hasBody: true)
        exchange.responseBegan(head, into: &commands)
        guard case .wait = exchange.received(head, flow: flow, into: &commands) else {
            return #expect(Bool(false), "the response is not held")
        }
        let isHeld = exchange.isResponseHeld && exchange.isGathering
        #expect(isHeld && commands.contains(.holdResponse(Self.lane, head, gathers: true)))
        commands = []
        guard case .wait = exchange.responseHeld(.tooLong, flow: flow, into: &commands) else {
            return #expect(Bool(false), "the response does not go on")
        }
        #expect(commands.first == .withdraw(Self.lane) && commands.last == .forwardResponse(Self.lane, head))
        let isFree = !exchange.isHeld
        #expect(isFree)
    }

    private static let operation = #"{"do": "mock", "status": 402, "when": "graphql.operation == Pay"}"#
    private static let edit =
        #"{"do": "rewriteRequest", "name": "edit", "body": "x", "when": "method == POST"}"#

    /// Begins an exchange whose rules need the operation of its request, and ends the gathering.
    private func gather(
        _ rules: String,
        _ end: HeldEnd,
        _ commands: inout [ConversationCommand],
        then: (inout ExchangeMachine, ExchangeStep, inout [ConversationCommand]) -> Void
    ) throws {
        var exchange = try exchange(rules, "POST")
        commands = []
        guard case .wait = begin(&exchange, &commands) else { return #expect(Bool(false), "not held") }
        #expect(commands.contains(.holdRequest(Self.lane, continues: false)))
        commands = []
        let step = exchange.requestHeld(end, into: &commands)
        then(&exchange, step, &commands)
    }

    @Test("judges a request once its operation is known, with the body for later rules at hand")
    func learned() throws {
        var commands: [ConversationCommand] = []
        let end = HeldEnd.whole(hasTrailers: false)
        for (operation, isMeant) in [("Pay", true), ("Ask", false)] {
            try gather("\(Self.operation), \(Self.edit)", end, &commands) { exchange, step, commands in
                guard case .wait = step, let message = commands.last?.heldMessage else {
                    return #expect(Bool(false), "not asked")
                }
                #expect(message.tasks.map(\.work) == [.operations])
                let held = exchange.endQuestion()
                let decision = ExchangeDecision.learned([.init(type: "mutation", name: operation)])
                switch exchange.decided(decision, about: held, flow: flow, into: &commands) {
                case .answer(let answer, leavesServer: false):
                    #expect(isMeant && answer.status == 402)
                case .wait:
                    #expect(!isMeant && commands.last?.heldMessage?.tasks.map(\.rule) == ["edit"])
                    let isWhole = exchange.held?.isWhole
                    #expect(isWhole == true)
                default: #expect(Bool(false), "neither answered nor asked about the body")
                }
            }
        }
    }

    @Test(
        "gathers a request that a rule answers, and none that a rule ends without an answer",
        arguments: [
            (#""mock""#, true), (#""block""#, true), (#""mapLocal", "file": "x""#, true),
            (#""replay", "file": "x""#, true), (#""block", "with": "close""#, false),
        ]
    )
    func gathered(rule: String, isGathered: Bool) throws {
        var exchange = try exchange("{\"do\": \(rule)}", "POST")
        var commands: [ConversationCommand] = []
        _ = begin(&exchange, &commands)
        #expect(commands.contains(.holdRequest(Self.lane, continues: false)) == isGathered, "\(commands)")
    }

    @Test(
        "asks at a breakpoint with the whole request before a later rule answers it",
        arguments: [#""mock", "status": 402"#, #""block", "with": 402"#]
    )
    func askedFirst(answer: String) throws {
        let rules = #"{"do": "breakpoint", "name": "stop"}, {"do": \#(answer)}"#
        var commands: [ConversationCommand] = []
        try gather(rules, .whole(hasTrailers: false), &commands) { exchange, step, commands in
            guard case .wait = step, let message = commands.last?.heldMessage else {
                return #expect(Bool(false), "not asked")
            }
            #expect(message.tasks.map(\.rule) == ["stop"])
            let held = exchange.endQuestion()
            var change = MessageChange()
            change.path = "/changed"
            guard
                case .answer(let answer, leavesServer: false) = exchange.decided(
                    .change(change),
                    about: held,
                    flow: flow,
                    into: &commands
                )
            else { return #expect(Bool(false), "not answered") }
            #expect(answer.status == 402)
        }
    }

    @Test(
        "decides by the head alone if a message cannot be held, and skips tasks that need the body",
        arguments: [
            HeldEnd.tooLong, .tooSlow, .noRoom,
        ]
    )
    func unheld(end: HeldEnd) throws {
        var commands: [ConversationCommand] = []
        try gather("\(Self.operation), \(Self.edit)", end, &commands) { _, step, commands in
            guard case .send = step else { return #expect(Bool(false), "not sent") }
            #expect(commands.contains(.releaseRequest(Self.lane)))
            let noted = commands.noted
            #expect(
                noted.map(\.kind) == ["mock", "rewriteRequest"]
                    && noted.allSatisfy { $0.effect.hasPrefix("not applied: ") }
            )
        }
        let mock = #"{"do": "mock", "status": 402}"#
        try gather("\(Self.edit), \(mock)", end, &commands) { _, step, commands in
            guard case .answer(let answer, leavesServer: false) = step, answer.status == 402 else {
                return #expect(Bool(false), "not answered")
            }
            let effects = commands.noted.map(\.effect)
            #expect(
                effects.count == 2 && effects[0].hasPrefix("not applied: ")
                    && effects[1].hasPrefix("answered before the whole request arrived: "),
                "\(effects)"
            )
        }
        let program = #"{"do": "askProgram", "program": "judge", "when": "method == POST"}"#
        try gather("\(Self.operation), \(program)", end, &commands) { _, step, _ in
            guard case .cut = step else { return #expect(Bool(false), "a required task was left out") }
        }
    }
}

extension [ConversationCommand] {
    /// The actions of rules that are recorded.
    fileprivate var noted: [RuleHit] {
        flatMap { command -> [RuleHit] in
            if case .noteRules(_, let hits) = command { hits } else { [] }
        }
    }
}

extension ConversationCommand {
    /// The message that a question is about; `nil` for any other command.
    fileprivate var heldMessage: HeldMessage? {
        if case .driver(.consult(_, .message(let message))) = self { message } else { nil }
    }
}
