import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Clients that say GOAWAY (RFC 9113 §6.8).
@Suite("Conversation stack whose client leaves")
struct ConversationGoAwayTests {
    private static let ping: [UInt8] = [0, 0, 8, 6, 0, 0, 0, 0, 0] + Array("pinhole?".utf8)
    private static let acknowledgement: [UInt8] = [0, 0, 8, 6, 1, 0, 0, 0, 0] + Array("pinhole?".utf8)

    /// GOAWAY with a code, by hand: an engine that sends an error ends its connection.
    private static func goAway(_ code: UInt32) -> [UInt8] {
        [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0] + bytes(of: code)
    }

    private static func bytes(of code: UInt32) -> [UInt8] {
        withUnsafeBytes(of: code.bigEndian, Array.init)
    }

    @Test(
        "answers PING until the last stream is done, sends all of its response, and then closes",
        arguments: [0, 2, 0xdead_beef] as [UInt32],
        [100, 16384]
    )
    func lastStream(code: UInt32, chunk: Int) throws {
        let server = ConversationHarness.Peer(.server)
        let harness = try ConversationHarness(client: .client, server: server)
        harness.chunk = chunk
        let session = try #require(harness.client.session)
        let stream = try session.request(.request(), endsStream: true)
        harness.pump()
        harness.client.sent.append(Self.goAway(code))
        harness.pump()
        #expect(!harness.actions.contains(.closeClient))

        harness.client.isReading = false
        harness.client.sent.append(Self.ping)
        harness.pump()
        #expect(harness.stack.client.outbox.prefix() == Self.acknowledgement)
        harness.client.isReading = true

        // More than the client's window.
        let length = 300_000
        let asked = try #require(server.session?.streams.first)
        try server.respond([":status": "200"], [UInt8](repeating: 0x61, count: length), on: asked)
        harness.pump()
        #expect(harness.client.bodies[stream]?.count == length)
        #expect(harness.client.events.contains(.ended(stream)))
        #expect(harness.actions.filter { $0 == .closeClient }.count == 1)
        #expect(harness.exchanges.map(\.outcome) == [.completed])
    }

    @Test("closes at once where no stream is open")
    func noStream() throws {
        let harness = try ConversationHarness(client: .client, server: ConversationHarness.Peer(.server))
        harness.pump()
        harness.client.sent.append(Self.goAway(0xff))
        harness.pump()
        #expect(harness.actions.filter { $0 == .closeClient }.count == 1)
    }

    @Test("waits for the tunnels in its streams")
    func tunnels() throws {
        let one = ConversationPlays.lane(1)
        var playbook = try ConversationPlays.toProxy()
        playbook.opensTunnel(one, try ConversationPlays.connect())
        playbook.play(
            .feed(.clientFinished),
            .feed(.tunnelEnded(one)),
            .idle,
            .expect(.closeClient)
        )
        playbook.finish()
    }

    /// A way in which a client ends a response: what it sends, how its connection ends then, and whether that is a
    /// failure.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isHTTP2 = true
        var bytes: [UInt8] = []
        var end: CloseKind?
        var outcome = ExchangeOutcome.Kind.closedByClient
    }

    private static func reset(_ code: UInt32, _ outcome: ExchangeOutcome.Kind) -> Way {
        let frame = [0, 0, 4, 3, 0, 0, 0, 0, 1] + bytes(of: code)
        return Way(testDescription: "RST_STREAM \(code)", bytes: frame, outcome: outcome)
    }

    private static let ways: [Way] = {
        let fatal = CloseKind.alert(Alert(code: 20))
        // 0xfffffc7a is what curl 8.14 sends.
        var ways = [0, 5, 7, 8, 10, 13, 14, 0xffff_fc7a].map { reset($0, .closedByClient) }
        ways += [1, 2, 3, 4, 6, 9, 11, 12].map { reset($0, .abortedByClient) }
        for isHTTP2 in [true, false] {
            // A client of HTTP/1 that sends nothing more may still read, so its exchange goes on.
            let halves: [CloseKind] = isHTTP2 ? [.orderly, .truncated] : []
            ways += (halves + [.reset("connection reset by peer"), fatal]).map {
                Way(
                    testDescription: "\($0), \(isHTTP2 ? "HTTP/2" : "HTTP/1")",
                    isHTTP2: isHTTP2,
                    end: $0,
                    outcome: $0 == fatal ? .abortedByClient : .closedByClient
                )
            }
        }
        ways += [0, 8, 0xffff_fc7a].map {
            Way(testDescription: "GOAWAY \($0)", bytes: goAway($0), end: .orderly)
        }
        return ways + [
            Way(
                testDescription: "GOAWAY and its reason",
                bytes: goAway(9),
                end: .orderly,
                outcome: .abortedByClient
            ),
            Way(
                testDescription: "a frame that breaks the protocol",
                bytes: [UInt8](repeating: 0, count: 9),
                end: .orderly,
                outcome: .abortedByClient
            ),
        ]
    }()

    @Test(
        "a stream that has no end of its own may be left in every way; a complaint is a failure",
        arguments: ways
    )
    func endless(way: Way) throws {
        let server = ConversationHarness.Peer(nil)
        server.reactToText = { server in
            server.sent.append("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
        }
        let harness = try ConversationHarness(client: way.isHTTP2 ? .client : nil, server: server)
        if way.isHTTP2 {
            _ = try harness.client.session?.request(.request(), endsStream: true)
        } else {
            harness.client.sent.append("GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        }
        harness.pump()
        let begun = try #require(harness.exchanges.last)
        #expect(begun.outcome == nil && begun.response?.body.isComplete == false)
        harness.client.sent.append(way.bytes)
        harness.pump()
        if let end = way.end { harness.stack.client.ended(end) }
        harness.pump()
        let outcome = harness.exchanges.last?.outcome
        #expect(outcome?.kind == way.outcome, "\(String(describing: outcome))")
        let flow = harness.records.compactMap { if case .flow(let flow) = $0 { flow } else { nil } }.last
        guard way.end != nil else { return }
        #expect(flow?.isFailed == (way.outcome == .abortedByClient), "\(String(describing: flow?.outcome))")
    }
}
