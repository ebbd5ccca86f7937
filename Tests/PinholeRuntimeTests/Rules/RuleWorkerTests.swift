import Foundation
import PinholeContent
import PinholeLock
import PinholeModel
import PinholeProxy
import PinholeRules
import Testing

@testable import PinholeRuntime

/// What is done with messages that are held, away from the event loops.
@Suite("RuleWorker")
struct RuleWorkerTests {
    /// A question and what was answered.
    private final class Asked: Sendable {
        let decision = Lock<ExchangeDecision?>(nil)
        let inquiry: Inquiry

        init(
            _ rules: String,
            _ body: [UInt8],
            _ lines: [(String, String)],
            status: Int? = 200,
            method: String = "GET"
        )
            throws
        {
            let book = RuleBook(try RuleSet(JSONValue(parsing: Array("[\(rules)]".utf8)), path: "rules"))
            var fields = HeaderFields()
            for (name, value) in lines { fields.append(name, value) }
            let request = RuleRequest(
                scheme: .https,
                authority: Authority(host: .name("a.test"), port: 443),
                method: method,
                path: "/x",
                fields: status == nil ? fields : HeaderFields()
            )
            let response = status.map { RuleResponse(status: $0, fields: fields) }
            let tasks =
                try response.map { try #require(book.plan($0, to: request, flow: { nil })).tasks }
                ?? #require(book.plan(request, flow: { nil })).tasks
            var message = HeldMessage(request: request, response: response, tasks: tasks)
            message.body = body
            inquiry = Inquiry(.message(message)) { [decision] answer in decision.withLock { $0 = answer } }
        }

        var hits: [String] {
            guard case .noting(let hits, _)? = decision.withLock({ $0 }) else { return [] }
            return hits.map(\.effect)
        }

        var change: MessageChange? {
            guard case .noting(_, .change(let change))? = decision.withLock({ $0 }) else { return nil }
            return change
        }

        var body: String? { change?.body.map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test("changes compressed bodies", arguments: ["gzip", "deflate", "br", "zstd"])
    func decoded(coding: String) throws {
        let body = try #require(ContentEncoder.encode(Array(#"{"a":1}"#.utf8), codings: [coding]))
        let asked = try Asked(
            #"{"do": "rewriteResponse", "setJSON": [{"at": "/b", "value": 2}]}, {"do": "rewriteResponse", "replaceBody": [{"find": "1", "with": "3"}]}"#,
            body,
            [("Content-Encoding", coding), ("Content-Type", "application/json")]
        )
        RuleWorker().decide(asked.inquiry)
        #expect(asked.body == #"{"a":3,"b":2}"#)
        #expect(asked.hits == ["changed the body to 13 bytes", "changed the body to 13 bytes"])
    }

    @Test("leaves undecodable and missing values unchanged, and reports them")
    func obstacles() throws {
        let edit = #"{"do": "rewriteResponse", "replaceBody": [{"find": "1", "with": "3"}]}"#
        let odd = try Asked(edit, [1, 2, 3], [("Content-Encoding", "gzip"), ("Content-Type", "text/plain")])
        RuleWorker().decide(odd.inquiry)
        #expect(odd.hits == ["not applied: the body is not valid gzip, or is cut off"] && odd.change == nil)
        let file = try Asked(#"{"do": "rewriteResponse", "file": "/none/such"}"#, [], [])
        RuleWorker().decide(file.inquiry)
        #expect(file.hits == ["not applied: /none/such: No such file or directory"])
        let head = try Asked(#"{"do": "rewriteResponse", "body": "x"}"#, [], [], method: "HEAD")
        RuleWorker().decide(head.inquiry)
        #expect(head.hits == ["not applied: the response has no body"])
        let bomb = try #require(
            ContentEncoder.encode([UInt8](repeating: 0x61, count: BodyEdit.limit + 1), codings: ["br"])
        )
        let long = try Asked(edit, bomb, [("Content-Encoding", "br"), ("Content-Type", "text/plain")])
        RuleWorker().decide(long.inquiry)
        #expect(long.hits == ["not applied: the decoded body would be longer than \(BodyEdit.limit) bytes"])
        // All of it is replaced, whatever it was.
        let whole = try Asked(#"{"do": "rewriteResponse", "body": "x"}"#, [1], [("Content-Encoding", "odd")])
        RuleWorker().decide(whole.inquiry)
        #expect(whole.body == "x")
    }

    private static let stop = #"{"name": "s", "do": "breakpoint", "at": "both", "seconds": 50}"#

    @Test("holds a message until its decision, then runs the remaining tasks")
    func held() throws {
        let heldMessages = HeldMessages()
        heldMessages.attend()
        let asked = try Asked(
            #"{"do": "rewriteResponse", "replaceBody": [{"find": "a", "with": "b"}]}, \#(Self.stop), {"do": "rewriteResponse", "replaceBody": [{"find": "c", "with": "d"}]}"#,
            Array("a".utf8),
            [("Content-Type", "text/plain"), ("Content-Length", "1"), ("X", "y")]
        )
        let before = heldMessages.changes.count
        RuleWorker(breakpoints: heldMessages).decide(asked.inquiry)
        #expect(asked.decision.withLock { $0 } == nil && heldMessages.changes.count > before)
        let held = try #require(heldMessages.held.first)
        #expect(held.body == Array("b".utf8) && held.status == 200 && held.rule == "s")
        #expect(held.fields.map(\.name) == ["Content-Type", "X"])
        #expect(held.until > held.since)
        var verdict = MessageDecision(.proceed)
        verdict.status = 404
        verdict.body = Array("bc".utf8)
        verdict.fields = [HeaderLine("Content-Type", "text/html")]
        #expect(try heldMessages.decide(held.id, verdict))
        #expect(try !heldMessages.decide(held.id, verdict) && heldMessages.held.isEmpty)
        #expect(asked.body == "bd" && asked.change?.status == 404)
        #expect(asked.change?.fields?.pairs.map(\.name) == ["Content-Length", "Content-Type"])
        #expect(asked.hits[1] == "continued with changed status 200 to 404, fields, the body to 2 bytes")
    }

    @Test("a later breakpoint shows the change of an earlier one, and can undo it; HEAD stays HEAD")
    func setBack() throws {
        let heldMessages = HeldMessages()
        heldMessages.attend()
        let asked = try Asked("\(Self.stop), \(Self.stop)", [], [], status: nil)
        RuleWorker(breakpoints: heldMessages).decide(asked.inquiry)
        var shown: [String] = []
        for (method, path) in [("PUT", "/other"), ("GET", "/x")] {
            let held = try #require(heldMessages.held.first)
            shown.append("\(held.message.request.method) \(held.message.request.path)")
            var verdict = MessageDecision(.proceed)
            verdict.method = method
            verdict.path = path
            try heldMessages.decide(held.id, verdict)
        }
        #expect(shown == ["GET /x", "PUT /other"])
        #expect(asked.change?.method == "GET" && asked.change?.path == "/x" && asked.change?.status == nil)
        #expect(
            asked.hits == [
                "continued with changed method GET to PUT, path /x to /other",
                "continued with changed method PUT to GET, path /other to /x",
            ]
        )
        let head = try Asked(Self.stop, [], [], status: nil, method: "HEAD")
        RuleWorker(breakpoints: heldMessages).decide(head.inquiry)
        var verdict = MessageDecision(.proceed)
        verdict.method = "GET"
        let id = try #require(heldMessages.held.first?.id)
        let failure = #expect(throws: DecisionFailure.self) { try heldMessages.decide(id, verdict) }
        #expect(failure?.expected == "HEAD, as it was")
        // It is held still.
        try heldMessages.decide(id, MessageDecision(.proceed))
        #expect(head.hits == ["continued"])
    }

    @Test("answers, drops, and forgets messages whose client has closed")
    func ends() throws {
        let heldMessages = HeldMessages()
        heldMessages.attend()
        let worker = RuleWorker(breakpoints: heldMessages)
        let answered = try Asked(Self.stop, [], [], status: nil)
        worker.decide(answered.inquiry)
        var respond = MessageDecision(.respond)
        respond.body = [0x41]
        try heldMessages.decide(try #require(heldMessages.held.first?.id), respond)
        guard case .noting(_, .answer(let answer))? = answered.decision.withLock({ $0 }) else {
            Issue.record("no answer")
            return
        }
        #expect(answer.status == 200 && answer.body == [0x41])
        let dropped = try Asked(Self.stop, [], [])
        worker.decide(dropped.inquiry)
        try heldMessages.decide(
            try #require(heldMessages.held.first?.id),
            MessageDecision(.drop(isReset: true))
        )
        #expect(dropped.hits == ["dropped"])
        let left = try Asked(Self.stop, [], [])
        worker.decide(left.inquiry)
        #expect(heldMessages.held.count == 1)
        left.inquiry.withdraw()
        #expect(heldMessages.held.isEmpty && left.decision.withLock { $0 } == nil)
    }

    @Test("holds no message without a console, and none above the limits")
    func bounds() throws {
        let nobody = try Asked(Self.stop, [], [])
        RuleWorker(breakpoints: HeldMessages()).decide(nobody.inquiry)
        #expect(nobody.hits == ["not applied: nobody can decide, since there is no console"])
        let heldMessages = HeldMessages()
        heldMessages.attend()
        let worker = RuleWorker(breakpoints: heldMessages)
        for _ in 0..<HeldMessages.limit { worker.decide(try Asked(Self.stop, [], []).inquiry) }
        let last = try Asked(Self.stop, [], [])
        worker.decide(last.inquiry)
        #expect(last.hits == ["not applied: 100 messages are held already, and no more may be"])
    }

    @Test("names the limit that the held messages have reached")
    func bytes() throws {
        let heldMessages = HeldMessages()
        heldMessages.attend()
        let worker = RuleWorker(breakpoints: heldMessages)
        let large = [UInt8](repeating: 0x61, count: 64 << 20)
        let count = HeldMessages.byteLimit / large.count
        for _ in 0..<count { worker.decide(try Asked(Self.stop, large, []).inquiry) }
        let last = try Asked(Self.stop, [1], [])
        worker.decide(last.inquiry)
        let reason = "not applied: 268435456 bytes are held already, and 268435456 may be: 1 are too many"
        #expect(last.hits == [reason])
    }

    @Test("a rule says that it sets no body where a breakpoint made it a response without one")
    func bodiless() throws {
        let heldMessages = HeldMessages()
        heldMessages.attend()
        let asked = try Asked(#"\#(Self.stop), {"do": "rewriteResponse", "body": "x"}"#, [0x41], [])
        RuleWorker(breakpoints: heldMessages).decide(asked.inquiry)
        var verdict = MessageDecision(.proceed)
        verdict.status = 204
        try heldMessages.decide(try #require(heldMessages.held.first?.id), verdict)
        #expect(asked.change?.status == 204 && asked.change?.body == nil)
        let wanted = ["continued with changed status 200 to 204", "not applied: the response has no body"]
        #expect(asked.hits == wanted)
    }

    @Test("a coding that is left out stays with the body that stays, and goes with it")
    func coding() throws {
        let heldMessages = HeldMessages()
        heldMessages.attend()
        let body = try #require(ContentEncoder.encode(Array("tea".utf8), codings: ["gzip"]))
        let lines = [("Content-Encoding", "gzip"), ("X", "y"), ("Content-Length", "\(body.count)")]
        func change(_ fields: [(String, String)], _ text: String? = nil) throws -> (MessageChange?, String?) {
            let asked = try Asked(Self.stop, body, lines)
            RuleWorker(breakpoints: heldMessages).decide(asked.inquiry)
            var verdict = MessageDecision(.proceed)
            verdict.fields = fields.map { HeaderLine($0, $1) }
            verdict.body = text.map { Array($0.utf8) }
            try heldMessages.decide(try #require(heldMessages.held.first?.id), verdict)
            return (asked.change, asked.hits.first)
        }
        let kept = try change([("X", "z")], "tea")
        #expect(kept.0?.fields?.first("content-encoding") == "gzip" && kept.0?.fields?.first("x") == "z")
        #expect(kept.0?.body == nil && kept.1 == "continued with changed fields")
        #expect(try change([("X", "y")]).1 == "continued")
        // What is written counts.
        let other = try change([("X", "y"), ("content-encoding", "x-gzip")])
        #expect(other.0?.fields?.all("content-encoding") == ["x-gzip"])
        // The machine writes how another body is framed, which has no coding.
        #expect(try change([("X", "y")], "cup").1 == "continued with changed the body to 3 bytes")
    }

    @Test(
        "operations of a body that cannot be read stay unknown, and the record says which rule could not act",
        arguments: [
            ([UInt8]("no gzip".utf8), "gzip"),
            (Array(#"{"query": "{a}", "query": "mutation M {a}"}"#.utf8), "identity"),
        ]
    )
    func unreadableOperations(_ body: [UInt8], _ coding: String) throws {
        var fields = HeaderFields()
        if coding != "identity" { fields.append("Content-Encoding", coding) }
        let request = RuleRequest(
            scheme: .https,
            authority: Authority(host: .name("a.test"), port: 443),
            method: "POST",
            path: "/graphql",
            fields: fields
        )
        let tasks = ["one", "two"].map { MessageTask(rule: $0, kind: .block, work: .operations) }
        var message = HeldMessage(request: request, tasks: tasks)
        message.body = body
        let decision = Lock<ExchangeDecision?>(nil)
        RuleWorker().decide(Inquiry(.message(message)) { answer in decision.withLock { $0 = answer } })
        guard case .noting(let hits, .proceed)? = decision.withLock({ $0 }) else {
            Issue.record("the operations were taken as known")
            return
        }
        #expect(hits.map(\.rule) == ["one", "two"])
        #expect(hits.allSatisfy { $0.effect.hasPrefix("not applied: ") })
    }
}
