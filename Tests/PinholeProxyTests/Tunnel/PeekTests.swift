import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// What the client says first after CONNECT.
@Suite("Peek")
struct PeekTests {
    private let fresh = DialTarget(authority: Plays.authority, serverName: nil, mayReuse: false)

    @Test("mints at once for a pooled connection that fits")
    func pooledFits() throws {
        var playbook = try Plays.peeking(Plays.pooled())
        playbook.play(
            .feed(.clientHello(Plays.hello())),
            .expect(.mint(Plays.trusted.leafRequest(for: Plays.authority.host)))
        )
        playbook.finish()
    }

    @Test("dials anew where a pooled connection speaks another protocol")
    func pooledSpeaksOtherProtocol() throws {
        var playbook = try Plays.peeking(Plays.pooled())
        playbook.play(
            .feed(.clientHello(Plays.hello("www.example.com", ["h2"]))),
            .expect(.releaseServer),
            .expect(.dial(fresh)),
            .feed(.dialed(Plays.dialed())),
            .expect(where: "a handshake") { if case .secureServer = $0 { true } else { false } },
            .arm(.handshake(.server))
        )
        playbook.finish()
    }

    @Test("gives a pooled connection for another name back, and asks for one of the right name")
    func pooledHasOtherName() throws {
        let other = ServerName(
            authority: Plays.authority,
            host: .name("other.test"),
            applicationProtocols: ["http/1.1"]
        )
        let target = DialTarget(authority: Plays.authority, serverName: other, mayReuse: true)
        func asking() throws -> Playbook<Tunnel> {
            var playbook = try Plays.peeking(Plays.pooled())
            playbook.play(
                .feed(.clientHello(Plays.hello("other.test"))),
                .expect(.releaseServer),
                .expect(.dial(target))
            )
            return playbook
        }
        var found = try asking()
        found.play(
            .feed(.dialed(Plays.pooled(name: "other.test"))),
            .expect(.mint(Plays.trusted.leafRequest(for: other.host)))
        )
        found.finish()
        var none = try asking()
        none.play(
            .feed(.dialed(Plays.dialed())),
            .expect(.secureServer(other)),
            .arm(.handshake(.server))
        )
        none.finish()
        // The name is looked at again, whatever the pool hands out.
        var wrong = try asking()
        wrong.play(.feed(.dialed(Plays.pooled())), .expect(.releaseServer), .expect(.dial(fresh)))
        wrong.finish()
    }

    @Test("mints at once for a pooled connection whose name is not in CONNECT")
    func pooledByAddress() throws {
        let connect = "CONNECT 192.0.2.1:443 HTTP/1.1\r\nHost: 192.0.2.1:443\r\n\r\n"
        var playbook = try Plays.tunnel()
        playbook.play(
            .feed(.request(try Plays.request(connect))),
            .record,
            .arm(.idle),
            .expect(where: "a guess") {
                if case .driver(.dial(_, let target)) = $0 { target.isNameGuessed } else { false }
            },
            .feed(.dialed(Plays.pooled(name: "www.example.com"))),
            .expect(.acceptConnect),
            .expect(.peek),
            .arm(.idle),
            .feed(.clientHello(Plays.hello())),
            .expect(.mint(Plays.trusted.leafRequest(for: Plays.authority.host)))
        )
        playbook.finish()
        // Without a name in the ClientHello the certificate has to have the address.
        var nameless = try Plays.tunnel()
        nameless.play(
            .feed(.request(try Plays.request(connect))),
            .record,
            .arm(.idle),
            .expect(where: "a guess") {
                if case .driver(.dial(_, let target)) = $0 { target.isNameGuessed } else { false }
            },
            .feed(.dialed(Plays.pooled(name: "www.example.com"))),
            .expect(.acceptConnect),
            .expect(.peek),
            .arm(.idle),
            .feed(.clientHello(Plays.hello(nil))),
            .expect(.releaseServer),
            .expect(where: "a dial by address") {
                if case .driver(.dial(_, let target)) = $0 { !target.isNameGuessed } else { false }
            }
        )
        nameless.finish()
    }

    @Test("dials again when a pooled connection ends before it is used")
    func pooledEnds() throws {
        var playbook = try Plays.peeking(Plays.pooled())
        playbook.play(
            .feed(.closed(.server, .orderly)),
            .expect(.closeServer),
            .expect(.dial(fresh)),
            .feed(.dialed(Plays.dialed())),
            .expect(.peek),
            .arm(.idle),
            .feed(.clientHello(Plays.hello())),
            .expect(.secureServer(Plays.name)),
            .arm(.handshake(.server))
        )
        playbook.finish()
    }

    private let refusal = DialFailure(.refused, "192.0.2.1 refused")

