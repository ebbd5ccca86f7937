import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeCrypto
@testable import PinholeProxy

/// Connections that the system led to the proxy: the address is dialed, the name comes later.
@Suite("Tunnel, transparent")
struct TunnelTransparentTests {
    private static let destination = (try? Authority("192.0.2.1:443")) ?? Plays.authority

    private func tunnel(
        _ arrival: Arrival = .from(destination),
        _ mode: ListenerMode = .transparent(.redirect),
        _ change: (inout ProxyPolicy) throws -> Void = { _ in }
    ) throws -> Playbook<Tunnel> {
        var policy = try Tunnels.world.policy()
        try change(&policy)
        var flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: Timestamp(seconds: 1_000_000_000),
            client: "127.0.0.1:50000",
            listener: "127.0.0.1:7070"
        )
        flow.listenerKind = .transparent
        return Playbook(
            Tunnel(
                policy: Shared(policy),
                flow: flow,
                clientAddress: try #require(IPAddress("127.0.0.1")),
                mode: mode,
                arrival: arrival
            )
        )
    }

    /// A tunnel whose server is dialed, by its address.
    private func dialing(
        _ change: (inout ProxyPolicy) throws -> Void = { _ in }
    ) throws -> Playbook<Tunnel> {
        var playbook = try tunnel(.from(Self.destination), .transparent(.redirect), change)
        playbook.play(
            .feed(.redirected),
            .record(where: "the address") { $0.authority == "192.0.2.1:443" },
            .arm(.idle),
            .expect(where: "a dial") {
                guard case .driver(.dial(_, let target)) = $0 else { return false }
                return target.authority == Self.destination
            }
        )
        return playbook
    }

    /// A tunnel whose client has not said anything.
    private func peeking(
        _ change: (inout ProxyPolicy) throws -> Void = { _ in }
    ) throws -> Playbook<Tunnel> {
        var playbook = try dialing(change)
        playbook.play(.feed(.dialed(Plays.dialed())), .expect(.peek), .arm(.idle))
        return playbook
    }

    @Test("the ClientHello names the server, and the client gets no answer about a tunnel")
    func named() throws {
        var playbook = try peeking()
        let authority = Authority(host: .name("o.test"), port: 443)
        playbook.play(
            .feed(.clientHello(Plays.hello("o.test"))),
            .expect(
                .secureServer(
                    ServerName(
                        authority: authority,
                        host: authority.host,
                        applicationProtocols: ["http/1.1"]
                    )
                )
            ),
            .arm(.handshake(.server)),
            .feed(.serverHandshake(Plays.handshake(.server), Plays.trusted)),
            .expect(.mint(LeafRequest(names: [authority.host])))
        )
        playbook.finish()
    }

    @Test("a rule for the name passes the connection through, and one for the address does")
    func passedThrough() throws {
        for pattern in ["o.test", "192.0.2.1"] {
            var playbook = try peeking { $0.interception.passthrough = try HostRules([pattern]) }
            playbook.play(
                .feed(.clientHello(Plays.hello("o.test"))),
                .record(where: "the name and the rule") {
                    $0.authority == "o.test:443" && $0.treatment == .passedThrough
                        && $0.reason?.contains(pattern) == true
                },
                .expect(.relay),
                .arm(.idle)
            )
            playbook.finish()
        }
    }

    @Test("a host that is passed through gets no pooled connection")
    func passedThroughFromPool() throws {
        var playbook = try dialing { $0.interception.passthrough = try HostRules(["o.test"]) }
        playbook.play(
            .feed(.dialed(Plays.pooled(name: "other.test"))),
            .expect(.peek),
            .arm(.idle),
            .feed(.clientHello(Plays.hello("o.test"))),
            .expect(.releaseServer),
            .expect(where: "a dial of the address") {
                var target = DialTarget(
                    authority: Authority(host: .name("o.test"), port: 443),
                    serverName: nil,
                    mayReuse: false
                )
                target.address = Self.destination
                return $0 == .dial(target)
            }
        )
        playbook.finish()
    }

    @Test("bytes that are neither TLS nor HTTP, and a server's first bytes, are relayed")
    func opaque() throws {
        for event in [TunnelEvent.clientIsNotTLS, .serverSpokeFirst] {
            var playbook = try peeking()
            playbook.play(
                .feed(event),
                .record(where: "a relay") {
                    $0.treatment == .opaque && $0.authority == "192.0.2.1:443"
                },
                .expect(.relay),
                .arm(.idle)
            )
            playbook.finish()
        }
    }

    @Test("Host names the server of plain HTTP, whose address stays, be the request in absolute-form")
    func plain() throws {
        let lane = HTTP1Plays.lane
        for text in ["/x", "http://a.test/x"] {
            var playbook = try peeking()
            let head = try Plays.request("GET \(text) HTTP/1.1\r\nHost: a.test\r\n\r\n")
            playbook.play(
                .feed(.clientSpeaksHTTP1),
                .record(where: "plain HTTP") { $0.treatment == .plain },
                .arm(.head),
                .expect(.awaitRequest),
                .feed(.request(head))
            )
            var conversation = HTTP1Plays.conversation(after: playbook, head)
            conversation.play(
                .record(where: "the name") { $0.authority == "a.test:80" },
                .expect(
                    .beginExchange(
                        lane,
                        head,
                        scheme: .http,
                        authority: Authority(host: .name("a.test"), port: 80),
                        path: "/x",
                        user: nil
                    )
                ),
                .arm(.idle),
                .timings(lane),
                .arm(.idle),
                .forward(head)
            )
            conversation.finish()
        }
    }

    @Test("a request gets a page if the server does not answer, and other traffic a reset")
    func unserved() throws {
        let failure = DialFailure(.refused, "192.0.2.1 refused")
        let head = try Plays.get()
        var plain = try dialing()
        plain.play(
            .feed(.dialFailed(failure, [])),
            .expect(.peek),
            .arm(.idle),
            .feed(.clientSpeaksHTTP1),
            .record(where: "no end yet") { $0.outcome == nil },
            .arm(.head),
            .expect(.awaitRequest),
            .feed(.request(head))
        )
        let (lane, link) = (HTTP1Plays.lane, HTTP1Plays.dialed)
        var conversation = HTTP1Plays.conversation(after: plain, head)
        conversation.play(
            .record,
            .beginning(lane),
            .arm(.idle),
            .expect(where: "another dial") { if case .driver(.dial(link, _)) = $0 { true } else { false } },
            .feed(.dialFailed(link, failure, [])),
            .answer(lane, 502),
            .answered(lane),
            .arm(.idle)
        )
        conversation.finish()
        for event in [TunnelEvent.clientHello(Plays.hello()), .clientIsNotTLS, .expired(.idle)] {
            var other = try dialing()
            other.play(
                .feed(.dialFailed(failure, [])),
                .expect(.peek),
                .arm(.idle),
                .feed(event),
                .expect(.resetClient),
                .ended(.dialFailed, .server),
                .expect(.abort)
            )
            other.finish()
        }
    }

    @Test(
        "a redirected client is reset when a pooled connection does not fit and the server refuses another one"
    )
    func pooledFitsNobody() throws {
        var playbook = try dialing()
        playbook.play(
            .feed(.dialed(Plays.pooled())),
            .expect(.peek),
            .arm(.idle),
            .feed(.clientHello(Plays.hello("www.example.com", ["h2"]))),
            .expect(.releaseServer),
            .expect(where: "another dial") { if case .driver(.dial) = $0 { true } else { false } },
            .feed(.dialFailed(DialFailure(.refused, "192.0.2.1 refused"), [])),
            .expect(.resetClient),
            .ended(.dialFailed, .server),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("a client that is not listed is reset")
    func clients() throws {
        var playbook = try tunnel { $0.access.clients = [try AddressRange("198.51.100.0/24")] }
        playbook.play(.feed(.redirected), .expect(.resetClient), .ended(.refused, .client), .expect(.abort))
        playbook.finish()
    }

    @Test(
        "a request to the listener itself is reported, and the proxy's own request is no loop",
        arguments: [(Arrival.direct, 421, "127.0.0.1:7070"), (.own(destination), 508, "192.0.2.1:443")]
    )
    func direct(arrival: Arrival, status: Int, place: String) throws {
        var playbook = try tunnel(arrival)
        playbook.play(
            .feed(.request(try Plays.get())),
            .record(where: "the place") { $0.outcome?.detail.contains(place) == true },
            .answer(status),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient
        )
        playbook.finish()
        var conversing = try tunnel(arrival)
        conversing.play(
            .feed(.clientSpeaksHTTP2),
            .expect(.resetClient),
            .ended(.refused, .client),
            .expect(.abort)
        )
        conversing.finish()
    }

    @Test("by TLS the listener shows its own leaf to tell so; a connection of the proxy's own is reset")
    func directTLS() throws {
        var playbook = try tunnel(.direct)
        playbook.play(
            .feed(.clientHello(Plays.hello("x.test", ["h2", "http/1.1"]))),
            .arm(.handshake(.client)),
            .expect(where: "a leaf") { if case .driver(.mint) = $0 { true } else { false } },
            .feed(.minted),
            .expect(.secureClient(scope: "pinhole.test", applicationProtocol: "http/1.1"))
        )
        playbook.finish()
        var own = try tunnel(.own(Self.destination))
        own.play(
            .feed(.clientHello(Plays.hello())),
            .expect(.resetClient),
            .ended(.refused, .client),
            .expect(.abort)
        )
        own.finish()
    }

    @Test("a dial looks up the original address for the tunnel's own server alone")
    func placed() throws {
        let named = Authority(host: .name("o.test"), port: 443)
        let target = DialTarget(authority: named, serverName: nil, mayReuse: true)
        #expect(target.placed(at: Self.destination, named).place == Self.destination)
        #expect(target.placed(at: nil, named).place == named)
        #expect(target.placed(at: Self.destination, Plays.authority).place == named)
    }

    @Test("a forwarded port leads to its server under any name, and its leaf has both names")
    func forwarded() throws {
        let server = try Authority("o.test:8443")
        for (asked, called) in [("localhost", Host.name("localhost")), (nil, try Host("127.0.0.1"))] {
            var playbook = try tunnel(.from(server), .forwarding(server))
            playbook.play(
                .feed(.redirected),
                .record(where: "the server") { $0.authority == "o.test:8443" },
                .arm(.idle),
                .expect(where: "a dial") {
                    guard case .driver(.dial(_, let target)) = $0 else { return false }
                    return target.authority == server
                },
                .feed(.dialed(Plays.dialed())),
                .expect(.peek),
                .arm(.idle),
                .feed(.clientHello(Plays.hello(asked))),
                .expect(
                    .secureServer(
                        ServerName(authority: server, host: server.host, applicationProtocols: ["http/1.1"])
                    )
                ),
                .arm(.handshake(.server)),
                .feed(.serverHandshake(Plays.handshake(.server), Plays.trusted)),
                .expect(.mint(LeafRequest(names: [called, server.host])))
            )
            playbook.finish()
        }
    }
}
