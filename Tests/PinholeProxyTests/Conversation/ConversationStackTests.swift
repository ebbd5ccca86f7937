import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// Messages through the stack of a conversation, in memory.
@Suite("Conversation stack")
struct ConversationStackTests {
    private func lines(_ fields: HeaderFields) -> [String] { fields.pairs.map { "\($0.name): \($0.value)" } }

    /// A server of HTTP/2 that answers what it was asked, with the request's body.
    private func echo() -> ConversationHarness.Peer {
        .server(atEnd: true) { server, stream, _ in
            let body = server.bodies[stream] ?? []
            let head: HeaderFields = [":status": "200", "set-cookie": "a=1", "x": "1", "set-cookie": "b=2"]
            try server.respond(head, body, trailers: ["x-sum": "\(body.count)"], on: stream)
        }
    }

    @Test("a stack that ends during an exchange releases the exchange and its link")
    func released() throws {
        weak var link: LinkStack?
        do {
            let harness = try ConversationHarness(client: nil, server: ConversationHarness.Peer(nil))
            harness.client.sent.append("GET / HTTP/1.1\r\nHost: www.example.com:443\r\n\r\n")
            harness.pump()
            link = harness.stack.links[LinkID.first]
            #expect(link?.lane != nil)
        }
        #expect(link == nil)
    }