    /// Opens TLS with the client without a server, and hands over the first request, which dials again.
    private func playUnserved(_ tunnel: consuming Playbook<Tunnel>) throws {
        var playbook = tunnel
        let head = try Plays.get()
        let (lane, link) = (HTTP1Plays.lane, HTTP1Plays.dialed)
        playbook.play(
            .expect(.mint(LeafRequest(names: [Plays.authority.host]))),
            .feed(.minted),
            .expect(where: "a handshake in HTTP/1.1") {
                if case .secureClient(_, "http/1.1", _, nil) = $0 { true } else { false }
            },
            .arm(.handshake(.client)),
            .feed(.clientHandshake(Plays.handshake(.client))),
            .record(where: "no end yet") { $0.outcome == nil },
            .arm(.idle),
            .expect(.awaitRequest),
            .feed(.request(head))
        )
        var conversation = HTTP1Plays.conversation(after: playbook, head)
        conversation.play(
            .beginning(lane),
            .arm(.idle),
            .expect(where: "another dial") { if case .driver(.dial(link, _)) = $0 { true } else { false } },
            .feed(.dialFailed(link, refusal, [])),
            .answer(lane, 502),
            .answered(lane),
            .arm(.idle)
        )
        conversation.finish()
    }

    @Test("answers with a status when a pooled connection ends and the server refuses another one")
    func pooledEndsForGood() throws {
        func unserved() throws -> Playbook<Tunnel> {
            var playbook = try Plays.peeking(Plays.pooled())
            playbook.play(
                .feed(.closed(.server, .orderly)),
                .expect(.closeServer),
                .expect(.dial(fresh)),
                .feed(.dialFailed(refusal, [])),
                .expect(.peek),
                .arm(.idle)
            )
            return playbook
        }
        var secured = try unserved()
        secured.play(.feed(.clientHello(Plays.hello())))
        try playUnserved(secured)
        var opaque = try unserved()
        opaque.play(
            .feed(.clientIsNotTLS),
            .expect(.resetClient),
            .ended(.dialFailed, .server),
            .expect(.abort)
        )
        opaque.finish()
    }

    @Test("answers with a status when a pooled connection does not fit and the server refuses another one")
    func pooledFitsNobody() throws {
        var playbook = try Plays.peeking(Plays.pooled())
        playbook.play(
            .feed(.clientHello(Plays.hello("www.example.com", ["h2", "http/1.1"]))),
            .expect(.releaseServer),
            .expect(.dial(fresh)),
            .feed(.dialFailed(refusal, []))
        )
        try playUnserved(playbook)
    }

    @Test("requests of HTTP/2 without TLS are answered, also if the server refuses the connection")
    func plainHTTP2() throws {
        var playbook = try Plays.peeking(Plays.pooled())
        playbook.play(
            .feed(.clientSpeaksHTTP2),
            .record,
            .expect(.releaseServer),
            .expect(.dial(fresh)),
            .feed(.dialFailed(refusal, [])),
            .expect(.converse(nil))
        )
        playbook.finish()
    }

    @Test("relays bytes that are not TLS on a plain connection", arguments: [true, false])
    func notTLS(isPooled: Bool) throws {
        var playbook = try Plays.peeking(isPooled ? Plays.pooled() : Plays.dialed())
        playbook.play(.feed(.clientIsNotTLS))
        if isPooled {
            playbook.play(.expect(.releaseServer), .expect(.dial(fresh)), .feed(.dialed(Plays.dialed())))
        }
        playbook.play(
            .record(where: "opaque") { $0.treatment == .opaque },
            .expect(.relay),
            .arm(.idle)
        )
        playbook.finish()
    }

    @Test("relays a ClientHello that cannot be read, and records why")
    func malformedHello() throws {
        var playbook = try Plays.peeking()
        playbook.play(
            .feed(.clientHelloIsMalformed("It ends early.")),
            .record(where: "opaque, with the reason") {
                $0.treatment == .opaque
                    && $0.reason == "relayed: the ClientHello cannot be read. It ends early."
            },
            .expect(.relay),
            .arm(.idle)
        )
        playbook.finish()
    }

    @Test("relays when the server speaks first")
    func serverFirst() throws {
        var playbook = try Plays.peeking()
        playbook.play(.feed(.serverSpokeFirst), .record, .expect(.relay), .arm(.idle))
        playbook.finish()
    }

    @Test("uses the CONNECT host where SNI names an address or nothing", arguments: [nil, "192.0.2.9"])
    func noName(name: String?) throws {
        var playbook = try Plays.peeking()
        playbook.play(
            .feed(.clientHello(Plays.hello(name))),
            .expect(.secureServer(Plays.name)),
            .arm(.handshake(.server))
        )
        playbook.finish()
    }

    @Test("ends when either side goes, or nothing comes")
    func ends() throws {
        var silent = try Plays.peeking()
        silent.play(.feed(.expired(.idle)), .ended(.timedOut), .expect(.abort))
        silent.finish()
        var server = try Plays.peeking()
        server.play(.feed(.closed(.server, .orderly)), .ended(.aborted, .server), .expect(.abort))
        server.finish()
        var client = try Plays.peeking()
        client.play(
            .feed(.closed(.client, .orderly)),
            .expect(.releaseServer),
            .ended(.aborted, .client),
            .expect(.abort)
        )
        client.finish()
        var drained = try Plays.peeking()
        // The server may be about to speak first: the tunnel is in use.
        drained.play(.feed(.drain), .feed(.serverSpokeFirst), .record, .expect(.relay), .arm(.idle))
        drained.finish()
    }
}
