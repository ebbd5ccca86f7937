import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// SOCKS and what follows it, in memory.
@Suite("SOCKS stack")
struct SOCKSStackTests {
    private static let connect: [UInt8] = [5, 1, 0, 3, 15] + Array("www.example.com".utf8) + [1, 0xbb]
    private static let success: [UInt8] = [5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0]

    private func tunnel(_ server: TestPeer, chunk: Int, policy: ProxyPolicy? = nil) throws -> StackHarness {
        let harness = try StackHarness(Tunnels.world, policy: policy)
        harness.chunk = chunk
        harness.onDial = { _ in .connect(server) }
        harness.client.send([5, 1, 0] + Self.connect)
        harness.pump()
        #expect(harness.client.received == Self.success)
        harness.client.clear()
        return harness
    }

    @Test("intercepts TLS after the reply, at every size of pieces", arguments: [1, 7, 16384])
    func intercepts(chunk: Int) throws {
        let server = TestPeer(tls: try Tunnels.world.server(for: "www.example.com"))
        let harness = try tunnel(server, chunk: chunk)
        harness.client.secure(with: try Tunnels.world.client(for: "www.example.com"))
        harness.pump()
        harness.client.send("GET /a HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        harness.pump()
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        harness.pump()
        #expect(harness.client.text.hasSuffix("ok"))
        harness.client.close()
        harness.pump()
        harness.checkEnd()
        #expect(harness.flow?.listenerKind == .socks5 && harness.flow?.treatment == .intercepted)
        #expect(harness.exchanges.first?.outcome == .completed)
    }

    @Test("takes bytes that come before the reply", arguments: [1, 7, 16384])
    func eager(chunk: Int) throws {
        let server = TestPeer()
        let harness = try StackHarness(Tunnels.world)
        harness.chunk = chunk
        harness.onDial = { _ in .connect(server) }
        harness.client.send([5, 1, 0] + Self.connect + Array("GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8))
        harness.pump()
        #expect(server.text == "GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n")
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        harness.pump()
        #expect(harness.client.received.starts(with: Self.success) && harness.client.text.hasSuffix("ok"))
        #expect(harness.exchanges.first?.authority.description == "a.test:80")
        #expect(harness.flow?.treatment == .plain)
    }

    @Test(
        "relays bytes that are not HTTP at once",
        arguments: [
            "SSH-2.0-x\r\n", "GET key\r\n", "EHLO me\r\n", "GET / HTTP/1.1x\r\n", "get / HTTP/1.1\r\n", "\n",
            "GETTING/1", "GET \u{1}", "A POST HTTP/2.0\n",
        ]
    )
    func noHTTP(text: String) throws {
        let server = TestPeer()
        let harness = try tunnel(server, chunk: 1)
        harness.client.send(text)
        harness.pump()
        #expect(server.text == text)
        #expect(harness.flow?.treatment == .opaque)
    }

    @Test("relays a request whose line is cut off by the client's end")
    func cutOff() throws {
        let server = TestPeer()
        server.closesBack = false
        let harness = try tunnel(server, chunk: 4096)
        harness.client.send("GET /x")
        harness.pump()
        #expect(server.text.isEmpty)
        harness.client.close()
        harness.pump()
        #expect(server.text == "GET /x" && server.sawEnd == .orderly)
    }

    @Test("relays passed-through tunnels without waiting for a line")
    func passedThrough() throws {
        var policy = try Tunnels.world.policy()
        policy.interception.passthrough = try HostRules(["*"])
        let server = TestPeer()
        let harness = try tunnel(server, chunk: 1, policy: policy)
        harness.client.send("GET /")
        harness.pump()
        #expect(server.text == "GET /")
        #expect(harness.flow?.treatment == .passedThrough)
    }

    @Test("sends a refusal in full and closes, at every size of pieces", arguments: [1, 7, 16384])
    func refusals(chunk: Int) throws {
        var policy = try Tunnels.world.policy()
        policy.access.credentials = "alice:secret"
        let cases: [([UInt8], [UInt8])] = [
            ([5, 1, 0], [5, 0xff]), ([5, 1, 2, 1, 1, 0x61, 1, 0x62], [5, 2, 1, 1]),
            ([4, 1, 0, 80, 1, 2, 3, 4, 0], [0, 0x5b, 0, 0, 0, 0, 0, 0]),
        ]
        for (sent, received) in cases {
            let harness = try StackHarness(Tunnels.world, policy: policy)
            harness.chunk = chunk
            harness.client.send(sent + [UInt8](repeating: 1, count: 100))
            harness.pump()
            #expect(harness.client.received == received && harness.client.sawEnd == .orderly)
            harness.checkEnd()
            #expect(harness.dialed.isEmpty && harness.flow?.outcome?.kind == .refused)
        }
    }
}
