import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// Messages that are held until it is decided what becomes of them.
@Suite("ConversationStack, holding messages")
struct ConversationStackHoldingTests {
    private static let request = #"{"name": "q", "do": "rewriteRequest", "body": "x"}"#
    private static let response = #"{"name": "r", "do": "rewriteResponse", "body": "x"}"#
    private static let asking = #"{"name": "p", "do": "askProgram", "program": "p"}"#
    private static let requiring = #"{"name": "w", "do": "askProgram", "program": "w"}"#

    private func harness(
        _ pair: VersionPair,
        _ rules: String...,
        chunk: Int = 16384,
        limit: Int = 1000,
        total: Int = 1000
    ) throws -> ConversationHarness {
        var heads = ProgramCall(name: "p")
        heads.points = [.requestHead, .responseHead]
        var whole = ProgramCall(name: "w")
        whole.points = [.response]
        whole.failure = .close
        let programs = [heads, whole].map { ProgramDeclaration($0, command: ["p"]) }
        let json = "[\(rules.joined(separator: ", "))]"
        let set = try RuleSet(JSONValue(parsing: Array(json.utf8)), path: "rules")
        let book = RuleBook(try set.resolvingPrograms(programs, path: "rules"))
        let harness = try ConversationHarness(pair) { policy in
            policy.rules = book
            policy.limits.heldBody = limit
            policy.limits.heldBodies = total
        }
        harness.chunk = chunk
        harness.onConsult = { if case .message = $0 { .proceed } else { nil } }
        return harness
    }

    private final class Asked {
        var messages: [HeldMessage] = []
        var bodies: [String] { messages.map { String(decoding: $0.body, as: UTF8.self) } }
    }

    /// Lets each message become what `make` makes of its content.
    @discardableResult
    private func change(
        _ harness: ConversationHarness,
        status: Int? = nil,
        _ make: @escaping (String, HeldMessage) -> String?
    ) -> Asked {
        let asked = Asked()
        harness.onConsult = { question in
            guard case .message(let message) = question else { return nil }
            asked.messages.append(message)
            var change = MessageChange()
            change.body = make(String(decoding: message.body, as: UTF8.self), message).map { Array($0.utf8) }
            change.status = status
            return .noting(message.tasks.map { $0.hit("done") }, then: .change(change))
        }
        return asked
    }

