import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// WebSockets in streams of HTTP/2 (RFC 8441) under rules, in memory.
@Suite("WebSocket over HTTP/2, with rules")
struct StreamWebSocketTests {
    private func frame(_ text: String, from side: Side) throws -> [UInt8] {
        let mask = side == .client ? TapRun.key : nil
        return try WebSocketWriter.frame(.text, Array(text.utf8), mask: mask, from: side)
    }

    private func send(
        _ text: String,
        from side: Side,
        _ peer: ConversationHarness.Peer,
        _ stream: HTTP2StreamID
    ) throws {
        peer.send(try frame(text, from: side), on: stream)
    }

    /// A WebSocket that stands, with its streams on both sides.
    private struct Opened {
        let harness: ConversationHarness
        let server: ConversationHarness.Peer
        let stream: HTTP2StreamID
        let there: HTTP2StreamID
    }

    private func open(_ json: String) throws -> Opened {
        let set = try RuleSet(JSONValue(parsing: Array(json.utf8)), path: "rules")
        var opened: HTTP2StreamID?
        let server = ConversationHarness.Peer.server { server, stream, _ in
            opened = stream
            try server.respond(ends: false, on: stream)
        }
        var settings = try #require(server.session?.localSettings)
        settings.enableConnectProtocol = true
        server.session?.announce(settings)
        let harness = try ConversationHarness(client: .client, server: server) { $0.rules = RuleBook(set) }
        harness.pump()
        let request: HeaderFields = [
            ":method": "CONNECT", ":protocol": "websocket", ":scheme": "http",
            ":authority": "www.example.com:443", ":path": "/chat", "sec-websocket-version": "13",
        ]
        let stream = try #require(try harness.client.session?.request(request, tag: 0, endsStream: false))
        harness.pump()
        return Opened(harness: harness, server: server, stream: stream, there: try #require(opened))
    }

    @Test("a rule cannot change the status that opens a WebSocket, and the exchange notes that")
    func status() throws {
        let opened = try open(#"[{"do": "rewriteResponse", "status": 503, "set": ["X-B: 1"]}]"#)
        let heads = opened.harness.client.events.compactMap { event -> HeaderFields? in
            if case .response(opened.stream, let fields, endsStream: _) = event { fields } else { nil }
        }
        let head = try #require(heads.first)
        #expect(head.first(":status") == "200" && head.first("x-b") == "1")
        let effects = opened.harness.exchanges.last?.rules.map(\.effect)
        #expect(effects == ["changed x-b; the status of a protocol switch stays"])
    }

    @Test("drops, changes and sends messages; a message of people's own comes, too")
    func rules() throws {
        let opened = try open(
            #"""
            [{"do": "dropMessage", "find": "secret"}, {"do": "rewriteMessage", "from": "server", "find": "1", "with": "2"},
             {"do": "injectMessage", "to": "client", "text": "hello"},
             {"do": "injectMessage", "to": "server", "text": "own", "after": {"from": "client", "find": "ask"}}]
            """#
        )
        let (harness, server, stream, there) = (opened.harness, opened.server, opened.stream, opened.there)
        let hello = try frame("hello", from: .server)
        #expect(harness.client.bodies[stream] == hello)
        try send("secret", from: .client, harness.client, stream)
        try send("ask", from: .client, harness.client, stream)
        harness.pump()
        var upward = try #require(server.bodies[there])
        let ask = try frame("ask", from: .client)
        #expect(upward.starts(with: ask))
        upward.removeFirst(9)
        // The proxy's own, with a mask of its own.
        #expect(upward.count == 9 && upward.starts(with: [0x81, 0x83]))
        try send("a 1", from: .server, server, there)
        harness.pump()
        let changed = hello + (try frame("a 2", from: .server))
        #expect(harness.client.bodies[stream] == changed)
        let exchange = try #require(harness.exchanges.last)
        #expect(exchange.rules.count == 4)
        let isTaken = try harness.stack.inject(
            .text,
            Array("me".utf8),
            to: .client,
            into: exchange.id,
            at: harness.now
        )
        harness.pump()
        let mine = try frame("me", from: .server)
        #expect(isTaken && harness.client.bodies[stream] == changed + mine)
        let other = ExchangeID(rawValue: exchange.id.rawValue + 100)
        let isElsewhere = try harness.stack.inject(.text, [], to: .client, into: other, at: harness.now)
        #expect(!isElsewhere)
    }
}
