import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Buffers, back-pressure and ends.
@Suite("HTTPPeer")
struct HTTPPeerTests {
    @Test("pauses a server that is faster than the client, and resumes it", arguments: [true, false])
    func downloadBackPressure(isTLS: Bool) throws {
        let harness = try Tunnels.any(isTLS: isTLS, chunk: 16_384, keepsBodies: false)
        harness.client.send(
            "GET \(harness.target("/", isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
        )
        harness.pump()
        harness.client.isReading = false
        let size = 2 << 20
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
        harness.server?.send([UInt8](repeating: 0x61, count: size))
        harness.server?.close()
        harness.pump()
        #expect(!harness.wantsRead(.server))
        #expect(harness.mostBuffered < 600 << 10)
        #expect(harness.exchanges.isEmpty)
        harness.client.isReading = true
        harness.pump()
        #expect(harness.client.received.count > size)
        #expect(harness.exchanges.first?.outcome == .completed)
    }

    @Test("pauses a client that is faster than the server, and resumes it", arguments: [true, false])
    func uploadBackPressure(isTLS: Bool) throws {
        let harness = try Tunnels.any(isTLS: isTLS, chunk: 16_384, keepsBodies: false)
        let size = 2 << 20
        harness.client.send(
            "PUT \(harness.target("/", isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: \(size)\r\n\r\n"
        )
        harness.pump()
        harness.server?.isReading = false
        harness.client.send([UInt8](repeating: 0x61, count: size))
        harness.client.close()
        harness.pump()
        #expect(!harness.wantsRead(.client))
        #expect(harness.mostBuffered < 600 << 10)
        harness.server?.isReading = true
        harness.pump()
        #expect((harness.server?.received.count ?? 0) > size)
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        harness.pump()
        #expect(harness.exchanges.first?.outcome == .completed)
        harness.checkEnd()
    }

    @Test("loses nothing of a chunked body whose server has closed while the client was slow")
    func slowReaderOfChunks() throws {
        var policy = try Tunnels.world.policy()
        policy.limits.outputHighWater = 100
        let harness = try Tunnels.plain(chunk: 64, policy: policy)
        harness.client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        harness.pump()
        harness.client.isReading = false
        harness.server?.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
        for _ in 0..<100 { harness.server?.send("a\r\n0123456789\r\n") }
        harness.server?.send("0\r\n\r\n")
        harness.server?.close()
        harness.chunk = 1 << 16
        harness.pump()
        harness.client.isReading = true
        harness.pump()
        #expect(harness.client.text.hasSuffix("0123456789\r\n0\r\n\r\n"))
        #expect(harness.exchanges.first?.response?.body.length == 1000)
        #expect(harness.exchanges.first?.outcome == .completed)
    }