    /// Answers the question that is open.
    private func decide(_ harness: ConversationHarness, _ decision: ExchangeDecision) throws {
        harness.decide(try #require(harness.open.keys.first), decision)
    }

    private func effects(_ harness: ConversationHarness) -> [String]? {
        harness.exchanges.last?.rules.map(\.effect)
    }

    private func length(_ message: HeardMessage) -> String? { message.fields.first("content-length") }

    private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    @Test(
        "sends a response on as it was changed, however it was framed",
        arguments: VersionPair.all,
        Chunking.sizes
    )
    func changed(pair: VersionPair, chunk: Int) throws {
        for framing in [BodyFraming.length(9), .chunked] {
            let harness = try harness(pair, Self.response, chunk: chunk)
            let asked = change(harness) { _, _ in "plain text" }
            for _ in 0..<2 {
                harness.client.text = ""
                harness.asked = []
                let stream = try harness.ask()
                let fields: KeyValuePairs = ["A": "b", "Content-Encoding": "gzip", "ETag": "x"]
                try harness.answer("200 OK", fields, body: ["comp", "resse"], framing: framing)
                let got = try #require(try harness.response(stream))
                #expect(got.body == "plain text" && length(got) == "10" && got.isComplete)
                #expect(got.fields.first("a") == "b" && got.fields.first("etag") == "x")
                #expect(!got.fields.contains("content-encoding"))
                if pair.isHTTP1 {
                    let head = "HTTP/1.1 200 OK\r\nA: b\r\nETag: x\r\nContent-Length: 10\r\n\r\n"
                    #expect(harness.client.text == head + "plain text")
                }
            }
            #expect(asked.bodies == ["compresse", "compresse"])
            #expect(asked.messages.first?.response?.fields.first("content-encoding") == "gzip")
            #expect(asked.messages.first?.exchange == harness.exchanges.first?.id)
            let record = try #require(harness.exchanges.last)
            #expect(text(record.response?.body.inline) == "plain text")
            #expect(record.response?.body.isComplete == true && record.outcome == .completed)
            #expect(record.response?.fields.first("content-length") == "10")
            #expect(effects(harness) == ["done"])
            harness.end()
        }
    }

    @Test("changes both messages, and keeps trailers behind them", arguments: VersionPair.all, [false, true])
    func both(pair: VersionPair, trailers: Bool) throws {
        let harness = try harness(pair, Self.request, Self.response)
        change(harness) { body, message in message.response == nil ? "more \(body)" : "\(body)!" }
        let stream = try harness.ask("POST", body: ["tea"], framing: .length(3))
        #expect(try harness.request()?.body == "more tea")
        let fields: KeyValuePairs = ["Content-Encoding": "gzip"]
        let end: HeaderFields? = trailers ? ["X-Sum": "1"] : nil
        try harness.answer("200 OK", fields, body: ["got more tea"], framing: .chunked, trailers: end)
        let got = try #require(try harness.response(stream))
        #expect(got.body == "got more tea!" && got.isComplete)
        #expect(!got.fields.contains("content-encoding"))
        #expect(length(got) == (trailers ? nil : "13"))
        #expect(got.trailers.first("x-sum") == (trailers ? "1" : nil))
        if pair.isHTTP1, trailers {
            let chunks = "d\r\ngot more tea!\r\n0\r\nX-Sum: 1\r\n\r\n"
            #expect(harness.client.text == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        }
        let record = try #require(harness.exchanges.last)
        #expect(record.outcome == .completed)
        #expect(effects(harness) == ["done", "done"])
        #expect(text(record.request.body.inline) == "more tea" && record.request.body.isComplete)
        #expect(text(record.response?.body.inline) == "got more tea!")
        #expect(record.response?.body.isComplete == true)
        harness.end()
    }

    @Test("forwards unchanged messages byte for byte, with their trailers", arguments: VersionPair.all)
    func unchanged(pair: VersionPair) throws {
        let harness = try harness(pair, Self.request, Self.response, chunk: 3)
        let stream = try harness.ask("POST", body: ["tea"], framing: .length(3))
        #expect(try harness.request()?.body == "tea")
        let end: HeaderFields = ["X-Sum": "5"]
        try harness.answer(body: ["abc", "de"], framing: .chunked, trailers: end)
        let got = try #require(try harness.response(stream))
        #expect(got.body == "abcde" && got.trailers.first("x-sum") == "5")
        if pair.isHTTP1 {
            let chunks = "5\r\nabcde\r\n0\r\nX-Sum: 5\r\n\r\n"
            #expect(harness.client.text == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        }
        let record = try #require(harness.exchanges.last)
        #expect(text(record.response?.trailers).lowercased() == "x-sum: 5\r\n")
        #expect(text(record.response?.body.inline) == "abcde" && record.outcome == .completed)
        harness.end()
    }

    @Test(
        "forwards responses that are too long, or a stream, as they come",
        arguments: VersionPair.all,
        Chunking.sizes
    )
    func notHeld(pair: VersionPair, chunk: Int) throws {
        let harness = try harness(pair, Self.response, chunk: chunk, limit: 10)
        var stream = try harness.ask()
        try harness.answer(body: ["hello world"], framing: .length(11))
        #expect(try harness.response(stream)?.body == "hello world")
        #expect(effects(harness) == ["not applied: body over 10 bytes"])
        if pair.isHTTP1 {
            #expect(harness.client.text == "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world")
        }
        stream = try harness.ask()
        let type: KeyValuePairs = ["Content-Type": "text/event-stream"]
        try harness.answer("200 OK", type, body: ["a"], framing: .chunked)
        #expect(try harness.response(stream)?.body == "a")
        #expect(effects(harness) == ["not applied: the body is a stream"])
        if pair.isHTTP1 {
            let fields = "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked"
            #expect(harness.client.text.hasSuffix("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n1\r\na\r\n0\r\n\r\n"))
        }
        stream = try harness.ask()
        let end: HeaderFields = ["A": "b"]
        let pieces = ["hello", ", world", "!"]
        try harness.answer(body: pieces, framing: .chunked, trailers: end)
        let got = try #require(try harness.response(stream))
        #expect(got.body == "hello, world!" && got.trailers.first("a") == "b")
        if pair.isHTTP1 { #expect(harness.client.text.hasSuffix("0\r\nA: b\r\n\r\n")) }
        #expect(effects(harness) == ["not applied: body over 10 bytes"])
        #expect(text(harness.exchanges.last?.response?.body.inline) == "hello, world!")
        harness.end()
    }

    @Test("forwards a request that is too long", arguments: VersionPair.all, Chunking.sizes)
    func longRequest(pair: VersionPair, chunk: Int) throws {
        let harness = try harness(pair, Self.request, chunk: chunk, limit: 4)
        let end: HeaderFields = ["X": "y"]
        let stream = try harness.ask(
            "POST",
            body: ["abc", "defghi", "j"],
            framing: .chunked,
            trailers: end
        )
        let got = try #require(try harness.request())
        #expect(got.body == "abcdefghij" && got.trailers.first("x") == "y")
        if pair.isHTTP1 {
            #expect(harness.servers[LinkID.first]?.text.hasSuffix("0\r\nX: y\r\n\r\n") == true)
        }
        try harness.answer(framing: .length(0))
        #expect(try harness.response(stream)?.isComplete == true)
        #expect(effects(harness) == ["not applied: body over 4 bytes"])
        #expect(harness.exchanges.last?.outcome == .completed)
        harness.end()
    }

    @Test("notes each message that is too long", arguments: VersionPair.all)
    func tooLong(pair: VersionPair) throws {
        let harness = try harness(pair, Self.request, Self.response, limit: 5)
        for (body, count) in [("tea", 1), ("a longer one", 2)] {
            let stream = try harness.ask("POST", body: [body], framing: .length(Int64(body.utf8.count)))
            #expect(try harness.request()?.body == body)
            try harness.answer(body: ["got \(body)"], framing: .chunked)
            #expect(try harness.response(stream)?.body == "got \(body)")
            let effect = "not applied: body over 5 bytes"
            #expect(effects(harness) == Array(repeating: effect, count: count))
            #expect(harness.exchanges.last?.outcome == .completed)
        }
    }

    @Test("forwards messages that exceed the limit for held ones", arguments: VersionPair.all)
    func noRoom(pair: VersionPair) throws {
        let harness = try harness(pair, Self.request, Self.response, total: 10)
        harness.onConsult = { _ in .proceed }
        let budget = harness.stack.environment.heldBodies
        #expect(budget.take(4, limit: 10))
        let reason = "not applied: all bodies that are held come to 10 bytes already"
        for expected in [[reason], []] {
            let stream = try harness.ask("POST", body: ["tea"], framing: .length(3))
            try harness.answer(body: ["got tea"], framing: .chunked)
            #expect(try harness.response(stream)?.body == "got tea")
            #expect(effects(harness) == expected)
            #expect(harness.exchanges.last?.outcome == .completed)
            if !expected.isEmpty { budget.giveBack(4) }
        }
        #expect(budget.count == 0)
    }

    @Test("waits for the rest of a body for a while, then lets it pass", arguments: VersionPair.all)
    func slow(pair: VersionPair) throws {
        let harness = try harness(pair, Self.response)
        let stream = try harness.ask()
        try harness.answer(body: ["abc"], framing: .length(6), ends: false)
        #expect(try harness.response(stream) == nil)
        #expect(Array(harness.open.values) == [.wait(.seconds(30))])
        try decide(harness, .proceed)
        #expect(try harness.response(stream)?.body == "abc")
        if pair.isHTTP1 {
            #expect(harness.client.text == "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
        }
        try harness.goOn("def")
        #expect(try harness.response(stream)?.body == "abcdef")
        #expect(effects(harness)?.first == "not applied: the body was not there within 30 s")
        harness.end()
    }

    @Test(
        "holds a request, answers its Expect, and frames it anew",
        arguments: VersionPair.all,
        Chunking.sizes
    )
    func expect(pair: VersionPair, chunk: Int) throws {
        let harness = try harness(pair, Self.request, chunk: chunk)
        let asked = change(harness) { _, _ in "changed" }
        let expecting: KeyValuePairs = ["Expect": "100-continue"]
        var stream = try harness.ask("POST", "/a", expecting, framing: .chunked, ends: false)
        if let stream { #expect(try harness.response(stream) == nil) }
        if let stream, let session = harness.client.session {
            #expect(
                harness.client.events.contains { event in
                    guard case .informational(stream, let fields) = event else { return false }
                    return fields.first(":status") == "100"
                }
            )
            harness.client.send("abc".utf8, on: stream)
            try session.finish(stream)
        } else {
            #expect(harness.client.text == "HTTP/1.1 100 Continue\r\n\r\n")
            harness.client.sendChunk("ab")
            harness.client.sendChunk("c")
            harness.client.sent.append("0\r\n\r\n")
        }
        harness.pump()
        let got = try #require(try harness.request())
        #expect(got.body == "changed" && length(got) == "7" && !got.fields.contains("expect"))
        let server = try #require(harness.servers[LinkID.first])
        if pair.isHTTP1 {
            let host = "Host: www.example.com:443"
            #expect(server.text == "POST /a HTTP/1.1\r\n\(host)\r\nContent-Length: 7\r\n\r\nchanged")
        }
        #expect(asked.bodies == ["abc"])
        try harness.answer(body: ["ok"], framing: .length(2))
        #expect(try harness.response(stream)?.body == "ok")
        let record = try #require(harness.exchanges.last)
        #expect(text(record.request.body.inline) == "changed" && record.request.body.isComplete)
        #expect(record.request.fields.first("content-length") == "7")
        // One without a body gets one.
        server.text = ""
        stream = try harness.ask()
        let added = try #require(try harness.request())
        #expect(added.target == "GET /a" && added.body == "changed" && length(added) == "7")
        try harness.answer("204 No Content")
        #expect(try harness.response(stream)?.status == 204)
        #expect(harness.exchanges.last?.outcome == .completed)
        harness.end()
    }

    @Test("answers in the server's place, gives another status, or drops", arguments: VersionPair.all)
    func instead(pair: VersionPair) throws {
        let harness = try harness(pair, Self.response)
        func turn() throws -> HeardMessage? {
            harness.client.text = ""
            harness.asked = []
            let stream = try harness.ask()
            try harness.answer(body: ["ok"], framing: .length(2))
            return try harness.response(stream)
        }
        harness.onConsult = { question in
            guard case .message = question else { return nil }
            return .answer(Answer(status: 418, body: Array("tea".utf8), reason: "because"))
        }
        for _ in 0..<2 {
            let got = try #require(try turn())
            #expect(got.status == 418 && got.body == "tea")
            #expect(harness.exchanges.last?.outcome == .answeredByProxy("because"))
        }
        #expect(!harness.actions.contains { if case .dial = $0 { true } else { false } })
        change(harness, status: 204) { _, _ in nil }
        let empty = try #require(try turn())
        #expect(empty.status == 204 && empty.body.isEmpty && empty.isComplete)
        if pair.isHTTP1 { #expect(harness.client.text == "HTTP/1.1 204 No Content\r\n\r\n") }
        #expect(harness.exchanges.last?.status == 204)
        harness.onConsult = { if case .message = $0 { .cut(isReset: true, "dropped") } else { nil } }
        #expect(try turn() == nil)
        if pair.client == nil {
            #expect(harness.actions.contains(.resetClient))
        } else {
            #expect(harness.client.resets == [.internalError])
        }
        #expect(harness.exchanges.last?.outcome == .answeredByProxy("dropped"))
    }

    @Test("drops or answers one stream, and lets the others be")
    func others() throws {
        let harness = try harness(VersionPair(client: .client, server: .server), Self.request, Self.response)
        harness.onConsult = { question in
            guard case .message(let message) = question else { return nil }
            let text = String(decoding: message.body, as: UTF8.self)
            if text == "cut" { return .cut(isReset: false, "dropped") }
            if text == "got answer" { return .answer(Answer(status: 418, body: [0x41], reason: "because")) }
            return .proceed
        }
        try harness.ask("POST", body: ["cut"], framing: .length(3))
        #expect(harness.client.resets == [.cancel])
        for (body, reply) in [("answer", "A"), ("other", "got other")] {
            let stream = try harness.ask("POST", body: [body], framing: .length(Int64(body.utf8.count)))
            try harness.answer(body: ["got \(body)"], framing: .chunked)
            #expect(try harness.response(stream)?.body == reply)
        }
        #expect(harness.exchanges.map(\.outcome).contains(.answeredByProxy("because")))
    }

    @Test("leaves the head of an answer to HEAD its length", arguments: VersionPair.all)
    func head(pair: VersionPair) throws {
        let harness = try harness(pair, Self.response)
        let asked = change(harness) { _, _ in "more" }
        let stream = try harness.ask("HEAD")
        try harness.answer(framing: .length(90000))
        let got = try #require(try harness.response(stream))
        #expect(length(got) == "90000" && got.body.isEmpty)
        if pair.isHTTP1 {
            #expect(harness.client.text == "HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n")
        }
        #expect(asked.messages.first?.mayHaveContent(as: nil) == false)
        harness.end()
    }

    @Test("gives the client the received part of a truncated response", arguments: VersionPair.all)
    func broken(pair: VersionPair) throws {
        let harness = try harness(pair, Self.response)
        let stream = try harness.ask()
        try harness.answer(body: ["abc"], framing: .length(6), ends: false)
        harness.stack.linkEnded(LinkID.first, .orderly, at: harness.now)
        harness.pump()
        let got = try #require(try harness.response(stream))
        #expect(got.body == "abc" && !got.isComplete && length(got) == "6")
        if pair.isHTTP1 {
            #expect(harness.client.text == "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
        }
        #expect(effects(harness) == ["not applied: the body broke off"])
        #expect(harness.open.isEmpty)
    }

    @Test("keeps a complete response whose server closes", arguments: VersionPair.all, [true, false])
    func kept(pair: VersionPair, isOrderly: Bool) throws {
        let harness = try harness(pair, Self.response)
        harness.onConsult = { _ in nil }
        let stream = try harness.ask()
        try harness.answer(body: ["ok"], framing: .length(2))
        harness.stack.linkEnded(LinkID.first, isOrderly ? .orderly : .reset("gone"), at: harness.now)
        harness.pump()
        #expect(try harness.response(stream) == nil)
        var change = MessageChange()
        change.body = Array("late".utf8)
        try decide(harness, .change(change))
        let got = try #require(try harness.response(stream))
        #expect(got.body == "late" && length(got) == "4")
        if pair.isHTTP1 {
            #expect(harness.client.text == "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate")
        }
        #expect(harness.exchanges.last?.outcome == .completed)
        harness.end()
    }

    @Test(
        "withdraws its question when the client goes away, and records the received part",
        arguments: VersionPair.all,
        [true, false]
    )
    func gone(pair: VersionPair, isResponse: Bool) throws {
        let harness = try harness(pair, isResponse ? Self.response : Self.request)
        harness.onConsult = { _ in nil }
        let stream = try harness.ask("POST", body: ["abc"], framing: .length(3))
        if isResponse { try harness.answer(body: ["ok"], framing: .length(2)) }
        #expect(harness.open.count == 1)
        if let stream {
            harness.client.session?.reset(stream, .cancel)
        } else {
            harness.stack.clientEnded(.reset("gone"), at: harness.now)
        }
        harness.pump()
        #expect(harness.open.isEmpty)
        let record = try #require(harness.exchanges.last)
        #expect(record.request.body.inline == Array("abc".utf8))
        #expect(record.response?.body.inline == (isResponse ? Array("ok".utf8) : nil))
        if stream == nil { checkEnd(of: harness.records) }
    }

    @Test(
        "asks about heads while bodies come, whatever their length",
        arguments: VersionPair.all,
        [true, false]
    )
    func heads(pair: VersionPair, isWhole: Bool) throws {
        let harness = try harness(pair, Self.asking, limit: 5)
        harness.onConsult = { _ in nil }
        let stream = try harness.ask("POST", body: ["123"], framing: .length(9), ends: false)
        #expect(try harness.request() == nil)
        guard case .message(let message)? = harness.open.values.first else { throw Plays.Missing() }
        #expect(message.body.isEmpty)
        var change = MessageChange()
        change.method = "PUT"
        try decide(harness, .change(change))
        if let stream {
            harness.client.send("456789".utf8, on: stream)
            try harness.client.session?.finish(stream)
        } else {
            harness.client.sent.append("456789")
        }
        harness.pump()
        let got = try #require(try harness.request())
        #expect(got.target == "PUT /a" && got.body == "123456789")
        if pair.isHTTP1 {
            let text = try #require(harness.servers[LinkID.first]?.text)
            #expect(text.hasPrefix("PUT /a HTTP/1.1\r\n") && text.hasSuffix("\r\n\r\n123456789"))
        }
        try harness.answer(body: ["ab"], framing: .length(4), ends: false)
        #expect(try harness.response(stream) == nil && harness.open.count == 1)
        if isWhole { try harness.goOn("cd") }
        var other = MessageChange()
        other.status = 404
        try decide(harness, .change(other))
        if !isWhole { try harness.goOn("cd") }
        let reply = try #require(try harness.response(stream))
        #expect(reply.status == 404 && reply.body == "abcd")
        if pair.isHTTP1 {
            #expect(harness.client.text == "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nabcd")
        }
        let record = try #require(harness.exchanges.last)
        #expect(text(harness.records.body(of: record, .response)) == "abcd")
        #expect(record.status == 404 && record.outcome == .completed)
        harness.end()
    }

    @Test(
        "ends the exchange where a program has to be asked and cannot be",
        arguments: VersionPair.all,
        [true, false]
    )
    func required(pair: VersionPair, isBroken: Bool) throws {
        let harness = try harness(pair, Self.requiring, limit: 5)
        let stream = try harness.ask()
        try harness.answer(body: [isBroken ? "1" : "123456789"], framing: .chunked, ends: false)
        if isBroken { harness.stack.linkEnded(LinkID.first, .orderly, at: harness.now) }
        harness.pump()
        #expect(try harness.response(stream) == nil)
        let reason = isBroken ? "the body broke off" : "body over 5 bytes"
        #expect(effects(harness) == ["not applied: \(reason)"])
        let outcome = ExchangeOutcome.answeredByProxy("the rule “w” could not be applied: \(reason)")
        #expect(harness.exchanges.last?.outcome == outcome)
        #expect(harness.open.isEmpty)
    }
}
