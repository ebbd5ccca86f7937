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
        [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0] + (0..<4).map { UInt8(code >> (24 - 8 * $0) & 0xff) }
    }

    private func fields(_ pairs: KeyValuePairs<String, String>) -> HeaderFields {
        var fields = HeaderFields()
        for (name, value) in pairs { fields.append(name, value) }
        return fields
    }

    private var request: HeaderFields {
        fields([":method": "GET", ":scheme": "http", ":authority": "www.example.com:443", ":path": "/"])
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
        let stream = try session.request(request, endsStream: true)
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
        try server.session?.respond(fields([":status": "200"]), on: asked, endsStream: false)
        var body = ByteQueue([UInt8](repeating: 0x61, count: length))
        server.session?.send(length, from: &body, on: asked)
        try server.session?.finish(asked)
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
}
