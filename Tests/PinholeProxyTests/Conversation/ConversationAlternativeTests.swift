import PinholeHTTP2
import PinholeModel
import Testing

@testable import PinholeProxy

/// Servers that name other servers for an origin in a frame (RFC 7838 §4).
@Suite("Conversation stack whose server sends ALTSVC")
struct ConversationAlternativeTests {
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
        _ = try session.request(.request(), endsStream: true)
        harness.pump()
        server.sent.append(frame(of: origin, on: stream))
        harness.pump()
        let asked = try #require(server.session?.streams.first)
        try server.respond([":status": "204"], on: asked)
        harness.pump()
        #expect(harness.exchanges.map(\.outcome) == [.completed])
        #expect(harness.exchanges.map(\.notes) == [stream == 0 ? [] : [.altSvcRemoved]])
        #expect(!harness.client.events.contains { if case .extensionFrame = $0 { true } else { false } })
    }
}
