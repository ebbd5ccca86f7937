import PinholeModel
import PinholeRules
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Messages that are held until it is decided what becomes of them, over HTTP/1.
@Suite("TunnelStack, holding messages")
struct TunnelStackHoldingTests {
    private static let response = #"{"name": "r", "do": "rewriteResponse", "body": "x"}"#
    private static let asking = #"{"name": "p", "do": "askProgram", "program": "p"}"#
    private static let requiring = #"{"name": "w", "do": "askProgram", "program": "w"}"#
    /// A program that is asked about heads alone, and one that has to be asked about whole responses.
    private static var programs: [ProgramDeclaration] {
        var heads = ProgramCall(name: "p")
        heads.points = [.requestHead, .responseHead]
        var whole = ProgramCall(name: "w")
        whole.points = [.response]
        whole.failure = .close
        return [heads, whole].map { ProgramDeclaration($0, command: ["p"]) }
    }
    private static let request = #"{"name": "q", "do": "rewriteRequest", "body": "x"}"#

    private func harness(
        _ rule: String,
        chunk: Int = 4096,
        isTLS: Bool = true,
        limit: Int = 1000
    ) throws -> StackHarness {
        var policy = try Tunnels.world.policy()
        let rules = try RuleSet(JSONValue(parsing: Array("[\(rule)]".utf8)), path: "rules")
        policy.rules = RuleBook(try rules.resolvingPrograms(Self.programs, path: "rules"))
        policy.limits.heldBody = limit
        return try Tunnels.any(isTLS: isTLS, chunk: chunk, policy: policy)
    }

    /// Lets every message become one with this content.
    private func change(_ harness: StackHarness, to body: String?, status: Int? = nil) -> Asked {
        let asked = Asked()
        harness.onConsult = { question in
            guard case .message(let message) = question else { return nil }
            asked.messages.append(message)
            var change = MessageChange()
            change.body = body.map { Array($0.utf8) }
            change.status = status
            return .noting(message.tasks.map { $0.hit("done") }, then: .change(change))
        }
        return asked
    }

    private final class Asked {
        var messages: [HeldMessage] = []
    }

    private func get(_ harness: StackHarness, isTLS: Bool = true, _ method: String = "GET") {
        harness.client.send(
            "\(method) \(harness.target("/a", isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
        )
        harness.pump()
    }

    private func end(_ harness: StackHarness) {
        harness.client.close()
        harness.pump()
        harness.checkEnd()
        #expect(harness.open.isEmpty)
    }

