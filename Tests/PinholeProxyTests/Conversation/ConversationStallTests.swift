import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// Servers of both versions that answer a client of HTTP/1.1 and take nothing more of its request.
@Suite("Conversation stack: stalled requests")
struct ConversationStallTests {
    private static let length = 4 << 20
    private static let servers = VersionPair.all.filter { $0.client == nil }

    /// A server that answers each request with its path; one of HTTP/2 reads no body.
    private func curt(_ pair: VersionPair) -> ConversationHarness.Peer {
        guard pair.server == nil else {
            let server = ConversationHarness.Peer.server { server, stream, head in
                let path = head.first(":path") ?? ""
                let head: HeaderFields = [":status": "200", "x-path": path, "content-length": "0"]
                try server.respond(head, on: stream)
            }
            server.releases = false
            return server
        }
        let server = ConversationHarness.Peer(nil)
        server.reactToText = { server in
            guard server.sent.isEmpty, let path = server.text.split(separator: " ").dropFirst().first else {
                return
            }
            server.sent.append("HTTP/1.1 200 OK\r\nx-path: \(path)\r\nContent-Length: 0\r\n\r\n")
            server.reactToText = { _ in }
            // It reads no body.
            server.isReading = false
        }
        return server
    }

    /// A conversation whose server has answered an upload, `count` bytes of which the client has sent.
    private func answered(
        _ pair: VersionPair,
        _ server: ConversationHarness.Peer,
        sending count: Int = length,
        then next: String = ""
    ) throws -> ConversationHarness {
        let harness = try ConversationHarness(pair, server: server)
        harness.onDial = { self.curt(pair) }
        harness.client.sent.append(
            "PUT /up HTTP/1.1\r\nHost: www.example.com:443\r\nContent-Length: \(Self.length)\r\n\r\n"
        )
        harness.client.sent.append([UInt8](repeating: 0x61, count: count))
        harness.client.sent.append(next)
        harness.pump()
        #expect(harness.client.text.contains("x-path: /up\r\n"))
        #expect(harness.exchanges.isEmpty)
        #expect(harness.actions.last == .arm(.idle, .seconds(5)))
        return harness
    }

    private func expire(_ harness: ConversationHarness) {
        harness.stack.expired(.idle, at: harness.now)
        harness.pump()
    }

    @Test("the rest of the body is discarded, and the client's connection stays open", arguments: servers)
    func stalled(pair: VersionPair) throws {
        let server = curt(pair)
        let next = "GET /next HTTP/1.1\r\nHost: www.example.com:443\r\n\r\n"
        let harness = try answered(pair, server, then: next)
        #expect(!harness.client.sent.isEmpty)
        expire(harness)
        #expect(harness.client.sent.isEmpty)
        #expect(harness.exchanges.map(\.path) == ["/up", "/next"])
        #expect(harness.exchanges.map(\.outcome) == [.completed, .completed])
        let first = try #require(harness.exchanges.first)
        #expect(first.notes.contains(.answeredEarly))
        if pair.server == nil {
            #expect(first.request.body.length == Int64(Self.length))
            #expect(harness.actions.contains(.closeLink(.first)))
        } else {
            #expect(!first.request.body.isComplete)
            #expect(server.resets == [.cancel])
        }
        #expect(harness.client.text.contains("x-path: /next\r\n"))
        guard case .arm(let kind, _)? = harness.actions.last else { throw Plays.Missing() }
        #expect(kind == .idle || kind == .rest)
        let isClosed = harness.stack.isClosed
        #expect(!isClosed)
    }

    @Test("the rest is read at once if the server resets the connection", arguments: servers)
    func reset(pair: VersionPair) throws {
        let harness = try answered(pair, curt(pair))
        #expect(!harness.client.sent.isEmpty)
        harness.stack.linkEnded(.first, .reset("reset by peer"), at: harness.now)
        harness.pump()
        let isClosed = harness.stack.isClosed
        #expect(harness.client.sent.isEmpty && !isClosed)
        #expect(harness.exchanges.map(\.outcome) == [.completed])
    }

    @Test(
        "an early answer is complete, although the client resets before the rest of the request",
        arguments: servers
    )
    func clientReset(pair: VersionPair) throws {
        let harness = try answered(pair, curt(pair), sending: 1000)
        harness.stack.clientEnded(.reset("reset by peer"), at: harness.now)
        harness.pump()
        #expect(harness.exchanges.map(\.outcome) == [.completed])
    }

    @Test("the client's end is seen", arguments: servers)
    func end(pair: VersionPair) throws {
        let harness = try answered(pair, curt(pair), sending: 3 << 20)
        expire(harness)
        #expect(harness.client.sent.isEmpty)
        harness.end()
    }

    @Test("a client that is slow itself has the usual time", arguments: servers, [true, false])
    func slowClient(pair: VersionPair, goesOn: Bool) throws {
        let server = curt(pair)
        let harness = try answered(pair, server, sending: 1000)
        server.isReading = true
        harness.pump()
        expire(harness)
        #expect(harness.actions.last == .arm(.idle, Limits().idleTimeout))
        #expect(harness.exchanges.isEmpty && server.resets.isEmpty)
        server.releases = true
        let count = goesOn ? Self.length - 1000 : 5000
        harness.client.sent.append([UInt8](repeating: 0x61, count: count))
        harness.pump()
        if pair.server == nil {
            #expect(server.text.utf8.count > 1000 + count)
        } else {
            #expect(server.bodies.values.map(\.count) == [count])
        }
        if goesOn {
            #expect(harness.exchanges.map(\.outcome) == [.completed])
        } else {
            expire(harness)
            #expect(harness.actions.contains(.closeClient))
        }
    }
}
