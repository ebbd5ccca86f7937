import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Tunnels that were opened for a pooled connection whose server meanwhile refuses new ones.
@Suite("A late dial that fails")
struct LateDialTests {
    private let request = "GET /a HTTP/1.1\r\nHost: www.example.com\r\n\r\n"

    /// A tunnel whose CONNECT was answered because the pool has a connection to the server.
    private func pooled(_ environment: TunnelEnvironment, onDial: StackHarness.Answer) throws -> StackHarness
    {
        let world = try Tunnels.world
        let server = TestPeer(tls: try world.server(for: "www.example.com"))
        let earlier = try Tunnels.connected(environment: environment) { _ in .connect(server) }
        earlier.client.secure(with: try world.client(for: "www.example.com"))
        earlier.pump()
        earlier.client.close()
        earlier.pump()
        #expect(earlier.isServerPooled)
        let harness = try StackHarness(world, environment: environment)
        harness.adoptPool(of: earlier)
        harness.onDial = { _ in onDial }
        harness.client.send("CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\n\r\n")
        harness.pump()
        #expect(harness.client.text == "HTTP/1.1 200 Connection Established\r\n\r\n")
        harness.client.clear()
        return harness
    }

    private func expectStatus(_ harness: StackHarness, saying words: String) throws {
        #expect(harness.client.text.hasPrefix("HTTP/1.1 502 "), "\(harness.client.text)")
        #expect(harness.client.text.contains(words), "\(harness.client.text)")
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.path == "/a" && exchange.outcome?.kind == .answeredByProxy)
        #expect(exchange.outcome?.detail?.contains(words) == true, "\(String(describing: exchange.outcome))")
        harness.client.close()
        harness.pump()
        harness.checkEnd()
        #expect(harness.flow?.outcome?.kind == .completed)
    }

    /// The moment at which the pooled connection turns out to be of no use.
    enum Moment: CaseIterable {
        case beforeTheHello, byTheHello, afterTheHandshake, withTheRequest
    }

    @Test("gives the client a status, and records why", arguments: Moment.allCases)
    func refused(moment: Moment) throws {
        let world = try Tunnels.world
        let refusal = DialFailure(.refused, "192.0.2.1:443 refused the connection")
        let harness = try pooled(try world.environment(), onDial: .fail(refusal))
        if moment == .beforeTheHello {
            harness.server?.close()
            harness.pump()
        }
        // A pooled connection to which HTTP/2 was not offered does not fit a client that offers HTTP/2.
        let protocols = moment == .byTheHello ? ["http/1.1", "h2"] : ["http/1.1"]
        harness.client.secure(with: try world.client(for: "www.example.com", protocols: protocols))
        harness.pump()
        if moment == .afterTheHandshake {
            harness.server?.close()
            harness.pump()
        }
        harness.client.send(request)
        if moment == .withTheRequest { harness.server?.close() }
        harness.pump()
        try expectStatus(harness, saying: "192.0.2.1:443 refused the connection")
    }

    @Test("gives the client a status when the server takes the connection and fails in TLS")
    func failsInTLS() throws {
        let world = try Tunnels.world
        let broken = TestPeer()
        broken.send("no TLS here\r\n")
        let harness = try pooled(try world.environment(), onDial: .connect(broken))
        harness.client.secure(with: try world.client(for: "www.example.com", protocols: ["http/1.1", "h2"]))
        harness.client.send(request)
        harness.pump()
        try expectStatus(harness, saying: "TLS")
        #expect(harness.flow?.serverHandshake?.failure != nil)
    }
}