    @Test(
        "sends a response on as it was changed, however it was framed",
        arguments: Chunking.sizes,
        [
            "Content-Length: 9\r\n\r\ncompressed",
            "Transfer-Encoding: chunked\r\n\r\n4\r\ncomp\r\n5;x\r\nresse\r\n0\r\n\r\n",
        ]
    )
    func changed(chunk: Int, framed: String) throws {
        let harness = try harness(Self.response, chunk: chunk)
        let asked = change(harness, to: "plain text")
        for _ in 0..<2 {
            get(harness)
            let server = try #require(harness.server)
            server.send(
                "HTTP/1.1 200 OK\r\nA: b\r\nContent-Encoding: gzip\r\nETag: x\r\n"
                    + framed.replacing("compressed", with: "compresse")
            )
            harness.pump()
            #expect(
                harness.client.text
                    == "HTTP/1.1 200 OK\r\nA: b\r\nETag: x\r\nContent-Length: 10\r\n\r\nplain text"
            )
            harness.client.clear()
        }
        #expect(
            asked.messages.map { String(decoding: $0.body, as: UTF8.self) } == ["compresse", "compresse"]
        )
        #expect(asked.messages.first?.response?.fields.first("content-encoding") == "gzip")
        #expect(asked.messages.first?.exchange == harness.exchanges.first?.id)
        let record = try #require(harness.exchanges.last)
        #expect(record.response?.body.inline == Array("plain text".utf8))
        #expect(record.response?.body.isComplete == true && record.outcome == .completed)
        let head = String(decoding: record.response?.head ?? [], as: UTF8.self)
        #expect(head.contains("Content-Length: 10"))
        #expect(record.rules.map(\.effect) == ["done"])
        end(harness)
    }

    @Test("forwards an unchanged message byte for byte, with its trailers")
    func unchanged() throws {
        let harness = try harness(Self.response, chunk: 3)
        harness.onConsult = { if case .message = $0 { .proceed } else { nil } }
        get(harness)
        harness.server?.send(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 5\r\n\r\n"
        )
        harness.pump()
        #expect(
            harness.client.text
                == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\nX-Sum: 5\r\n\r\n"
        )
        #expect(harness.exchanges.last?.response?.trailers == Array("X-Sum: 5\r\n".utf8))
        end(harness)
    }

    @Test("keeps trailers behind changed content")
    func trailers() throws {
        let harness = try harness(Self.response)
        _ = change(harness, to: "new")
        get(harness)
        harness.server?.send(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 5\r\n\r\n"
        )
        harness.pump()
        #expect(
            harness.client.text
                == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nnew\r\n0\r\nX-Sum: 5\r\n\r\n"
        )
        end(harness)
    }

    @Test("forwards messages that are too long, are a stream, or take too long", arguments: Chunking.sizes)
    func notHeld(chunk: Int) throws {
        let harness = try harness(Self.response, chunk: chunk, limit: 10)
        harness.onConsult = { if case .message = $0 { .proceed } else { nil } }
        let cases = [
            ("Content-Length: 11\r\n\r\nhello world", "body over 10 bytes"),
            (
                "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
                "the body is a stream"
            ),
        ]
        for (framed, reason) in cases {
            get(harness)
            harness.server?.send("HTTP/1.1 200 OK\r\n\(framed)")
            harness.pump()
            #expect(harness.client.text == "HTTP/1.1 200 OK\r\n\(framed)")
            #expect(harness.exchanges.last?.rules.map(\.effect) == ["not applied: \(reason)"])
            harness.client.clear()
        }
        get(harness)
        harness.server?.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for piece in ["5\r\nhello\r\n", "7\r\n, world\r\n", "1\r\n!\r\n", "0\r\nA: b\r\n\r\n"] {
            harness.server?.send(piece)
            harness.pump()
        }
        let parts = harness.client.text.split(separator: "\r\n\r\n", maxSplits: 1)
        #expect(parts.last.map { Self.dechunked(String($0)) } == "hello, world!")
        #expect(harness.client.text.hasSuffix("0\r\nA: b\r\n\r\n"))
        #expect(harness.exchanges.last?.rules.map(\.effect) == ["not applied: body over 10 bytes"])
        #expect(harness.exchanges.last?.response?.body.inline == Array("hello, world!".utf8))
        end(harness)
    }

    private static func dechunked(_ text: String) -> String {
        var rest = text[...]
        var body = ""
        while let line = rest.firstRange(of: "\r\n"), let count = Int(rest[..<line.lowerBound], radix: 16),
            count > 0
        {
            rest = rest[line.upperBound...]
            body += rest.prefix(count)
            rest = rest.dropFirst(count + 1)
        }
        return body
    }

    @Test("waits for the rest of a body for a while, then lets it pass")
    func slow() throws {
        let harness = try harness(Self.response)
        get(harness)
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
        harness.pump()
        #expect(harness.client.text.isEmpty)
        #expect(Array(harness.open.values) == [.wait(.seconds(30))])
        harness.decide(.proceed)
        #expect(harness.client.text == "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
        harness.server?.send("def")
        harness.pump()
        #expect(harness.client.text.hasSuffix("abcdef"))
        #expect(
            harness.exchanges.last?.rules.first?.effect == "not applied: the body was not there within 30 s"
        )
        end(harness)
    }

    @Test(
        "holds a request, answers its Expect, and frames it anew",
        arguments: Chunking.sizes,
        [true, false]
    )
    func request(chunk: Int, isTLS: Bool) throws {
        let harness = try harness(Self.request, chunk: chunk, isTLS: isTLS)
        let asked = change(harness, to: "changed")
        let target = harness.target("/a", isTLS: isTLS)
        harness.client.send(
            "POST \(target) HTTP/1.1\r\nHost: www.example.com\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        harness.pump()
        #expect(harness.client.text == "HTTP/1.1 100 Continue\r\n\r\n")
        harness.client.clear()
        harness.client.send("2\r\nab\r\n1\r\nc\r\n0\r\n\r\n")
        harness.pump()
        let server = try #require(harness.server)
        #expect(
            server.text
                == "POST /a HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 7\r\n\r\nchanged"
        )
        #expect(asked.messages.map { String(decoding: $0.body, as: UTF8.self) } == ["abc"])
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        harness.pump()
        #expect(harness.client.text.hasSuffix("ok"))
        let record = try #require(harness.exchanges.last)
        #expect(record.request.body.inline == Array("changed".utf8) && record.request.body.isComplete)
        #expect(String(decoding: record.request.head, as: UTF8.self).contains("Content-Length: 7"))
        server.clear()
        get(harness, isTLS: isTLS)
        #expect(server.text.hasPrefix("GET /a HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 7"))
        server.send("HTTP/1.1 204 No Content\r\n\r\n")
        harness.pump()
        end(harness)
    }

    @Test("lets a request pass that is too long", arguments: Chunking.sizes)
    func longRequest(chunk: Int) throws {
        let harness = try harness(Self.request, chunk: chunk, limit: 4)
        harness.client.send(
            "POST /a HTTP/1.1\r\nHost: www.example.com\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n6\r\ndefghi\r\n1\r\nj\r\n0\r\nX: y\r\n\r\n"
        )
        harness.pump()
        let server = try #require(harness.server)
        let body = server.text.split(separator: "\r\n\r\n", maxSplits: 1).last.map(String.init)
        #expect(body.map(Self.dechunked) == "abcdefghij")
        #expect(server.text.hasSuffix("0\r\nX: y\r\n\r\n"))
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        harness.pump()
        #expect(harness.exchanges.last?.rules.map(\.effect) == ["not applied: body over 4 bytes"])
        #expect(harness.exchanges.last?.outcome == .completed)
        end(harness)
    }

    @Test("answers in the server's place, drops, or gives another status", arguments: [true, false])
    func instead(isTLS: Bool) throws {
        let harness = try harness(Self.response, isTLS: isTLS)
        harness.onConsult = { question in
            guard case .message = question else { return nil }
            return .answer(Answer(status: 418, body: Array("tea".utf8), reason: "because"))
        }
        for _ in 0..<2 {
            get(harness, isTLS: isTLS)
            harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            harness.pump()
            #expect(harness.client.text.hasPrefix("HTTP/1.1 418") && harness.client.text.hasSuffix("tea"))
            #expect(harness.exchanges.last?.outcome == .answeredByProxy("because"))
            harness.client.clear()
        }
        #expect(harness.dialed.count == 1)
        _ = change(harness, to: nil, status: 204)
        get(harness, isTLS: isTLS)
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        harness.pump()
        #expect(harness.client.text == "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(harness.exchanges.last?.status == 204)
        harness.onConsult = { if case .message = $0 { .cut(isReset: true, "dropped") } else { nil } }
        get(harness, isTLS: isTLS)
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        harness.pump()
        #expect(harness.wasReset)
        #expect(harness.exchanges.last?.outcome == .answeredByProxy("dropped"))
        harness.checkEnd()
    }

    @Test("leaves the head of an answer to HEAD its length")
    func head() throws {
        let harness = try harness(Self.response)
        let asked = change(harness, to: "more")
        get(harness, "HEAD")
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n")
        harness.pump()
        #expect(harness.client.text == "HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n")
        #expect(asked.messages.first?.mayHaveContent(as: nil) == false)
        end(harness)
    }

    @Test("gives the client the received part of a truncated response")
    func broken() throws {
        let harness = try harness(Self.response)
        get(harness)
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
        harness.server?.close()
        harness.pump()
        #expect(harness.client.text == "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
        #expect(harness.exchanges.last?.rules.map(\.effect) == ["not applied: the body broke off"])
        #expect(harness.open.isEmpty)
        harness.checkEnd()
    }

    @Test("keeps a complete response whose server closes", arguments: [true, false])
    func kept(isOrderly: Bool) throws {
        let harness = try harness(Self.response)
        harness.onConsult = { _ in nil }
        get(harness)
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        harness.pump()
        if isOrderly { harness.server?.close() } else { harness.server?.reset() }
        harness.pump()
        #expect(harness.client.text.isEmpty)
        var change = MessageChange()
        change.body = Array("late".utf8)
        harness.decide(.change(change))
        #expect(harness.client.text == "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate")
        #expect(harness.exchanges.last?.outcome == .completed)
        end(harness)
    }

    @Test(
        "withdraws its question when the client goes away, and records the received part",
        arguments: [true, false]
    )
    func gone(isResponse: Bool) throws {
        let harness = try harness(isResponse ? Self.response : Self.request)
        harness.onConsult = { _ in nil }
        harness.client.send("POST /a HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 3\r\n\r\nabc")
        harness.pump()
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        harness.pump()
        #expect(harness.open.count == 1)
        harness.client.reset()
        harness.pump()
        #expect(harness.open.isEmpty)
        harness.checkEnd()
        let record = try #require(harness.exchanges.last)
        #expect(record.request.body.inline == Array("abc".utf8))
        #expect(record.response?.body.inline == (isResponse ? Array("ok".utf8) : nil))
    }

    @Test("asks about heads while bodies come, whatever their length", arguments: [true, false])
    func heads(isWhole: Bool) throws {
        let harness = try harness(Self.asking, limit: 5)
        harness.onConsult = { _ in nil }
        harness.client.send("POST /a HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 9\r\n\r\n123")
        harness.pump()
        #expect(harness.server?.text.isEmpty != false && harness.open.count == 1)
        var change = MessageChange()
        change.method = "PUT"
        harness.decide(.change(change))
        harness.client.send("456789")
        harness.pump()
        #expect(harness.server?.text.hasPrefix("PUT /a HTTP/1.1\r\n") == true)
        #expect(harness.server?.text.hasSuffix("\r\n\r\n123456789") == true)
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
        harness.pump()
        #expect(harness.client.text.isEmpty && harness.open.count == 1)
        if isWhole { harness.server?.send("cd") }
        harness.pump()
        var other = MessageChange()
        other.status = 404
        harness.decide(.change(other))
        if !isWhole { harness.server?.send("cd") }
        harness.pump()
        #expect(harness.client.text == "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nabcd")
        #expect(harness.exchanges.last.map { harness.body(of: $0, .response) } == Array("abcd".utf8))
        end(harness)
    }

    @Test("ends the exchange where a program has to be asked and cannot be", arguments: [true, false])
    func required(isBroken: Bool) throws {
        let harness = try harness(Self.requiring, limit: 5)
        get(harness)
        harness.server?.send(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n\(isBroken ? "1" : "123456789\r\n")"
        )
        harness.pump()
        if isBroken { harness.server?.close() }
        harness.pump()
        #expect(harness.client.text.isEmpty)
        let reason = isBroken ? "the body broke off" : "body over 5 bytes"
        #expect(harness.exchanges.last?.rules.map(\.effect) == ["not applied: \(reason)"])
        #expect(
            harness.exchanges.last?.outcome
                == .answeredByProxy("the rule “w” could not be applied: \(reason)")
        )
        #expect(harness.open.isEmpty)
    }
}
