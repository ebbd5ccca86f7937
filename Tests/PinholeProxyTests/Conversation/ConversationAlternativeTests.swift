import PinholeHTTP2
import PinholeModel
import Testing

@testable import PinholeProxy

/// Servers that name other servers for an origin in a frame (RFC 7838 §4).
@Suite("Conversation stack whose server sends ALTSVC")
struct ConversationAlternativeTests {
    private func fields(_ pairs: KeyValuePairs<String, String>) -> HeaderFields {
        var fields = HeaderFields()
        for (name, value) in pairs { fields.append(name, value) }
        return fields
    }

    /// ALTSVC by hand, since the engine does not send it.
    private func frame(of origin: String, on stream: UInt8) -> [UInt8] {
        let payload = [0, UInt8(origin.utf8.count)] + Array((origin + "h3=\":443\"").utf8)
        return [0, 0, UInt8(payload.count), 10, 0, 0, 0, 0, stream] + payload
    }

    @Test(
        "does not send the frame on, and notes it at the exchange of its stream",
        arguments: [("", 1), ("https://b.test", 0)] as [(String, UInt8)]
    )
    func dropped(origin: String, stream: UInt8) throws {
        let server = ConversationHarness.Peer(.server)
        let harness = try ConversationHarness(client: .client, server: server)
        let session = try #require(harness.client.session)
        _ = try session.request(
            fields([":method": "GET", ":scheme": "http", ":authority": "www.example.com:443", ":path": "/"]),
            endsStream: true
        )
        harness.pump()
        server.sent.append(frame(of: origin, on: stream))
        harness.pump()
        let asked = try #require(server.session?.streams.first)
        try server.session?.respond(fields([":status": "204"]), on: asked, endsStream: true)
        harness.pump()
        #expect(harness.exchanges.map(\.outcome) == [.completed])
        #expect(harness.exchanges.map(\.notes) == [stream == 0 ? [] : [.altSvcRemoved]])
        #expect(!harness.client.events.contains { if case .extensionFrame = $0 { true } else { false } })
    }
}
