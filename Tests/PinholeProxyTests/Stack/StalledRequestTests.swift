import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Servers of HTTP/1.1 that answer a request and take nothing more of it.
@Suite("Tunnel stack: stalled requests")
struct StalledRequestTests {
    private static let length = 1 << 20

    /// A tunnel whose server has answered an upload of which it took nothing, and `count` bytes of which came.
    private func answered(sending count: Int, isReading: Bool) throws -> StackHarness {
        let harness = try Tunnels.intercepted()
        let server = try #require(harness.server)
        server.isReading = isReading
        harness.client.send(
            "PUT /up HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: \(Self.length)\r\n\r\n"
        )
        harness.client.send([UInt8](repeating: 0x61, count: count))
        harness.pump()
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        harness.pump()
        #expect(harness.client.text.hasSuffix("\r\n\r\nok"))
        #expect(harness.exchanges.isEmpty)
        return harness
    }

    private func wait(_ harness: StackHarness) -> Duration? {
        harness.deadline.map { $0.at - harness.now }
    }

    @Test("the rest of the body is discarded, and the client's connection stays open")
    func stalled() throws {
        let harness = try answered(sending: Self.length, isReading: false)
        #expect(!harness.client.wire.isEmpty)
        harness.expire()
        #expect(harness.client.wire.isEmpty && !harness.isClosed)
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.outcome == .completed && exchange.notes.contains(.answeredEarly))
        #expect(exchange.request.body.length == Int64(Self.length))
        #expect(harness.server?.sawEnd != nil && !harness.isServerPooled)
        #expect(harness.deadline?.kind == .idle)
    }

    @Test("the rest is read at once if the server resets the connection")
    func reset() throws {
        let harness = try answered(sending: Self.length, isReading: false)
        #expect(!harness.client.wire.isEmpty)
        harness.server?.reset()
        harness.pump()
        #expect(harness.client.wire.isEmpty && !harness.isClosed)
        #expect(harness.exchanges.map(\.outcome) == [.completed])
    }

    @Test("an early answer is complete, although the client resets before the rest of the request")
    func clientReset() throws {
        let harness = try answered(sending: 1000, isReading: true)
        harness.client.reset()
        harness.pump()
        #expect(harness.exchanges.map(\.outcome) == [.completed])
    }

    @Test("the client's end is seen")
    func end() throws {
        let harness = try answered(sending: Self.length / 2, isReading: false)
        harness.expire()
        harness.client.close()
        harness.pump()
        #expect(harness.isClosed)
        harness.checkEnd()
    }

    @Test("a client that is slow itself has the usual time")
    func slowClient() throws {
        let harness = try answered(sending: 1000, isReading: true)
        harness.expire()
        #expect(!harness.isClosed && harness.exchanges.isEmpty)
        #expect(wait(harness) == Limits().idleTimeout)
        harness.client.send([UInt8](repeating: 0x61, count: Self.length - 1000))
        harness.pump()
        #expect(harness.exchanges.map(\.outcome) == [.completed])
        #expect(harness.server?.received.count ?? 0 > Self.length)
    }
}