    @Test("a client that closes a stream that has no end has not failed", arguments: [true, false])
    func endless(isTLS: Bool) throws {
        for type in ["text/event-stream", "multipart/x-mixed-replace; boundary=x", "application/grpc"] {
            let harness = try Tunnels.any(isTLS: isTLS)
            harness.client.send(
                "GET \(harness.target("/", isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
            )
            harness.pump()
            harness.server?.send(
                "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ndata\n\r\n"
            )
            harness.pump()
            harness.client.reset()
            harness.pump()
            let exchange = try #require(harness.exchanges.first)
            #expect(
                exchange.outcome?.kind == .closedByClient,
                "\(type): \(String(describing: exchange.outcome))"
            )
            #expect(exchange.response?.body.isComplete == false)
            let flow = try #require(harness.flow)
            #expect(flow.outcome?.kind == .completed && !flow.isFailed, "\(String(describing: flow.outcome))")
            harness.checkEnd()
        }
    }

    @Test("a client that waited for long and leaves without a response has not failed; a quick one has")
    func longPoll() throws {
        for (seconds, kind) in [
            (5, ExchangeOutcome.Kind.closedByClient), (30, .closedByClient), (4, .abortedByClient),
        ] {
            let harness = try Tunnels.any(isTLS: true)
            harness.client.send("GET /news HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
            harness.pump()
            harness.advance(by: .seconds(seconds))
            harness.client.reset()
            harness.pump()
            let exchange = try #require(harness.exchanges.first)
            #expect(exchange.outcome?.kind == kind, "\(String(describing: exchange.outcome))")
            #expect(harness.flow?.isFailed == (kind == .abortedByClient))
        }
        // A request that is not whole was broken off, however long it took.
        let harness = try Tunnels.any(isTLS: true)
        harness.client.send("POST / HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 9\r\n\r\nhalf")
        harness.pump()
        harness.advance(by: .seconds(30))
        harness.client.reset()
        harness.pump()
        #expect(harness.exchanges.first?.outcome?.kind == .abortedByClient)
    }

    @Test("a complete answer to a request that is not over is the server's answer", arguments: [true, false])
    func earlyAnswer(isReset: Bool) throws {
        let harness = try Tunnels.any(isTLS: true)
        harness.client.send("POST / HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 9000\r\n\r\nhalf")
        harness.pump()
        harness.server?.send(
            "HTTP/1.1 413 Content Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\nlong"
        )
        harness.pump()
        isReset ? harness.client.reset() : harness.client.close()
        harness.pump()
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.outcome == .completed, "\(String(describing: exchange.outcome))")
        #expect(exchange.status == 413 && !exchange.request.body.isComplete)
        #expect(harness.flow?.isFailed == false, "\(String(describing: harness.flow?.outcome))")
    }

    @Test("a client that leaves its WebSocket without a word has not failed", arguments: [true, false])
    func leftWebSocket(isReset: Bool) throws {
        let harness = try Tunnels.any(isTLS: true)
        harness.client.send(
            """
            GET /socket HTTP/1.1\r\nHost: www.example.com\r\nUpgrade: websocket\r\nConnection: upgrade\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r

            """
        )
        harness.pump()
        harness.server?.send(
            """
            HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r
            Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r

            """
        )
        harness.pump()
        if isReset { harness.client.reset() } else { harness.client.close(notifies: false) }
        harness.pump()
        harness.server?.close()
        harness.pump()
        harness.expire()
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.notes.contains(.webSocket) && exchange.outcome?.kind == .completed)
        #expect(harness.flow?.isFailed == false, "\(String(describing: harness.flow?.outcome))")
    }

    @Test("stops the server's transfer when the client has gone", arguments: [true, false], [true, false])
    func clientVanishes(isTLS: Bool, saysFirst: Bool) throws {
        let harness = try Tunnels.any(isTLS: isTLS, keepsBodies: false)
        harness.client.send(
            "GET \(harness.target("/", isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
        )
        harness.pump()
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        harness.server?.send([UInt8](repeating: 0x61, count: 1000))
        harness.pump()
        if saysFirst {
            // It closes, and its machine answers what is sent to it since with a reset.
            harness.client.close(notifies: false)
            harness.pump()
        }
        harness.client.reset()
        harness.pump()
        #expect(harness.server?.sawEnd != nil)
        guard case .aborted(by: .client, _)? = harness.exchanges.first?.outcome else {
            Issue.record("\(String(describing: harness.exchanges.first?.outcome))")
            return
        }
        #expect(harness.exchanges.first?.response?.body.isComplete == false)
        harness.checkEnd()
    }

    @Test("lets a client that reads slowly have the rest after the close")
    func slowTail() throws {
        let harness = try Tunnels.plain(chunk: 1000)
        harness.client.send("GET http://a.test/ HTTP/1.0\r\n\r\n")
        harness.pump()
        harness.client.isReading = false
        harness.server?.send(
            "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + String(repeating: "a", count: 5000)
        )
        harness.pump()
        for _ in 0..<3 {
            harness.client.isReading = true
            _ = harness.step()
            harness.client.isReading = false
            harness.expire()
            #expect(!harness.isClosed)
        }
        harness.client.isReading = true
        harness.pump()
        #expect(harness.client.text.hasSuffix("\r\n\r\n" + String(repeating: "a", count: 5000)))
        harness.checkEnd()
    }

    @Test("gives a slow client every byte received before the server broke off", arguments: [true, false])
    func tailOfBrokenResponse(isTLS: Bool) throws {
        let harness = try Tunnels.any(isTLS: isTLS, chunk: 1000)
        harness.client.send(
            "GET \(harness.target("/", isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
        )
        harness.pump()
        harness.client.isReading = false
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n")
        harness.server?.send([UInt8](repeating: 0x61, count: 5000))
        harness.pump()
        harness.server?.reset()
        harness.pump()
        harness.client.isReading = true
        harness.pump()
        #expect(harness.client.text.hasSuffix("\r\n\r\n" + String(repeating: "a", count: 5000)))
        guard case .aborted(by: .server, _) = harness.exchanges.first?.outcome else {
            Issue.record("expected the server's fault, found \(harness.exchanges)")
            return
        }
        harness.checkEnd()
    }

    @Test("resets the connection of a plain client if a body without a length broke off")
    func brokenBodyUntilClose() throws {
        let harness = try Tunnels.plain()
        harness.client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        harness.pump()
        harness.server?.send("HTTP/1.1 200 OK\r\n\r\nabc")
        harness.pump()
        harness.server?.reset()
        harness.pump()
        #expect(harness.wasReset && harness.isClosed)
    }

    @Test("gives up on a client that takes nothing more after the close")
    func deadTail() throws {
        let harness = try Tunnels.plain()
        harness.client.send("GET http://a.test/ HTTP/1.0\r\n\r\n")
        harness.pump()
        harness.client.isReading = false
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        harness.pump()
        for _ in 0..<400 where !harness.isClosed { harness.expire() }
        harness.checkEnd()
    }

    @Test(
        "reads a head that is longer than a read, and refuses one beyond the limit",
        arguments: [true, false]
    )
    func longHeads(isTLS: Bool) throws {
        for (size, status) in [(200_000, 200), (300_000, 431), (1_000_000, 431)] {
            let harness = try Tunnels.any(isTLS: isTLS, chunk: 8192)
            let start = "GET \(harness.target("/", isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\n"
            harness.client.send(start + "X: \(String(repeating: "x", count: size))\r\n\r\n")
            harness.pump()
            if status == 200 {
                harness.server?.send(
                    "HTTP/1.1 200 OK\r\nX: \(String(repeating: "y", count: size))\r\nContent-Length: 0\r\n\r\n"
                )
                harness.pump()
            }
            #expect(harness.client.text.hasPrefix("HTTP/1.1 \(status) "), "\(size)")
            #expect(harness.mostBuffered < 1 << 20)
        }
    }

    @Test("refuses a response head beyond the limit")
    func longResponseHead() throws {
        let harness = try Tunnels.plain(chunk: 8192)
        harness.client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        harness.pump()
        harness.server?.send("HTTP/1.1 200 OK\r\nX: \(String(repeating: "y", count: 300_000))\r\n\r\n")
        harness.pump()
        #expect(harness.client.text.hasPrefix("HTTP/1.1 502 "))
        #expect(harness.exchanges.first?.status == 502)
    }
}
