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
    /// Which sides speak HTTP/2.
    private static let pairs = [(true, true), (true, false), (false, true), (false, false)]
    private static let both =
        #"{"do": "rewriteRequest", "body": "x"}, {"do": "rewriteResponse", "body": "x"}"#

    private func fields(_ pairs: (String, String)...) -> HeaderFields {
        var fields = HeaderFields()
        for (name, value) in pairs { fields.append(name, value) }
        return fields
    }

    private func harness(
        _ client: Bool,
        _ server: Bool,
        _ rules: String = both,
        limit: Int = 1000,
        total: Int = 1000,
        trailers: Bool = false
    ) throws -> ConversationHarness {
        var heads = ProgramCall(name: "p")
        heads.points = [.requestHead, .responseHead]
        var whole = ProgramCall(name: "w")
        whole.points = [.response]
        whole.failure = .close
        let programs = [heads, whole].map { ProgramDeclaration($0, command: ["p"]) }
        let set = try RuleSet(JSONValue(parsing: Array("[\(rules)]".utf8)), path: "rules")
        let rules = RuleBook(try set.resolvingPrograms(programs, path: "rules"))
        let peer = ConversationHarness.Peer(server ? .server : nil)
        peer.react = { peer, event in
            guard case .ended(let stream) = event else { return }
            let body = peer.bodies[stream] ?? []
            do {
                let head = self.fields((":status", "200"), ("content-encoding", "gzip"))
                try peer.session?.respond(head, on: stream, endsStream: false)
                var queue = ByteQueue(Array("got ".utf8) + body)
                peer.session?.send(queue.count, from: &queue, on: stream)
                try peer.session?.finish(stream, trailers: trailers ? self.fields(("x-sum", "1")) : nil)
            } catch {
                Issue.record("the server failed: \(error)")
            }
        }
        peer.reactToText = { peer in
            guard let split = peer.text.firstRange(of: "\r\n\r\n") else { return }
            let length = peer.text[..<split.lowerBound].lowercased().split(separator: "content-length: ")
                .dropFirst()
                .first.flatMap { Int($0.prefix { $0.isNumber }) }
            let body = peer.text[split.upperBound...]
            guard let length, body.utf8.count == length else { return }
            peer.text = ""
            peer.sent.append(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            peer.sent.append(
                "\(String(length + 4, radix: 16))\r\ngot \(body)\r\n0\r\n\(trailers ? "X-Sum: 1\r\n" : "")\r\n"
            )
        }
        let harness = try ConversationHarness(client: client ? .client : nil, server: peer) { policy in
            policy.rules = rules
            policy.limits.heldBody = limit
            policy.limits.heldBodies = total
        }
        return harness
    }

    /// Sends a request with a body; the client's stream, where it speaks HTTP/2.
    private func post(_ harness: ConversationHarness, _ body: String) throws -> HTTP2StreamID? {
        guard let session = harness.client.session else {
            harness.client.sent.append(
                "POST /a HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            harness.pump()
            return nil
        }
        let head = fields(
            (":method", "POST"),
            (":scheme", "http"),
            (":authority", "www.example.com:443"),
            (":path", "/a"),
            ("content-length", "\(body.utf8.count)")
        )
        let stream = try session.request(head, tag: 0, endsStream: false)
        var queue = ByteQueue(Array(body.utf8))
        session.send(queue.count, from: &queue, on: stream)
        try session.finish(stream)
        harness.pump()
        return stream
    }

    private func body(_ harness: ConversationHarness, _ stream: HTTP2StreamID?) -> String {
        guard let stream else {
            return harness.client.text.split(separator: "\r\n\r\n", maxSplits: 1).last.map(String.init) ?? ""
        }
        return String(decoding: harness.client.bodies[stream] ?? [], as: UTF8.self)
    }

    /// Lets each message become what `make` makes of its content.
    private func change(_ harness: ConversationHarness, _ make: @escaping (HeldMessage) -> String?) {
        harness.onConsult = { question in
            guard case .message(let message) = question else { return nil }
            var change = MessageChange()
            change.body = make(message).map { Array($0.utf8) }
            return .noting(message.tasks.map { $0.hit("done") }, then: .change(change))
        }
    }

    @Test("changes requests and responses, whatever each side speaks", arguments: pairs, [false, true])
    func changed(pair: (Bool, Bool), trailers: Bool) throws {
        let harness = try harness(pair.0, pair.1, trailers: trailers)
        change(harness) { message in
            let body = String(decoding: message.body, as: UTF8.self)
            return message.response == nil ? "more \(body)" : "\(body)!"
        }
        let stream = try post(harness, "tea")
        let text = body(harness, stream)
        if pair.0 {
            #expect(text == "got more tea!")
            let head = harness.client.events.compactMap { event -> HeaderFields? in
                if case .response(_, let fields, _) = event { fields } else { nil }
            }.first
            #expect(head?.first("content-encoding") == nil)
            #expect(head?.first("content-length") == (trailers ? nil : "13"))
            let ends = harness.client.events.contains { if case .trailers = $0 { true } else { false } }
            #expect(ends == trailers)
        } else {
            #expect(
                text
                    == (trailers
                        ? "d\r\ngot more tea!\r\n0\r\n\(pair.1 ? "x-sum" : "X-Sum"): 1\r\n\r\n"
                        : "got more tea!")
            )
        }
        let record = try #require(harness.exchanges.last)
        #expect(record.outcome == .completed)
        #expect(record.rules.map(\.effect) == ["done", "done"])
        #expect(record.request.body.inline == Array("more tea".utf8) && record.request.body.isComplete)
        #expect(record.response?.body.inline == Array("got more tea!".utf8))
        #expect(record.response?.body.isComplete == true)
        #expect(harness.open.isEmpty)
    }

    @Test("forwards unchanged messages byte for byte", arguments: pairs)
    func unchanged(pair: (Bool, Bool)) throws {
        let harness = try harness(pair.0, pair.1)
        harness.onConsult = { if case .message = $0 { .proceed } else { nil } }
        let stream = try post(harness, "tea")
        #expect(body(harness, stream).contains("got tea"))
        #expect(harness.exchanges.last?.response?.body.inline == Array("got tea".utf8))
        #expect(harness.exchanges.last?.outcome == .completed)
    }

    @Test("forwards messages that are too long", arguments: pairs)
    func tooLong(pair: (Bool, Bool)) throws {
        let harness = try harness(pair.0, pair.1, limit: 5)
        harness.onConsult = { if case .message = $0 { .proceed } else { nil } }
        let stream = try post(harness, "tea")
        #expect(body(harness, stream).contains("got tea"))
        #expect(harness.exchanges.last?.rules.map(\.effect) == ["not applied: body over 5 bytes"])
        #expect(harness.exchanges.last?.outcome == .completed)
        let second = try post(harness, "a longer one")
        #expect(body(harness, second).contains("got a longer one"))
        #expect(harness.exchanges.last?.rules.count == 2)
    }

    @Test("forwards messages that exceed the limit for held ones", arguments: pairs)
    func noRoom(pair: (Bool, Bool)) throws {
        let harness = try harness(pair.0, pair.1, total: 10)
        harness.onConsult = { _ in .proceed }
        let budget = harness.stack.environment.heldBodies
        #expect(budget.take(4, limit: 10))
        let stream = try post(harness, "tea")
        #expect(body(harness, stream).contains("got tea"))
        let reason = "not applied: all bodies that are held come to 10 bytes already"
        #expect(harness.exchanges.last?.rules.map(\.effect) == [reason])
        #expect(harness.exchanges.last?.outcome == .completed)
        budget.giveBack(4)
        let second = try post(harness, "tea")
        #expect(body(harness, second).contains("got tea"))
        #expect(harness.exchanges.last?.rules.isEmpty == true)
        #expect(budget.count == 0)
    }

    @Test("asks about heads alone, whatever the length of bodies", arguments: pairs)
    func heads(pair: (Bool, Bool)) throws {
        let harness = try harness(pair.0, pair.1, #"{"do": "askProgram", "program": "p"}"#, limit: 5)
        harness.onConsult = { question in
            guard case .message(let message) = question else { return nil }
            #expect(message.body.isEmpty)
            var change = MessageChange()
            if message.response == nil { change.path = "/b" } else { change.status = 404 }
            return .noting(message.tasks.map { $0.hit("done") }, then: .change(change))
        }
        let stream = try post(harness, "a longer one")
        #expect(body(harness, stream).contains("got a longer one"))
        #expect(harness.exchanges.last?.rules.map(\.effect) == ["done", "done"])
        #expect(harness.exchanges.last?.status == 404)
        #expect(harness.exchanges.last?.outcome == .completed)
        #expect(harness.open.isEmpty)
    }

    @Test("ends an exchange if its program must be asked and cannot be", arguments: pairs)
    func required(pair: (Bool, Bool)) throws {
        let harness = try harness(
            pair.0,
            pair.1,
            #"{"name": "w", "do": "askProgram", "program": "w"}"#,
            limit: 5
        )
        let stream = try post(harness, "a longer one")
        #expect(body(harness, stream).isEmpty)
        #expect(harness.exchanges.last?.rules.map(\.effect) == ["not applied: body over 5 bytes"])
        #expect(harness.open.isEmpty)
    }

    @Test("gives a request a body that had none", arguments: [true, false])
    func added(server: Bool) throws {
        let harness = try harness(true, server, #"{"do": "rewriteRequest", "body": "x"}"#)
        change(harness) { _ in "added" }
        let session = try #require(harness.client.session)
        let head = fields(
            (":method", "GET"),
            (":scheme", "http"),
            (":authority", "www.example.com:443"),
            (":path", "/a")
        )
        let stream = try session.request(head, tag: 0, endsStream: true)
        harness.pump()
        #expect(body(harness, stream).contains("got added"))
        #expect(harness.exchanges.last?.outcome == .completed)
    }

    @Test("answers, or resets one stream, and lets the others be")
    func instead() throws {
        let harness = try harness(true, true)
        harness.onConsult = { question in
            guard case .message(let message) = question else { return nil }
            let text = String(decoding: message.body, as: UTF8.self)
            if text == "cut" { return .cut(isReset: false, "dropped") }
            if text == "got answer" { return .answer(Answer(status: 418, body: [0x41], reason: "because")) }
            return .proceed
        }
        let cut = try #require(try post(harness, "cut"))
        let answered = try #require(try post(harness, "answer"))
        let other = try #require(try post(harness, "other"))
        #expect(
            harness.client.events.contains { event in
                if case .reset(cut, .cancel, _, _) = event { true } else { false }
            }
        )
        #expect(body(harness, answered) == "A")
        #expect(body(harness, other) == "got other")
        #expect(harness.exchanges.map(\.outcome).contains(.answeredByProxy("because")))
    }

    @Test("keeps a complete response whose server closes", arguments: [true, false])
    func kept(server: Bool) throws {
        let harness = try harness(true, server, #"{"do": "rewriteResponse", "body": "x"}"#)
        harness.onConsult = { _ in nil }
        let stream = try #require(try post(harness, "tea"))
        let lane = try #require(harness.open.keys.first)
        harness.stack.linkEnded(LinkID.first, .orderly, at: harness.now)
        harness.pump()
        var change = MessageChange()
        change.body = Array("late".utf8)
        harness.decide(lane, .change(change))
        #expect(body(harness, stream) == "late")
        #expect(harness.exchanges.last?.outcome == .completed)
    }

    @Test("withdraws its question when the client resets the stream, and records the received part")
    func gone() throws {
        let harness = try harness(true, true)
        harness.onConsult = { question in
            if case .message(let message) = question, message.response == nil { .proceed } else { nil }
        }
        let stream = try #require(try post(harness, "tea"))
        #expect(harness.open.count == 1)
        harness.client.session?.reset(stream, .cancel)
        harness.pump()
        #expect(harness.open.isEmpty)
        #expect(harness.exchanges.last?.response?.body.inline == Array("got tea".utf8))
        #expect(harness.exchanges.last?.request.body.inline == Array("tea".utf8))
    }

    @Test("answers Expect in HTTP/2")
    func expect() throws {
        let harness = try harness(true, true)
        change(harness) { _ in "x" }
        let session = try #require(harness.client.session)
        let head = fields(
            (":method", "POST"),
            (":scheme", "http"),
            (":authority", "www.example.com:443"),
            (":path", "/a"),
            ("expect", "100-continue")
        )
        let stream = try session.request(head, tag: 0, endsStream: false)
        harness.pump()
        #expect(
            harness.client.events.contains { event in
                if case .informational(stream, let fields) = event {
                    fields.first(":status") == "100"
                } else {
                    false
                }
            }
        )
        try session.finish(stream)
        harness.pump()
        #expect(body(harness, stream) == "x")
    }
}
