import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// Responses that end before their requests, connections that say more than they should, and requests whose end
/// cannot be sent on.
@Suite("Conversation stack: early ends")
struct ConversationEarlyEndTests {
    @Test(
        "a response that is whole reaches the client, though its server wants no more of the request",
        arguments: [1, 7, 16384]
    )
    func unwanted(chunk: Int) throws {
        let server = ConversationHarness.Peer.server { server, stream, _ in
            try server.respond([":status": "413"], "too much".utf8, on: stream)
            server.work()
            server.session?.reset(stream, .noError)
        }
        let harness = try ConversationHarness(client: .client, server: server)
        harness.chunk = chunk
        let session = try #require(harness.client.session)
        let stream = try session.request(.request("/up", "POST"), tag: 0, endsStream: false)
        harness.pump()
        #expect(harness.client.heads.count == 1 && harness.client.status(stream) == "413")
        #expect(harness.client.bodies[stream] == Array("too much".utf8))
        #expect(harness.exchanges.map(\.outcome) == [.completed])

        // RFC 9113 §8.1: it is told to stop.
        #expect(harness.client.resets == [.noError])
        // What it goes on with holds up nothing.
        var body = ByteQueue([UInt8](repeating: 0x61, count: 1 << 20))
        session.send(1 << 20, from: &body, on: stream)
        try session.finish(stream)
        let next = try session.request(.request("/next"), tag: 0, endsStream: true)
        harness.pump()
        #expect(harness.client.status(next) == "413")
        #expect(harness.stack.lanes.isEmpty)
    }

    /// How a client leaves.
    enum Leaving: CaseIterable {
        case reset, close, closeAsHTTP1, brokenReset, brokenClose, unread

        /// Whether it has what it was promised, as far as anybody can tell.
        var isSatisfied: Bool { [.reset, .close, .closeAsHTTP1].contains(self) }
    }

