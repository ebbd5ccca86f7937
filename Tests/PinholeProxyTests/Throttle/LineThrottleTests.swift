import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Throttled exchanges and tunnels, in memory; time goes on only where a test says so.
@Suite("LineThrottle")
struct LineThrottleTests {
    private func policy(_ json: String) throws -> ProxyPolicy {
        var policy = try Tunnels.world.policy()
        let rules = try RuleSet(JSONValue(parsing: Array("[\(json)]".utf8)), path: "rules")
        policy.rules = RuleBook(rules)
        return policy
    }

    /// Lets what is throttled go on until nothing waits any more.
    ///
    /// - Returns: How long that took.
    private func run(_ harness: StackHarness) -> Duration {
        let start = harness.now
        while let wake = harness.wake {
            if wake > harness.now { harness.now = wake }
            harness.advance()
            harness.pump()
        }
        return harness.now - start
    }

    @Test("a response passes at its rate, and no more of it is held than without", arguments: [true, false])
    func response(isTLS: Bool) throws {
        let policy = try policy(#"{"do": "throttle", "downKilobits": 800}"#)
        let harness = try Tunnels.any(isTLS: isTLS, policy: policy)
        let target = harness.target("/", isTLS: isTLS)
        harness.client.send("GET \(target) HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        harness.pump()
        let server = try #require(harness.server)
        server.send(
            "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "x", count: 1_000_000)
        )
        harness.pump()
        let time = run(harness)
        #expect(time > .milliseconds(9500) && time < .milliseconds(10_500), "\(time)")
        #expect(harness.client.text.hasSuffix("xxx") && harness.client.text.count > 1_000_000)
        #expect(harness.mostBuffered < 3 * (128 << 10))
        let exchange = try #require(harness.exchanges.first)
        #expect(exchange.outcome == .completed)
        #expect(exchange.rules.map(\.effect) == ["throttled: 800 kbit/s down"])
        // The next one on the same connection is asked anew.
        harness.client.clear()
        #expect(harness.wake == nil)
    }

    @Test("a request passes at its rate, chunked or not", arguments: [true, false])
    func request(isChunked: Bool) throws {
        let harness = try Tunnels.plain(policy: try policy(#"{"do": "throttle", "upKilobits": 800}"#))
        let target = harness.target("/", isTLS: false)
        let body = String(repeating: "x", count: 200_000)
        let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 200000"
        harness.client.send(
            "POST \(target) HTTP/1.1\r\nHost: www.example.com\r\n\(framing)\r\n\r\n"
                + (isChunked ? "30D40\r\n\(body)\r\n0\r\n\r\n" : body)
        )
        harness.pump()
        let time = run(harness)
        #expect(time > .milliseconds(1900) && time < .milliseconds(2100), "\(time)")
        harness.server?.send("HTTP/1.1 204 No Content\r\n\r\n")
        harness.pump()
        #expect(harness.exchanges.first?.outcome == .completed)
    }

    @Test("a relayed tunnel is throttled by its host, and its record names the rule")
    func tunnel() throws {
        var policy = try policy(
            #"""
            {"name": "slow", "do": "throttle", "downKilobits": 800, "latencyMilliseconds": 500, "when": "host == www.example.com"},
            {"do": "throttle", "downKilobits": 8, "when": "path == /never"}
            """#
        )
        policy.interception.passthrough = try HostRules(["*"])
        let server = TestPeer()
        let harness = try Tunnels.connected(policy: policy) { _ in .connect(server) }
        harness.client.send("hello")
        harness.pump()
        #expect(server.text == "hello")
        server.send(String(repeating: "x", count: 100_000))
        harness.pump()
        #expect(harness.client.text.isEmpty)
        let time = run(harness)
        #expect(time > .milliseconds(1300) && time < .milliseconds(1600), "\(time)")
        #expect(harness.client.text.count == 100_000)
        #expect(harness.flow?.reason?.contains("the rule “slow”: throttled: 800 kbit/s down") == true)
    }

    @Test("one slow stream of HTTP/2 stalls no other")
    func streams() throws {
        let harness = try ConversationHarness(toProxy: { policy in
            if let changed = try? self.policy(
                #"{"do": "throttle", "downKilobits": 80, "when": "path == /slow"}"#
            ) {
                policy.rules = changed.rules
            }
        })
        harness.onDial = {
            let server = ConversationHarness.Peer(nil)
            server.reactToText = { server in
                guard server.text.hasSuffix("\r\n\r\n") else { return }
                server.text = ""
                let body = String(repeating: "x", count: 100_000)
                server.sent.append(Array("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n\(body)".utf8))
            }
            return server
        }
        var streams: [HTTP2StreamID] = []
        for path in ["/slow", "/quick"] {
            var fields = HeaderFields()
            for (name, value) in [
                (":method", "GET"), (":scheme", "http"), (":authority", "a.test"), (":path", path),
            ] {
                fields.append(name, value)
            }
            streams.append(
                try #require(try harness.client.session?.request(fields, tag: 0, endsStream: true))
            )
        }
        harness.pump()
        #expect(harness.client.bodies[streams[1]]?.count == 100_000)
        #expect(harness.client.bodies[streams[0]]?.count ?? 0 < 10_000)
        let start = harness.now
        while let wake = harness.stack.wake {
            if wake > harness.now { harness.now = wake }
            harness.pump()
        }
        #expect(harness.client.bodies[streams[0]]?.count == 100_000)
        #expect(harness.now - start > .seconds(9))
    }
}
