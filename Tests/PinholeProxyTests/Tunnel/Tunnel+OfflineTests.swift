import PinholeModel
import PinholeRules
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeCrypto
@testable import PinholeProxy

/// Tunnels of a proxy that asks no server.
@Suite("Tunnel, offline")
struct TunnelOfflineTests {
    /// A tunnel that stands, and whose client has not said anything.
    private func peeking(_ rules: String = "[]") throws -> Playbook<Tunnel> {
        let set = try RuleSet(JSONValue(parsing: Array(rules.utf8)), path: "rules")
        var playbook = try Plays.tunnel {
            $0.isOffline = true
            $0.rules = RuleBook(set)
        }
        playbook.play(
            .feed(.request(try Plays.connect())),
            .record(where: "that no server is asked") {
                $0.treatment == .intercepted && $0.reason?.hasSuffix("offline: no server is asked") == true
            },
            .arm(.idle),
            .feed(.requestEnded),
            .expect(.acceptConnect),
            .expect(.peek)
        )
        return playbook
    }

    private func secured(_ playbook: inout Playbook<Tunnel>, _ offered: [String], _ agreed: String) {
        var record = Plays.handshake(.client)
        record.applicationProtocol = agreed
        playbook.play(
            .feed(.clientHello(Plays.hello("sub.example.com", offered))),
            .expect(.mint(LeafRequest(names: [.name("sub.example.com")]))),
            .feed(.minted),
            .expect(
                .secureClient(
                    scope: "www.example.com:443 sub.example.com",
                    applicationProtocol: agreed,
                    host: .name("sub.example.com")
                )
            ),
            .arm(.handshake(.client)),
            .feed(.clientHandshake(record)),
            .record,
            .arm(.idle)
        )
    }

    /// A request in the tunnel is refused, and its connection goes on.
    private func isRefused(_ tunnel: consuming Playbook<Tunnel>, hostDiffers: Bool = false) throws {
        let head = try Plays.get()
        let lane = HTTP1Plays.lane
        var tunnel = tunnel
        tunnel.play(.feed(.request(head)))
        var conversation = HTTP1Plays.conversation(after: tunnel, head)
        conversation.play(.beginning(lane))
        if hostDiffers { conversation.play(.expect(.note(lane, .hostDiffers))) }
        conversation.play(.arm(.idle), .answer(lane, 502), .answered(lane), .arm(.idle))
        conversation.finish()
    }

    @Test("a leaf is made for the requested host, and a request without a matching rule is refused")
    func refused() throws {
        var playbook = try peeking()
        secured(&playbook, ["http/1.1"], "http/1.1")
        playbook.play(.expect(.awaitRequest))
        try isRefused(playbook)
    }

    @Test("rules answer")
    func mocked() throws {
        var playbook = try peeking(#"[{"do": "mock", "status": 201}]"#)
        secured(&playbook, [], "http/1.1")
        let head = try Plays.get()
        let lane = HTTP1Plays.lane
        playbook.play(.expect(.awaitRequest), .feed(.request(head)))
        var conversation = HTTP1Plays.conversation(after: playbook, head)
        conversation.play(
            .beginning(lane),
            .arm(.idle),
            .rules(["mock"]),
            .answer(lane, 201),
            .answered(lane),
            .arm(.idle)
        )
        conversation.finish()
    }

    @Test("HTTP/2 is spoken with a client that offers it, by TLS and without")
    func http2() throws {
        var playbook = try peeking()
        secured(&playbook, ["h2", "http/1.1"], "h2")
        playbook.play(.expect(.converse(nil)))
        playbook.finish()
        var plain = try peeking()
        plain.play(
            .feed(.clientSpeaksHTTP2),
            .record,
            .expect(.converse(nil))
        )
        plain.finish()
    }

    @Test("plain HTTP inside the tunnel is read, and refused, too")
    func plain() throws {
        var playbook = try peeking()
        playbook.play(.feed(.clientSpeaksHTTP1), .record, .arm(.head), .expect(.awaitRequest))
        // The Host has no port, and the tunnel leads to 443.
        try isRefused(playbook, hostDiffers: true)
    }

    @Test("a tunnel that could only be relayed is ended")
    func opaque() throws {
        var playbook = try peeking()
        playbook.play(
            .feed(.clientIsNotTLS),
            .record(where: "why") {
                $0.outcome?.kind == .refused && $0.outcome?.detail.contains("neither TLS nor HTTP") == true
            },
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("a host that is passed through is refused")
    func passedThrough() throws {
        var playbook = try Plays.tunnel {
            $0.isOffline = true
            $0.interception = InterceptionRules(passthrough: try HostRules(["*.example.com"]))
        }
        playbook.play(
            .feed(.request(try Plays.connect())),
            .record(where: "why") { $0.outcome?.detail.contains("is not asked") == true },
            .answer(502),
            .expect(.closeServer),
            .arm(.idle),
            .expect(.closeClient(isAnnounced: true))
        )
        playbook.finish()
    }
}