    @Test(
        "a client that leaves after the whole Content-Length has its response, ended or not",
        arguments: Leaving.allCases,
        [5, 6]
    )
    func leaving(how: Leaving, promised: Int) throws {
        let server = ConversationHarness.Peer.server { server, stream, _ in
            let head: HeaderFields = [":status": "200", "content-length": "\(promised)"]
            try server.respond(head, "hello".utf8, ends: false, on: stream)
        }
        let harness = try ConversationHarness(client: how == .closeAsHTTP1 ? nil : .client, server: server)
        let stream = try harness.client.session?.request(.request("/"), tag: 0, endsStream: true)
        if stream == nil { harness.client.sent.append("GET / HTTP/1.1\r\nHost: www.example.com:443\r\n\r\n") }
        harness.client.isReading = how != .unread
        harness.pump()
        #expect(harness.exchanges.isEmpty)
        switch how {
        case .reset, .brokenReset:
            harness.client.session?.reset(try #require(stream), how == .reset ? .cancel : .protocolError)
        case .close, .closeAsHTTP1, .unread: harness.stack.clientEnded(.orderly, at: harness.now)
        case .brokenClose: harness.stack.clientEnded(.reset("broken"), at: harness.now)
        }
        harness.pump()
        // A client of HTTP/1 that closes its half may still read the rest of its response.
        if harness.exchanges.isEmpty { harness.stack.clientEnded(.reset("broken"), at: harness.now) }
        harness.pump()
        let record = try #require(harness.exchanges.first)
        let isWhole = how.isSatisfied && promised == 5
        #expect((record.outcome == .completed) == isWhole, "\(record.outcome.map { "\($0)" } ?? "none")")
        #expect(record.response?.body.isComplete == isWhole)
        // Its server need not go on.
        #expect(harness.servers.isEmpty || server.resets != [])
        #expect(harness.stack.lanes.isEmpty && harness.exchanges.count == 1)
    }

    @Test("a server of HTTP/1 that answers early and closes has answered")
    func earlyClose() throws {
        let server = ConversationHarness.Peer(nil)
        server.reactToText = { server in
            guard server.sent.isEmpty else { return }
            server.sent.append("HTTP/1.1 413 No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
        }
        let harness = try ConversationHarness(client: .client, server: server)
        let session = try #require(harness.client.session)
        let stream = try session.request(.request("/up", "POST"), tag: 0, endsStream: false)
        harness.pump()
        harness.stack.linkEnded(LinkID.first, .orderly, at: harness.now)
        harness.pump()
        #expect(harness.client.heads.count == 1 && harness.client.status(stream) == "413")
        #expect(harness.client.bodies[stream] == Array("no".utf8))
        #expect(harness.exchanges.map(\.outcome) == [.completed])
        #expect(harness.client.resets.isEmpty)
        // Who has little to send ends by itself; who goes on is told to stop.
        var body = ByteQueue([UInt8](repeating: 0x61, count: 2 << 20))
        session.send(2 << 20, from: &body, on: stream)
        harness.pump()
        #expect(harness.client.resets == [.noError])
    }

    @Test(
        "an upload that is too long to be gathered for a rule that answers stops, and holds up nothing",
        arguments: [#"{"do": "mock", "status": 403, "body": "no"}"#, #"{"do": "block", "with": 403}"#]
    )
    func ruled(rule: String) throws {
        let rules = RuleBook(try RuleSet(JSONValue(parsing: Array("[\(rule)]".utf8)), path: "rules"))
        let harness = try ConversationHarness(client: .client, server: ConversationHarness.Peer(.server)) {
            $0.rules = rules
        }
        let session = try #require(harness.client.session)
        let stream = try session.request(.request("/up", "POST"), tag: 0, endsStream: false)
        var body = ByteQueue([UInt8](repeating: 0x61, count: 16 << 20))
        session.send(16 << 20, from: &body, on: stream)
        harness.pump()
        #expect(harness.client.heads.count == 1 && harness.client.status(stream) == "403")
        let ends: [HTTP2Event] = [
            .ended(stream), .reset(stream, .noError, by: .peer, detail: "the peer reset the stream"),
            .closed(stream),
        ]
        #expect(Array(harness.client.events.suffix(3)) == ends)
        #expect(harness.stack.client.session?.activeStreams == 0)
        // curl 7.88 loses the answer if its stream is reset before it has sent its body.
        let short = try session.request(.request("/short", "POST"), tag: 0, endsStream: false)
        harness.pump()
        #expect(harness.client.status(short) == nil)
        var rest = ByteQueue([UInt8](repeating: 0x61, count: 100_000))
        session.send(100_000, from: &rest, on: short)
        try session.finish(short)
        harness.pump()
        #expect(harness.client.status(short) == "403")
        #expect(harness.client.resets == [.noError] && harness.stack.client.session?.activeStreams == 0)
    }

    /// A server whose response is longer than what a client takes that gives no credit, and then ends.
    private func longWinded(
        _ end: @escaping (HTTP2Session, HTTP2StreamID) -> Void
    ) -> ConversationHarness.Peer {
        .server { server, stream, _ in
            try server.respond(
                [":status": "200"],
                [UInt8](repeating: 0x61, count: 1 << 20),
                ends: false,
                on: stream
            )
            if let session = server.session { end(session, stream) }
        }
    }

    /// Lets a client take what it has left, as long as something moves.
    private func takeRest(_ harness: ConversationHarness, _ stream: HTTP2StreamID) -> Int {
        var length = 0
        for _ in 0..<1000 {
            var piece = ByteQueue()
            let count = harness.client.session?.take(from: stream, into: &piece) ?? 0
            harness.client.session?.release(count, on: stream)
            length += count
            harness.pump()
            if count == 0 { break }
        }
        return length
    }

    @Test("unread bytes reach a slow client before the reset of its server")
    func slowClient() throws {
        var sent = 0
        let server = longWinded { session, stream in
            // What the windows on the way take; the rest never leaves the server.
            session.breakOff(stream, .internalError)
            sent += 1
        }
        let harness = try ConversationHarness(client: .client, server: server)
        harness.client.releases = false
        let session = try #require(harness.client.session)
        let stream = try session.request(.request("/long"), tag: 0, endsStream: true)
        harness.pump()
        #expect(harness.client.resets.isEmpty)
        #expect(takeRest(harness, stream) == 1 << 20)
        #expect(sent == 1)
        #expect(harness.client.resets == [.internalError])
        #expect(harness.exchanges.first?.response?.body.length == 1 << 20)
        #expect(harness.stack.lanes.isEmpty && harness.stack.client.session?.activeStreams == 0)
    }

    @Test("a whole response reaches a slow client whose server has closed", arguments: [true, false])
    func slowClientOfClosed(isOrderly: Bool) throws {
        let server = longWinded { session, stream in _ = try? session.finish(stream) }
        let harness = try ConversationHarness(client: .client, server: server)
        harness.client.releases = false
        let session = try #require(harness.client.session)
        let stream = try session.request(.request("/long"), tag: 0, endsStream: true)
        harness.pump()
        // The server has said everything once the windows on the way took it.
        var length = 0
        for _ in 0..<1000 where server.session?.pendingOutput(stream) ?? 0 > 0 {
            var piece = ByteQueue()
            let count = session.take(upTo: 10_000, from: stream, into: &piece)
            session.release(count, on: stream)
            length += count
            harness.pump()
        }
        let end: CloseKind = isOrderly ? .orderly : .reset("gone")
        harness.stack.linkEnded(LinkID.first, end, at: harness.now)
        #expect(length + takeRest(harness, stream) == 1 << 20)
        #expect(harness.exchanges.map(\.outcome) == [.completed])
        #expect(harness.client.resets.isEmpty)
    }

    @Test(
        "a response that breaks off reaches the client as far as it came, then the reset",
        arguments: [7, 16384]
    )
    func brokenResponse(chunk: Int) throws {
        let server = ConversationHarness.Peer.server { server, stream, _ in
            try server.respond([":status": "200"], "partial".utf8, ends: false, on: stream)
            server.session?.breakOff(stream, .enhanceYourCalm)
        }
        let harness = try ConversationHarness(client: .client, server: server)
        harness.chunk = chunk
        let session = try #require(harness.client.session)
        let stream = try session.request(.request("/broken"), tag: 0, endsStream: true)
        harness.pump()
        #expect(harness.client.heads.count == 1 && harness.client.status(stream) == "200")
        #expect(harness.client.bodies[stream] == Array("partial".utf8))
        #expect(harness.client.resets == [.enhanceYourCalm])
        #expect(harness.exchanges.first?.response?.body.length == 7)
        #expect(harness.stack.lanes.isEmpty)
    }

    @Test("so does one of a server of HTTP/1 that goes away")
    func brokenResponseOfHTTP1() throws {
        let server = ConversationHarness.Peer(nil)
        server.reactToText = { server in
            guard server.sent.isEmpty else { return }
            server.sent.append("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npartial")
        }
        let harness = try ConversationHarness(client: .client, server: server)
        let session = try #require(harness.client.session)
        let stream = try session.request(.request("/broken"), tag: 0, endsStream: true)
        session.write(into: &harness.stack.client.inbox, limit: 1 << 20)
        harness.stack.advance(at: harness.now)
        // The answer and the end come at one time.
        let link = try #require(harness.stack.links[LinkID.first])
        server.receive(&link.peer.value.outbox, at: harness.now)
        server.sent.move(server.sent.count, to: &link.peer.value.inbox)
        harness.stack.linkEnded(LinkID.first, .reset("gone"), at: harness.now)
        harness.pump()
        #expect(harness.client.heads.count == 1 && harness.client.status(stream) == "200")
        #expect(harness.client.bodies[stream] == Array("partial".utf8))
        #expect(harness.client.resets == [.internalError])
    }

    @Test("a request that breaks off reaches the server as far as it came, then the reset")
    func brokenRequest() throws {
        let server = ConversationHarness.Peer(.server)
        let harness = try ConversationHarness(client: .client, server: server)
        harness.pump()
        let session = try #require(harness.client.session)
        let stream = try session.request(.request("/up", "POST"), tag: 0, endsStream: false)
        harness.pump()
        harness.client.send("hello".utf8, on: stream)
        session.breakOff(stream, .cancel)
        harness.pump()
        #expect(server.bodies.values.map { String(decoding: $0, as: UTF8.self) } == ["hello"])
        #expect(server.resets == [.cancel])
        #expect(harness.exchanges.count == 1)
        #expect(harness.stack.lanes.isEmpty)
    }

    @Test(
        "unsolicited bytes of an HTTP/1 server answer no other request",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL", "HTTP/1.1 103 Early Hints\r\nX: EVIL\r\n\r\n",
            "EVIL",
        ]
    )
    func surplus(_ surplus: String) throws {
        let evil = ConversationHarness.Peer(nil)
        evil.reactToText = { server in
            guard server.sent.isEmpty else { return }
            server.sent.append("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none\(surplus)")
        }
        let harness = try ConversationHarness(client: .client, server: evil)
        harness.onDial = {
            .server { server, stream, _ in try server.respond([":status": "200"], "two".utf8, on: stream) }
        }
        let session = try #require(harness.client.session)
        let streams = try (0..<20).map { try session.request(.request("/\($0)"), tag: 0, endsStream: true) }
        harness.pump()
        let bodies = streams.compactMap {
            harness.client.bodies[$0].map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(bodies.count == streams.count)
        #expect(bodies.filter { $0 == "one" }.count == 1)
        #expect(bodies.allSatisfy { $0 == "one" || $0 == "two" }, "\(bodies)")
    }

    @Test("a request whose trailers cannot be sent on is refused, and its stream ends")
    func trailers() throws {
        let server = ConversationHarness.Peer(nil)
        let harness = try ConversationHarness(client: .client, server: server)
        let session = try #require(harness.client.session)
        let stream = try session.request(.request("/up", "POST"), tag: 0, endsStream: false)
        harness.client.send("hello".utf8, on: stream)
        try session.finish(stream, trailers: ["authorization": "x"])
        harness.pump()
        #expect(harness.client.heads.count == 1 && harness.client.status(stream) == "400")
        #expect(harness.exchanges.count == 1)
        #expect(harness.stack.lanes.isEmpty)
    }

    @Test("a scheme is the same in either case")
    func scheme() throws {
        #expect(try RequestHead(stream: .request("/", scheme: "HTTPS"), endsStream: true).scheme == .https)
    }
}
