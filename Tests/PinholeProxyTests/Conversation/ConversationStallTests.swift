import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// Servers of HTTP/2 that answer a client of HTTP/1.1 and take nothing more of its request.
@Suite("Conversation stack: stalled requests")
struct ConversationStallTests {
    private static let length = 4 << 20

    /// A server that answers each request with its path, and reads no body.
    private func curt() -> ConversationHarness.Peer {
        let server = ConversationHarness.Peer(.server)
        server.releases = false
        server.react = { server, event in
            guard case .request(let stream, let fields, _) = event else { return }
            do {
                var head = HeaderFields()
                head.append(":status", "200")
                head.append("x-path", fields.first(":path") ?? "")
                head.append("content-length", "0")
                try server.session?.respond(head, on: stream, endsStream: true)
            } catch {
                Issue.record("the server failed: \(error)")
            }
        }
        return server
    }

    private func upload(_ harness: ConversationHarness, _ count: Int = length) {
        harness.client.sent.append(
            "PUT /up HTTP/1.1\r\nHost: www.example.com:443\r\nContent-Length: \(Self.length)\r\n\r\n"
        )
        harness.client.sent.append([UInt8](repeating: 0x61, count: count))
    }

    private func resets(_ server: ConversationHarness.Peer) -> [HTTP2ErrorCode] {
        server.events.compactMap { if case .reset(_, let code, .peer, _) = $0 { code } else { nil } }
    }

    @Test("the rest of the body is discarded, and the connection stays open")
    func stalled() throws {
        let server = curt()
        let harness = try ConversationHarness(client: nil, server: server)
        upload(harness)
        harness.client.sent.append("GET /next HTTP/1.1\r\nHost: www.example.com:443\r\n\r\n")
        harness.pump()
        #expect(harness.client.text.contains("x-path: /up\r\n"))
        #expect(harness.exchanges.isEmpty && !harness.client.sent.isEmpty)
        #expect(harness.actions.last == .arm(.idle, .seconds(5)))
        harness.stack.expired(.idle, at: harness.now)
        harness.pump()
        #expect(harness.exchanges.map(\.path) == ["/up", "/next"])
        #expect(harness.exchanges.map(\.outcome) == [.completed, .completed])
        #expect(harness.exchanges.first?.notes.contains(.answeredEarly) == true)
        #expect(harness.exchanges.first?.request.body.isComplete == false)
        #expect(harness.client.text.contains("x-path: /next\r\n"))
        #expect(resets(server) == [.cancel])
        #expect(harness.actions.last == .arm(.idle, Limits().idleTimeout))
    }

    @Test("the client's end is seen")
    func end() throws {
        let harness = try ConversationHarness(client: nil, server: curt())
        upload(harness, 3 << 20)
        harness.pump()
        harness.stack.expired(.idle, at: harness.now)
        harness.pump()
        #expect(harness.client.sent.isEmpty)
        harness.stack.clientEnded(.orderly, at: harness.now)
        harness.pump()
        let isClosed = harness.stack.isClosed
        #expect(isClosed)
    }

    @Test("a client that is slow itself has the usual time")
    func slowClient() throws {
        let server = curt()
        let harness = try ConversationHarness(client: nil, server: server)
        upload(harness, 1000)
        harness.pump()
        #expect(harness.actions.last == .arm(.idle, .seconds(5)))
        harness.stack.expired(.idle, at: harness.now)
        harness.pump()
        #expect(harness.actions.last == .arm(.idle, Limits().idleTimeout))
        #expect(harness.exchanges.isEmpty && resets(server).isEmpty)
        server.releases = true
        harness.client.sent.append([UInt8](repeating: 0x61, count: 5000))
        harness.pump()
        #expect(server.bodies.values.map(\.count) == [5000])
        harness.stack.expired(.idle, at: harness.now)
        harness.pump()
        #expect(harness.actions.contains(.closeClient))
    }
}