    @Test(
        "carries order, duplicates, crumbs, bodies and trailers over, at every size of pieces",
        arguments: [1, 7, 16384]
    )
    func faithful(chunk: Int) throws {
        let harness = try ConversationHarness(client: .client, server: echo())
        harness.chunk = chunk
        let session = try #require(harness.client.session)
        let more: KeyValuePairs = [
            "cookie": "a=1", "x-one": "1", "cookie": "b=2", "x-one": "2", "te": "trailers",
        ]
        let head = HeaderFields.request("/a?b=c", "POST", more)
        let stream = try session.request(head, tag: 0, endsStream: false)
        harness.client.send("hello".utf8, on: stream)
        try session.finish(stream, trailers: ["x-end": "yes"])
        harness.pump()

        let seen = harness.servers[LinkID.first]?.events.compactMap { event -> [String]? in
            if case .request(_, let fields, _) = event { lines(fields) } else { nil }
        }
        #expect(seen == [lines(head)])
        let trailers = harness.servers[LinkID.first]?.events.compactMap { event -> [String]? in
            if case .trailers(_, let fields) = event { lines(fields) } else { nil }
        }
        #expect(trailers == [["x-end: yes"]])
        #expect(harness.client.bodies[stream].map { String(decoding: $0, as: UTF8.self) } == "hello")
        let answer = harness.client.events.compactMap { event -> [String]? in
            switch event {
            case .response(_, let fields, _), .trailers(_, let fields): lines(fields)
            default: nil
            }
        }
        #expect(answer == [[":status: 200", "set-cookie: a=1", "x: 1", "set-cookie: b=2"], ["x-sum: 5"]])

        let record = try #require(harness.exchanges.first)
        #expect(harness.exchanges.count == 1)
        #expect(record.outcome == .completed)
        #expect(record.path == "/a?b=c")
        #expect(record.request.body.inline == Array("hello".utf8))
        #expect(record.request.trailers == Array("x-end: yes\r\n".utf8))
        #expect(
            String(decoding: record.request.head, as: UTF8.self).hasPrefix(
                "POST /a?b=c HTTP/2\r\n:method: POST\r\n"
            )
        )
        #expect(record.response?.body.inline == Array("hello".utf8))
        #expect(record.response?.trailers == Array("x-sum: 5\r\n".utf8))
    }

    @Test("lets a hundred streams pass side by side, and forgets them")
    func many() throws {
        let harness = try ConversationHarness(client: .client, server: echo())
        let session = try #require(harness.client.session)
        for number in 0..<100 {
            _ = try session.request(.request("/\(number)"), tag: 0, endsStream: true)
        }
        harness.pump()
        #expect(harness.exchanges.count == 100)
        #expect(harness.exchanges.allSatisfy { $0.outcome == .completed && $0.status == 200 })
        #expect(harness.stack.lanes.isEmpty)
        #expect(harness.stack.client.session?.activeStreams == 0)
        #expect(harness.stack.links[LinkID.first]?.peer.value.session?.activeStreams == 0)
    }

    @Test("a stream that its client does not read holds up no other, and memory stays bounded")
    func slowStream() throws {
        let big = [UInt8](repeating: 0x61, count: 8 << 20)
        let server = ConversationHarness.Peer.server { server, stream, head in
            let body = head.first(":path") == "/big" ? big : Array("small".utf8)
            try server.respond([":status": "200"], body, on: stream)
        }
        let harness = try ConversationHarness(client: .client, server: server)
        let session = try #require(harness.client.session)
        harness.client.releases = false
        _ = try session.request(.request("/big"), tag: 0, endsStream: true)
        harness.pump()
        harness.client.releases = true
        let small = try session.request(.request("/small"), tag: 0, endsStream: true)
        harness.pump()
        #expect(harness.client.bodies[small].map { String(decoding: $0, as: UTF8.self) } == "small")
        #expect(harness.exchanges.map(\.path) == ["/small"])
        #expect(harness.mostBuffered < 2 << 20, "\(harness.mostBuffered)")
        // What waits of the big one is bounded by its window and the high water mark.
        let waiting = harness.stack.links[LinkID.first]?.peer.value.session.map { upstream in
            upstream.streams.reduce(0) { $0 + upstream.pendingInput($1) }
        }
        #expect((waiting ?? 0) <= 4 << 20)
    }

    @Test(
        "an exchange that the user ends is cancelled on both sides, and the next stream goes on"
    )
    func byUser() throws {
        let server = ConversationHarness.Peer.server { server, stream, _ in
            try server.respond(
                [":status": "200"],
                [UInt8](repeating: 0x61, count: 1 << 20),
                ends: false,
                on: stream
            )
        }
        let harness = try ConversationHarness(client: .client, server: server)
        let session = try #require(harness.client.session)
        // What waits for the client does not hold the end back.
        harness.client.releases = false
        let other = try session.request(.request("/other"), tag: 0, endsStream: true)
        let ended = try session.request(.request("/ended"), tag: 0, endsStream: true)
        harness.pump()
        #expect(!harness.recordSlow())
        let running = try #require(harness.exchanges.first { $0.path == "/ended" })
        #expect(running.outcome == nil && running.status == 200)
        #expect(harness.abort(running.id))
        #expect(harness.exchanges.last?.id == running.id && harness.exchanges.last?.outcome == .abortedByUser)
        for (peer, stream) in [(harness.client, ended), (server, HTTP2StreamID(rawValue: 3))] {
            let codes = peer.events.compactMap { event -> HTTP2ErrorCode? in
                if case .reset(stream, let code, _, _) = event { code } else { nil }
            }
            #expect(codes == [.cancel])
        }
        let isClosed = harness.stack.isClosed
        #expect(harness.stack.client.session?.streams == [other] && !isClosed)
        #expect(!harness.abort(running.id), "it is over")
        #expect(harness.exchanges.allSatisfy { $0.path == "/ended" || $0.outcome == nil })
    }

    @Test("translates for a server of HTTP/1, and back")
    func serverOfHTTP1() throws {
        let server = ConversationHarness.Peer(nil)
        server.reactToText = { server in
            guard server.text.hasSuffix("0\r\n\r\n") else { return }
            let answer =
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
                + "Keep-Alive: x\r\nX-A: b\r\n\r\n3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n"
            server.sent.append(answer)
        }
        let harness = try ConversationHarness(client: .client, server: server)
        let session = try #require(harness.client.session)
        let head = HeaderFields.request("/up", "POST", ["cookie": "a=1", "x": "y", "cookie": "b=2"])
        let stream = try session.request(head, tag: 0, endsStream: false)
        harness.client.send("hello".utf8, on: stream)
        try session.finish(stream, trailers: nil)
        harness.pump()
        #expect(
            harness.servers[LinkID.first]?.text
                == "POST /up HTTP/1.1\r\nHost: www.example.com:443\r\nx: y\r\ncookie: a=1; b=2\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        )
        let answer = harness.client.events.compactMap { event -> [String]? in
            switch event {
            case .response(_, let fields, _), .trailers(_, let fields), .informational(_, let fields):
                lines(fields)
            default: nil
            }
        }
        #expect(answer == [[":status: 103", "link: </a>"], [":status: 200", "x-a: b"], ["x-t: 1"]])
        #expect(harness.client.bodies[stream] == Array("abc".utf8))
        #expect(harness.exchanges.map(\.outcome) == [.completed])
    }

    @Test("translates for a client of HTTP/1, one exchange after the other")
    func clientOfHTTP1() throws {
        let server = echo()
        let harness = try ConversationHarness(client: nil, server: server)
        harness.client.sent.append(
            "POST /a HTTP/1.1\r\nHost: www.example.com:443\r\nX-A: b\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nhi"
                + "GET /b HTTP/1.1\r\nHost: www.example.com:443\r\nConnection: close\r\n\r\n"
        )
        harness.pump()
        let seen = server.events.compactMap { event -> [String]? in
            if case .request(_, let fields, _) = event { lines(fields) } else { nil }
        }
        let first = [
            ":method: POST", ":scheme: http", ":authority: www.example.com:443", ":path: /a", "x-a: b",
            "content-length: 2",
        ]
        let second = [":method: GET", ":scheme: http", ":authority: www.example.com:443", ":path: /b"]
        #expect(seen == [first, second])
        let cookies = "set-cookie: a=1\r\nx: 1\r\nset-cookie: b=2\r\nTransfer-Encoding: chunked\r\n"
        #expect(
            harness.client.text == "HTTP/1.1 200 OK\r\n\(cookies)\r\n2\r\nhi\r\n0\r\nx-sum: 2\r\n\r\n"
                + "HTTP/1.1 200 OK\r\n\(cookies)Connection: close\r\n\r\n0\r\nx-sum: 0\r\n\r\n"
        )
        #expect(harness.exchanges.map(\.outcome) == [.completed, .completed])
        #expect(harness.actions.contains(.closeClient))
    }

    @Test(
        "gives each exchange its own response where they queue for a connection of HTTP/1",
        arguments: ["Content-Length: 0\r\n\r\n", "Content-Length: 1\r\n\r\nx", "\r\n"]
    )
    func queued(rest: String) throws {
        let server = ConversationHarness.Peer(nil)
        server.reactToText = { server in
            for line in server.text.split(separator: "\r\n") where line.hasPrefix("GET /") {
                let path = line.split(separator: " ")[1]
                let status = rest == "\r\n" ? "204 No Content" : "200 OK"
                server.sent.append(Array("HTTP/1.1 \(status)\r\nX-Path: \(path)\r\n\(rest)".utf8))
            }
            server.text = ""
        }
        // There is no second connection.
        let harness = try ConversationHarness(client: .client, server: server)
        let session = try #require(harness.client.session)
        let streams = try (0..<20).map { try session.request(.request("/\($0)"), tag: 0, endsStream: true) }
        harness.pump()
        for (number, stream) in streams.enumerated() {
            let paths = harness.client.events.compactMap { event -> String? in
                if case .response(stream, let fields, _) = event { fields.first("x-path") } else { nil }
            }
            #expect(paths == ["/\(number)"])
            #expect(harness.client.events.contains(.ended(stream)))
        }
        #expect(harness.exchanges.map(\.path) == (0..<20).map { "/\($0)" })
        #expect(harness.exchanges.allSatisfy { $0.outcome == .completed && $0.status != nil })
    }

    @Test("passes resets on with their codes, both ways")
    func resets() throws {
        let server = ConversationHarness.Peer.server { server, stream, head in
            if head.first(":path") == "/no" { server.session?.reset(stream, .enhanceYourCalm) }
        }
        let harness = try ConversationHarness(client: .client, server: server)
        let session = try #require(harness.client.session)
        let refused = try session.request(.request("/no"), tag: 0, endsStream: true)
        let mine = try session.request(.request("/mine"), tag: 0, endsStream: true)
        harness.pump()
        session.reset(mine, .cancel)
        harness.pump()
        let codes = harness.client.events.compactMap { event -> HTTP2ErrorCode? in
            if case .reset(refused, let code, .peer, _) = event { code } else { nil }
        }
        #expect(codes == [.enhanceYourCalm])
        #expect(server.resets == [.cancel])
        #expect(harness.exchanges.count == 2)
        #expect(harness.stack.lanes.isEmpty)
    }

    @Test("resets and records an impossible request, and other streams go on")
    func malformed() throws {
        let harness = try ConversationHarness(client: .client, server: echo())
        let session = try #require(harness.client.session)
        let bad = [
            // Two servers, a path with a space, and what the engine refuses: no path, a length that is not kept.
            HeaderFields.request("/host", "GET", ["host": "other.test"]), HeaderFields.request("/a b"),
            [":method": "GET", ":scheme": "http", ":authority": "www.example.com:443"],
            HeaderFields.request("/length", "GET", ["content-length": "1"]),
        ]
        let streams = try bad.map { try session.request($0, tag: 0, endsStream: true) }
        let good = try session.request(.request("/good"), tag: 0, endsStream: true)
        harness.pump()
        for stream in streams {
            let codes = harness.client.events.compactMap { event -> HTTP2ErrorCode? in
                if case .reset(stream, let code, _, _) = event { code } else { nil }
            }
            #expect(codes == [.protocolError])
        }
        #expect(harness.client.events.contains(.ended(good)))
        let refused = harness.exchanges.filter { $0.path != "/good" }
        #expect(refused.map(\.path).sorted() == ["", "", "/host", "/length"])
        for record in refused {
            guard case .aborted(by: .client, let detail) = record.outcome else {
                Issue.record("\(record.path): \(String(describing: record.outcome))")
                continue
            }
            #expect(detail.contains("refused") || detail.contains("malformed"), "\(detail)")
            #expect(record.method == "GET" && record.status == nil && record.timings.ended != nil)
            #expect(String(decoding: record.request.head, as: UTF8.self).contains(":method: GET\r\n"))
        }
        #expect(harness.stack.lanes.isEmpty && harness.exchanges.count == 5)
    }

    @Test("records a malformed request under the server in its head, or under the tunnel's server")
    func malformedAuthority() throws {
        let named: HeaderFields = [":method": "GET", ":authority": "other.test"]
        let host: HeaderFields = [":method": "GET", ":path": "/", "host": "other.test"]
        let broken = HeaderFields.request("/", "GET", ["host": "a b"])
        let nothing: HeaderFields = [":method": "GET", ":path": "/"]
        let toProxy = try ConversationHarness(toProxy: { _ in })
        let inTunnel = try ConversationHarness(client: .client, server: echo())
        for harness in [toProxy, inTunnel] {
            let session = try #require(harness.client.session)
            for head in [named, host, broken, nothing] {
                _ = try session.request(head, tag: 0, endsStream: true)
                harness.pump()
            }
        }
        #expect(
            toProxy.exchanges.map(\.authority.description) == [
                "other.test:80", "other.test:80", "www.example.com:443", "pinhole.test:80",
            ]
        )
        #expect(
            inTunnel.exchanges.map(\.authority.description) == [
                "other.test:80", "other.test:80", "www.example.com:443", "www.example.com:443",
            ]
        )
    }

    @Test("records streams that are refused since there are too many")
    func tooMany() throws {
        let harness = try ConversationHarness(client: .client, server: ConversationHarness.Peer(.server))
        // A client that does not wait for SETTINGS: GET http://a/ on each stream.
        let head: [UInt8] = [0x82, 0x86, 0x84, 0x41, 1, 0x61]
        harness.stack.client.inbox.append("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        harness.stack.client.inbox.append([0, 0, 0, 4, 0, 0, 0, 0, 0])
        for number in 0..<130 {
            let stream = 2 * number + 1
            let frame =
                [0, 0, UInt8(head.count), 1, 5, 0, 0, UInt8(stream >> 8), UInt8(stream & 0xff)] + head
            harness.stack.client.inbox.append(frame)
        }
        harness.stack.advance(at: harness.now)
        let refused = harness.stack.records.compactMap { event -> ExchangeRecord? in
            if case .exchange(let record) = event { record } else { nil }
        }
        #expect(refused.count == 2)
        for record in refused {
            guard case .aborted(by: .client, let detail) = record.outcome else {
                Issue.record("\(String(describing: record.outcome))")
                continue
            }
            #expect(detail.contains("more than 128 streams"))
        }
        let active = harness.stack.client.session?.activeStreams
        #expect(active == 128)
    }

    @Test("records a request without a body as whole, also where the proxy answers itself")
    func answeredByTheProxy() throws {
        let harness = try ConversationHarness(client: .client, server: echo())
        let session = try #require(harness.client.session)
        let connect: HeaderFields = [":method": "CONNECT", ":authority": "other.example:443"]
        _ = try session.request(connect, tag: 0, endsStream: true)
        harness.pump()

        let record = try #require(harness.exchanges.first)
        #expect(record.status == 501)
        #expect(record.response?.head.starts(with: Array("HTTP/2 501".utf8)) == true)
        #expect(record.request.body.isComplete)
        #expect(record.timings.requestEnded != nil)
    }
}
