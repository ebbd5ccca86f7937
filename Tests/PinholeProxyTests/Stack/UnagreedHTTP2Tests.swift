import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Servers that speak HTTP/2 though nobody agreed to that.
@Suite("HTTP/2 that was not agreed to")
struct UnagreedHTTP2Tests {
    private static let cause = "The server speaks HTTP/2, which it did not agree to"

    /// SETTINGS with one parameter, and WINDOW_UPDATE.
    private static let frames: [UInt8] = [
        0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100, 0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0xff, 0, 0,
    ]

    @Test(
        "the client gets the reason, whether SETTINGS came before its request or after",
        arguments: Chunking.sizes,
        [true, false]
    )
    func intercepted(chunk: Int, isEarly: Bool) throws {
        let harness = try Tunnels.intercepted(chunk: chunk)
        let server = try #require(harness.server)
        if isEarly {
            server.send(Self.frames)
            harness.pump()
        }
        harness.client.send("GET /a HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        harness.pump()
        if !isEarly { server.send(Self.frames) }
        harness.pump()
        #expect(harness.client.text.hasPrefix("HTTP/1.1 502 "))
        #expect(harness.client.text.contains(Self.cause), "\(harness.client.text)")
        guard case .answeredByProxy(let reason)? = harness.exchanges.last?.outcome else {
            Issue.record("no answer of the proxy: \(harness.exchanges)")
            return
        }
        #expect(reason.contains(Self.cause), "\(reason)")
    }

    @Test("without TLS, too")
    func plain() throws {
        let harness = try Tunnels.plain()
        harness.client.send("GET http://www.example.com/a HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        harness.pump()
        harness.server?.send(Self.frames)
        harness.pump()
        #expect(harness.client.text.contains(Self.cause), "\(harness.client.text)")
    }

    @Test("a client of HTTP/2 gets the reason by a status, too")
    func conversing() throws {
        let server = ConversationHarness.Peer(nil)
        server.reactToText = { $0.sent.append(Self.frames) }
        let harness = try ConversationHarness(client: .client, server: server)
        let session = try #require(harness.client.session)
        let stream = try session.request(.request("/", "POST"), endsStream: true)
        harness.pump()
        let body = String(decoding: harness.client.bodies[stream] ?? [], as: UTF8.self)
        #expect(body.contains(Self.cause), "\(body)")
    }
}
