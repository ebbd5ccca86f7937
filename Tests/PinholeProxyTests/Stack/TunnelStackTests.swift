import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Messages through both engines, at every chunk size.
@Suite("TunnelStack")
struct TunnelStackTests {
    @Test("passes requests and responses unchanged but for hop-by-hop fields", arguments: Chunking.sizes)
    func keepAlive(chunk: Int) throws {
        let harness = try Tunnels.intercepted(chunk: chunk)
        let server = try #require(harness.server)
        for round in 1...3 {
            harness.client.send(
                """
                POST /a?b=\(round) HTTP/1.1\r\nhOsT: www.example.com\r\nX-Two:  spaced \r\nConnection: keep-alive, X-Hop\r
                X-Hop: 1\r\nProxy-Connection: keep-alive\r\nX-two: again\r\nContent-Length: 5\r\n\r\nhello
                """
            )
            harness.pump()
            #expect(
                server.text
                    == """
                    POST /a?b=\(round) HTTP/1.1\r\nhOsT: www.example.com\r\nX-Two:  spaced \r\nX-two: again\r
                    Content-Length: 5\r\n\r\nhello
                    """
            )
            server.clear()
            server.send(
                "HTTP/1.1 200 Fine, thanks\r\nsErVer: x\r\nKeep-Alive: 5\r\nAlt-Svc: h3=\":443\"\r\nContent-Length: 3\r\n\r\nabc"
            )
            harness.pump()
            #expect(
                harness.client.text
                    == "HTTP/1.1 200 Fine, thanks\r\nsErVer: x\r\nContent-Length: 3\r\n\r\nabc"
            )
            harness.client.clear()
        }
        #expect(harness.dialed.count == 1)
        #expect(harness.exchanges.count == 3)
        let first = try #require(harness.exchanges.first)
        #expect(first.outcome == .completed)
        #expect(first.notes == [.altSvcRemoved])
        #expect(first.url == "https://www.example.com/a?b=1")
        #expect(first.request.body.isComplete && first.response?.body.isComplete == true)
        #expect(String(decoding: first.request.head, as: UTF8.self).contains("Proxy-Connection: keep-alive"))
        let responseHead = String(decoding: first.response?.head ?? [], as: UTF8.self)
        #expect(responseHead.contains("Alt-Svc"))
        #expect(first.request.body.inline == Array("hello".utf8))
        harness.client.close()
        harness.pump()
        harness.checkEnd()
        #expect(harness.flow?.outcome?.kind == .completed)
        #expect((harness.flow?.bytesFromServer ?? 0) > 500)
    }

    @Test("answers pipelined requests in their order", arguments: Chunking.sizes, [true, false])
    func pipelining(chunk: Int, isTLS: Bool) throws {
        let harness = try Tunnels.any(isTLS: isTLS, chunk: chunk)
        var requests = ""
        for path in ["/1", "/2", "/3"] {
            requests += "GET \(harness.target(path, isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
        }
        harness.client.send(requests)
        harness.pump()
        for path in ["/1", "/2", "/3"] {
            let server = try #require(harness.server)
            #expect(server.text.hasPrefix("GET \(path) HTTP/1.1\r\n"))
            #expect(server.text.hasSuffix("\r\n\r\n") && !server.text.dropFirst(4).contains("GET"))
            server.clear()
            server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\(path)")
            harness.pump()
        }
        #expect(
            harness.client.text
                == ["/1", "/2", "/3"].map { "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\($0)" }.joined()
        )
        #expect(harness.exchanges.map(\.path) == ["/1", "/2", "/3"])
    }

    @Test("answers pipelined requests of a client that has closed its half", arguments: [true, false])
    func pipeliningHalfClosed(isTLS: Bool) throws {
        let harness = try Tunnels.any(isTLS: isTLS)
        for path in ["/1", "/2"] {
            harness.client.send(
                "GET \(harness.target(path, isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
            )
        }
        harness.client.close()
        harness.pump()
        for _ in 1...2 {
            harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            harness.pump()
        }
        #expect(harness.exchanges.compactMap(\.outcome) == [.completed, .completed])
        harness.checkEnd()
    }

    @Test("keeps chunk framing and trailers, and leaves out extensions", arguments: Chunking.sizes)
    func chunked(chunk: Int) throws {
        let harness = try Tunnels.intercepted(chunk: chunk)
        let received = "5;a=b\r\nhello\r\n1 ; c=\"d\"\r\n!\r\n0\r\nX-Sum: 1\r\n\r\n"
        let body = "5\r\nhello\r\n1\r\n!\r\n0\r\nX-Sum: 1\r\n\r\n"
        harness.client.send(
            "POST / HTTP/1.1\r\nHost: www.example.com\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
                + received
        )
        harness.pump()
        let server = try #require(harness.server)
        #expect(server.text.hasSuffix("\r\n\r\n" + body))
        server.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + received)
        harness.pump()
        #expect(harness.client.text == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.request.body.inline == Array("hello!".utf8))
        #expect(exchange.response?.body.inline == Array("hello!".utf8))
        #expect(exchange.request.trailers == Array("X-Sum: 1\r\n".utf8))
        #expect(exchange.response?.trailers == Array("X-Sum: 1\r\n".utf8))
        #expect(exchange.response?.body.length == 6)
    }

    @Test("passes interim responses, and the body that waited for one", arguments: Chunking.sizes)
    func expectContinue(chunk: Int) throws {
        let harness = try Tunnels.intercepted(chunk: chunk)
        harness.client.send(
            "PUT / HTTP/1.1\r\nHost: www.example.com\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        )
        harness.pump()
        let server = try #require(harness.server)
        #expect(server.text.contains("Expect: 100-continue"))
        server.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")
        harness.pump()
        #expect(
            harness.client.text
                == "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
        )
        harness.client.send("ok")
        harness.pump()
        #expect(server.text.hasSuffix("\r\n\r\nok"))
        server.send("HTTP/1.1 204 No Content\r\n\r\n")
        harness.pump()
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.outcome == .completed && exchange.status == 204)
        #expect(exchange.informational.count == 2)
    }

    @Test("knows responses without a body", arguments: ["HEAD 200", "GET 204", "GET 304", "HEAD 404"])
    func bodiless(what: String) throws {
        let words = what.split(separator: " ")
        let harness = try Tunnels.intercepted()
        for _ in 1...2 {
            harness.client.send("\(words[0]) / HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
            harness.pump()
            let length = words[1] == "204" ? "" : "Content-Length: 7\r\n"
            harness.server?.send("HTTP/1.1 \(words[1]) X\r\n\(length)\r\n")
            harness.pump()
        }
        #expect(harness.exchanges.compactMap(\.outcome) == [.completed, .completed])
        #expect(harness.exchanges.allSatisfy { $0.response?.body.length == 0 })
    }

    @Test("becomes a relay when protocols are switched", arguments: Chunking.sizes)
    func upgrade(chunk: Int) throws {
        let harness = try Tunnels.intercepted(chunk: chunk)
        harness.client.send(
            "GET /ws HTTP/1.1\r\nHost: www.example.com\r\nConnection: Upgrade\r\nUpgrade: own\r\n\r\nearly"
        )
        harness.pump()
        let server = try #require(harness.server)
        #expect(server.text.contains("Upgrade: own\r\nConnection: Upgrade\r\n\r\n"))
        server.clear()
        server.send(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: own\r\nConnection: Upgrade\r\n\r\n\u{1}\u{2}"
        )
        harness.pump()
        #expect(harness.client.text.hasSuffix("\r\n\r\n\u{1}\u{2}"))
        #expect(server.text == "early")
        harness.client.send("more")
        harness.pump()
        #expect(server.text == "earlymore")
        server.close()
        harness.pump()
        harness.client.close()
        harness.pump()
        harness.checkEnd()
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.notes == [.upgraded] && exchange.outcome == .completed)
        #expect(harness.body(of: exchange, .request) == Array("earlymore".utf8))
    }

    @Test("reads along in a WebSocket, and passes it on as it is", arguments: Chunking.sizes, [true, false])
    func webSocket(chunk: Int, isTLS: Bool) throws {
        let harness = try Tunnels.any(isTLS: isTLS, chunk: chunk)
        harness.client.send(
            "GET \(harness.target("/ws", isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\n"
                + "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        )
        harness.pump()
        let server = try #require(harness.server)
        server.clear()
        let hello: [UInt8] = [0x81, 0x02, 0x68, 0x69]
        server.send(
            Array(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n".utf8
            )
                + hello
        )
        harness.pump()
        // It is there while it goes on.
        #expect(harness.allExchanges.first?.notes.suffix(2) == [.upgraded, .webSocket])
        #expect(harness.exchanges.isEmpty)
        let answer: [UInt8] = [0x82, 0x82, 0x37, 0xfa, 0x21, 0x3d, 0x36, 0xf8]
        let cut: [UInt8] = [0x01, 0x83, 0, 0, 0, 0, 0x41]
        harness.client.send(answer + cut)
        harness.pump()
        #expect(server.received == answer + cut)
        #expect(harness.client.received.suffix(4) == hello[...])
        harness.client.reset()
        harness.pump()
        harness.checkEnd()
        let exchange = try #require(harness.exchanges.last)
        #expect(exchange.messages == 3 && exchange.request.body.length == 0)
        #expect(harness.messages.map(\.kind) == [.text, .binary, .text])
        #expect(harness.messages.map(\.inline) == [[0x68, 0x69], [1, 2], [0x41]])
        #expect(harness.messages.map(\.isComplete) == [true, true, false])
        #expect(harness.messages.allSatisfy { $0.exchange == exchange.id })
    }

    @Test("ends a body without a length at the close", arguments: [true, false], [true, false])
    func untilClose(isTLS: Bool, notifies: Bool) throws {
        let harness = try Tunnels.any(isTLS: isTLS)
        harness.client.send(
            "GET \(harness.target("/", isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
        )
        harness.pump()
        let server = try #require(harness.server)
        server.send("HTTP/1.1 200 OK\r\n\r\nall of it")
        server.close(notifies: notifies)
        harness.pump()
        #expect(harness.client.text == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it")
        let exchange = try #require(harness.exchanges.first)
        let isKnownComplete = !isTLS || notifies
        #expect((exchange.outcome == .completed) == isKnownComplete)
        #expect(exchange.response?.body.isComplete == isKnownComplete)
        if isTLS { #expect(harness.client.sawCloseNotify == notifies) }
        harness.checkEnd()
    }

    @Test("speaks HTTP/1.0 with clients of HTTP/1.0")
    func http10() throws {
        let harness = try Tunnels.intercepted()
        harness.client.send("GET / HTTP/1.0\r\n\r\n")
        harness.pump()
        let server = try #require(harness.server)
        server.send(
            "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        )
        harness.pump()
        #expect(harness.client.text == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc")
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.informational.count == 1)
        #expect(harness.client.sawEnd != nil)
        harness.checkEnd()
    }

    @Test("sends a request again when the pooled connection turned out to be closed")
    func retry() throws {
        let harness = try Tunnels.intercepted()
        let world = try Tunnels.world
        harness.client.send("GET /1 HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        harness.pump()
        let first = try #require(harness.server)
        first.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        harness.pump()
        let second = TestPeer(tls: try world.server(for: "www.example.com"))
        harness.onDial = { _ in .connect(second) }
        harness.client.send(
            "GET /2 HTTP/1.1\r\nHost: www.example.com\r\n\r\nGET /3 HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
        )
        first.isReading = false
        while harness.exchanges.count == 1, harness.step() {}
        first.close()
        harness.pump()
        #expect(second.text.hasPrefix("GET /2 "))
        second.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        harness.pump()
        #expect(second.text.contains("GET /3 "))
        second.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        harness.pump()
        #expect(harness.exchanges.map(\.path) == ["/1", "/2", "/3"])
        #expect(harness.exchanges.compactMap(\.outcome) == [.completed, .completed, .completed])
        #expect(harness.exchanges[1].notes.contains(.retried))
    }

    @Test("serves several servers over one plain connection, and uses idle connections again")
    func severalServers() throws {
        let harness = try Tunnels.plain()
        harness.onDial = { _ in .connect(TestPeer()) }
        for host in ["a.test", "b.test", "b.test", "a.test"] {
            harness.client.send("GET http://\(host)/x HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            harness.pump()
            let server = try #require(harness.server)
            #expect(server.text.hasPrefix("GET /x HTTP/1.1\r\nHost: \(host)\r\n"))
            server.clear()
            server.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
            harness.pump()
        }
        #expect(harness.dialed.map(\.authority.host.description) == ["a.test", "b.test", "a.test"])
        #expect(harness.exchanges.count == 4)
    }
}
