import PinholeCrypto
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// TLS to the proxy itself, and tunnels inside it, in memory.
@Suite("Inbound stack")
struct InboundStackTests {
    /// A client whose handshake with the proxy is done.
    private func secured(
        chunk: Int = 4096,
        protocols: [String] = ["http/1.1"],
        name: String = "127.0.0.1"
    ) throws -> StackHarness {
        let engine = try Tunnels.world.client(for: name, protocols: protocols)
        let harness = try StackHarness(Tunnels.world, client: TestPeer(tls: engine))
        harness.chunk = chunk
        harness.pump()
        #expect(harness.client.isSecure, "\(String(describing: harness.client.failure))")
        return harness
    }

    /// A tunnel inside that.
    private func tunnel(chunk: Int, _ server: TestPeer) throws -> StackHarness {
        let harness = try secured(chunk: chunk)
        harness.client.carryInside()
        harness.onDial = { _ in .connect(server) }
        harness.client.send("CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\n\r\n")
        harness.pump()
        #expect(harness.client.text == "HTTP/1.1 200 Connection Established\r\n\r\n")
        harness.client.clear()
        return harness
    }

    @Test("intercepts TLS inside TLS, at every size of pieces", arguments: [1, 7, 16384])
    func intercepts(chunk: Int) throws {
        let server = TestPeer(tls: try Tunnels.world.server(for: "www.example.com"))
        let harness = try tunnel(chunk: chunk, server)
        harness.client.secure(with: try Tunnels.world.client(for: "www.example.com"))
        harness.pump()
        #expect(harness.client.isSecure)
        harness.client.send("GET /a HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        harness.pump()
        #expect(server.text == "GET /a HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        let body = String(repeating: "x", count: chunk == 1 ? 500 : 100_000)
        server.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
        harness.pump()
        #expect(harness.client.text.hasSuffix("\r\n\r\n\(body)"))
        harness.client.close()
        harness.pump()
        harness.checkEnd()
        let flow = try #require(harness.flow)
        #expect(flow.inbound?.applicationProtocol == "http/1.1" && flow.inbound?.version == "TLSv1.3")
        #expect(flow.treatment == .intercepted && flow.clientHandshake?.version == "TLSv1.3")
        #expect(flow.outcome?.kind == .completed)
        #expect(harness.exchanges.first?.outcome == .completed)
    }

    @Test("relays inner bytes that are not TLS and both ends, in every piece size", arguments: [1, 7, 16384])
    func relays(chunk: Int) throws {
        let server = TestPeer()
        server.closesBack = false
        let harness = try tunnel(chunk: chunk, server)
        harness.client.send("hello")
        harness.pump()
        #expect(server.text == "hello")
        harness.client.close()
        harness.pump()
        #expect(server.sawEnd == .orderly)
        server.send("bye")
        server.close()
        harness.pump()
        #expect(harness.client.text == "bye")
        harness.checkEnd()
        #expect(harness.flow?.outcome?.kind == .completed)
    }

    @Test("takes plain requests inside TLS", arguments: [1, 7, 16384])
    func plainRequest(chunk: Int) throws {
        let harness = try secured(chunk: chunk)
        harness.client.carryInside()
        let server = TestPeer()
        harness.onDial = { _ in .connect(server) }
        harness.client.send("GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\r\n")
        harness.pump()
        #expect(server.text.hasPrefix("GET /x HTTP/1.1\r\n"))
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        harness.pump()
        #expect(harness.client.text.hasSuffix("ok"))
        harness.client.send("GET http://pinhole.test/ HTTP/1.1\r\nHost: pinhole.test\r\n\r\n")
        harness.pump()
        #expect(harness.client.text.contains("Your traffic passes through Pinhole"))
    }

    @Test(
        "names itself by address and by name",
        arguments: ["127.0.0.1", "localhost", "pinhole.test", "::1"]
    )
    func names(name: String) throws {
        _ = try secured(name: name)
    }

    @Test("hands over to HTTP/2 where the client offers it")
    func http2() throws {
        let harness = try secured(protocols: ["h2", "http/1.1"])
        #expect(harness.client.tls?.applicationProtocol == "h2")
        let seed = harness.stack.takeSeed()
        #expect(seed?.authority == nil && seed?.clientSpeaksHTTP2 == true && seed?.hasServer == false)
    }

    @Test("refuses a client that speaks neither version")
    func noCommonProtocol() throws {
        let engine = try Tunnels.world.client(for: "127.0.0.1", protocols: ["spdy/3"])
        let harness = try StackHarness(Tunnels.world, client: TestPeer(tls: engine))
        harness.pump()
        #expect(harness.client.failure != nil)
        harness.checkEnd()
        #expect(harness.flow?.clientHandshake?.failure?.cause == .noCommonProtocol)
    }

    @Test("records that the client does not trust the proxy")
    func distrusted() throws {
        let world = try Tunnels.world
        let engine = try world.client(for: "127.0.0.1", trusting: [world.serverAuthority.root])
        let harness = try StackHarness(world, client: TestPeer(tls: engine))
        harness.pump()
        harness.checkEnd()
        #expect(harness.flow?.outcome?.kind == .handshakeFailed)
        #expect(harness.flow?.clientHandshake?.failure?.cause == .authorityNotTrusted)
    }

    @Test("answers bytes that begin like TLS but are not, at every size of pieces", arguments: [1, 7, 16384])
    func malformed(chunk: Int) throws {
        let harness = try StackHarness(Tunnels.world)
        harness.chunk = chunk
        // A record of the handshake whose message is no ClientHello.
        harness.client.send([0x16, 3, 1, 0, 4, 2, 0, 0, 0])
        harness.pump()
        #expect(harness.client.text.hasPrefix("HTTP/1.1 400 "))
        harness.checkEnd()
        #expect(harness.flow?.outcome?.kind == .refused)
    }

    @Test("garbage after the ClientHello fails the handshake and nothing else", arguments: [1, 7, 16384])
    func garbage(chunk: Int) throws {
        let engine = try Tunnels.world.client(for: "127.0.0.1")
        var nothing = ByteQueue()
        var hello = ByteQueue()
        _ = engine.handshake(&nothing, &hello)
        let harness = try StackHarness(Tunnels.world)
        harness.chunk = chunk
        harness.client.send(hello.prefix() + [UInt8](repeating: 0xff, count: 500))
        harness.pump()
        harness.checkEnd()
        #expect(harness.flow?.outcome?.kind == .handshakeFailed)
    }

    @Test("tells POST from the preface of HTTP/2, at every size of pieces", arguments: [1, 7, 16384])
    func preface(chunk: Int) throws {
        let posting = try StackHarness(Tunnels.world)
        posting.chunk = chunk
        posting.client.send(
            "POST http://pinhole.test/ HTTP/1.1\r\nHost: pinhole.test\r\nContent-Length: 0\r\n\r\n"
        )
        posting.pump()
        #expect(posting.client.text.hasPrefix("HTTP/1.1 405 "))
        let speaking = try StackHarness(Tunnels.world)
        speaking.chunk = chunk
        speaking.client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        speaking.pump()
        let seed = speaking.stack.takeSeed()
        #expect(seed?.clientSpeaksHTTP2 == true)
    }

    @Test("a CONNECT in a stream is answered there, and its bytes go on as in any tunnel")
    func stream() throws {
        let server = TestPeer()
        let harness = try StackHarness(Tunnels.world, begins: false)
        harness.onDial = { _ in .connect(server) }
        let connect = try Plays.connect()
        harness.stack.begin(with: connect, at: harness.now)
        harness.pump()
        #expect(harness.streamAnswer == 200)
        #expect(harness.client.received.isEmpty)
        harness.client.send("hello")
        harness.pump()
        #expect(server.text == "hello")
        let refused = try StackHarness(Tunnels.world, begins: false)
        refused.stack.begin(with: connect, at: refused.now)
        refused.pump()
        #expect(refused.streamAnswer == 502)
        #expect(refused.client.received.isEmpty)
    }

    @Test("a stream that is reset while its server is dialed ends the tunnel")
    func resetDuringDial() throws {
        let harness = try StackHarness(Tunnels.world, begins: false)
        harness.onDial = { _ in .wait }
        harness.stack.begin(with: try Plays.connect(), at: harness.now)
        harness.pump()
        harness.client.reset()
        harness.pump()
        harness.checkEnd()
        #expect(harness.flow?.outcome?.fault == .client)
    }
}
