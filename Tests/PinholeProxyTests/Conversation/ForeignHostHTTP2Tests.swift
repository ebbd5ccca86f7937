import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// A Host that names another server than the target (`curl -H 'Host: shop.test' http://127.0.0.1/`), toward a server of
/// HTTP/2.
@Suite("Foreign Host, to a server of HTTP/2")
struct ForeignHostHTTP2Tests {
    /// The heads of the requests that a server got.
    private func heads(_ server: ConversationHarness.Peer) -> [HeaderFields] {
        server.events.compactMap { if case .request(_, let fields, _) = $0 { fields } else { nil } }
    }

    @Test("in a tunnel, the server gets the Host of the client as :authority, and no host")
    func tunnel() throws {
        let server = ConversationHarness.Peer(.server)
        let harness = try ConversationHarness(client: nil, server: server)
        harness.client.sent.append("GET /a HTTP/1.1\r\nHost: shop.test\r\n\r\n")
        harness.pump()
        let head = try #require(heads(server).first)
        #expect(head.first(":authority") == "shop.test" && head.first(":path") == "/a")
        #expect(!head.contains("host"))
    }

    @Test("in a tunnel, the target decides about the connection and the Host about :authority")
    func absolute() throws {
        let head = try Plays.request("GET https://www.example.com/a HTTP/1.1\r\nHost: shop.test\r\n\r\n")
        var seed = try ConversationPlays.seed(client: false)
        seed.expectsHTTP2 = true
        var commands: [ConversationCommand] = []
        var machine = Conversation(seed)
        machine.begin(into: &commands)
        machine.handle(
            .request(HTTP1Plays.lane, head),
            at: Timestamp(seconds: 1_000_000_000),
            into: &commands
        )
        // The connection of the tunnel leads to the server that the target names.
        #expect(!commands.contains { if case .driver(.dial) = $0 { true } else { false } })
        #expect(commands.contains(.note(HTTP1Plays.lane, .hostDiffers)))
        var sent: RequestHead?
        for case .forwardRequest(_, ConversationPlays.first, let head) in commands { sent = head }
        let fields = try #require(sent).fields
        #expect(fields.first(":authority") == "shop.test" && fields.first(":path") == "/a")
        #expect(!fields.contains("host"))
    }

    @Test(
        "a listener before a server keeps the Host or replaces it, beside a target, too",
        arguments: [true, false]
    )
    func listener(keepsHost: Bool) throws {
        for target in ["/a", "http://127.0.0.1/a"] {
            let server = ConversationHarness.Peer(.server)
            let harness = try ConversationHarness(
                before: try ReverseOrigin("h2c://origin.test", keepsHost: keepsHost),
                asking: try Plays.request("GET \(target) HTTP/1.1\r\nHost: shop.test\r\n\r\n")
            )
            harness.onDial = { server }
            harness.pump()
            let head = try #require(heads(server).first)
            #expect(head.first(":authority") == (keepsHost ? "shop.test" : "origin.test"), "\(target)")
            #expect(head.first(":path") == "/a" && !head.contains("host"))
        }
    }
}
