import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// A side goes away at every byte of a whole conversation.
@Suite("Loss")
struct LossTests {
    enum Loss: CaseIterable {
        case reset
        case end
    }

    /// Two requests with bodies, one of them chunked, at one go.
    private static func requests(isTLS: Bool) -> String {
        let prefix = isTLS ? "" : "http://www.example.com"
        return """
            POST \(prefix)/1 HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 5\r\n\r\nhello\
            PUT \(prefix)/2 HTTP/1.1\r\nHost: www.example.com\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n
            """
    }

    private static let responses = [
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
        "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nA: b\r\n\r\n",
    ]

    /// Carries a conversation on until `offset` bytes of `side` have passed, then loses that side.
    ///
    /// - Returns: Whether the conversation was longer than that.
    private func lose(_ side: Side, after offset: Int, _ loss: Loss, isTLS: Bool) throws -> Bool {
        let harness = try Tunnels.any(isTLS: isTLS, chunk: 1)
        harness.client.send(Self.requests(isTLS: isTLS))
        var passed = 0
        var answered = 0
        var steps = 0
        while passed < offset {
            let peer = side == .client ? harness.client : harness.server
            let before = peer?.wire.count ?? 0
            let moved = harness.step()
            passed += max(0, before - (peer?.wire.count ?? 0))
            steps += 1
            if moved { continue }
            guard answered < Self.responses.count, let server = harness.server else { return false }
            server.send(Self.responses[answered])
            answered += 1
        }
        let lost = side == .client ? harness.client : harness.server
        guard let lost else { return true }
        lost.wire.removeAll()
        switch loss {
        case .reset: lost.reset()
        case .end: lost.close(notifies: false)
        }
        #expect(harness.pump())
        // What is left open ends by its deadline; the client goes in the end.
        for _ in 0..<4 where !harness.isClosed {
            harness.client.close(notifies: false)
            harness.pump()
            harness.expire()
        }
        harness.checkEnd()
        #expect(harness.server == nil || harness.server?.sawEnd != nil || harness.isServerPooled)
        return true
    }

    @Test(
        "ends every exchange once, and the flow last, wherever a side is lost",
        arguments: [Side.client, .server],
        Loss.allCases
    )
    func everywhere(side: Side, loss: Loss) throws {
        var offset = 0
        while try lose(side, after: offset, loss, isTLS: false) { offset += 1 }
        #expect(offset > 100)
    }

    @Test("the same under TLS, here and there", arguments: [Side.client, .server], Loss.allCases)
    func everywhereInTLS(side: Side, loss: Loss) throws {
        var offset = 0
        while try lose(side, after: offset, loss, isTLS: true) { offset += 31 }
        #expect(offset > 100)
    }

    @Test(
        "a server that closes before the conversation begins is reported to the conversation",
        arguments: Loss.allCases
    )
    func handover(loss: Loss) throws {
        let harness = try Tunnels.intercepted()
        harness.client.send("GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        harness.client.work()
        harness.stack.client.inbox.append(harness.client.wire.prefix())
        harness.client.wire.removeAll()
        harness.stack.advance(at: harness.now)
        let isHandedOver = harness.stack.hasFirstRequest
        #expect(isHandedOver)
        harness.stack.linkEnded(.first, loss == .reset ? .reset("reset by peer") : .orderly, at: harness.now)
        harness.pump()
        #expect(harness.client.text.hasPrefix("HTTP/1.1 502 "))
        #expect(harness.exchanges.count == 1)
    }

    @Test("survives a loss at every byte of the opening", arguments: [Side.client, .server], Loss.allCases)
    func opening(side: Side, loss: Loss) throws {
        let world = try Tunnels.world
        var offset = 0
        var isLonger = true
        while isLonger {
            let harness = try StackHarness(world)
            harness.chunk = 7
            let server = TestPeer(tls: try world.server(for: "www.example.com"))
            harness.onDial = { _ in .connect(server) }
            harness.client.send("CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\n\r\n")
            var hasBegun = false
            for _ in 0..<offset where !harness.step() {
                if hasBegun { isLonger = false }
                guard !hasBegun else { break }
                hasBegun = true
                harness.client.secure(with: try world.client(for: "www.example.com"))
            }
            let lost = side == .client ? harness.client : server
            lost.wire.removeAll()
            if loss == .reset { lost.reset() } else { lost.close(notifies: false) }
            harness.pump()
            harness.client.close(notifies: false)
            harness.pump()
            for _ in 0..<4 where !harness.isClosed { harness.expire() }
            harness.checkEnd()
            offset += 9
        }
        #expect(offset > 50)
    }
}
