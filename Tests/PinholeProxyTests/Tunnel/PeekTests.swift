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

    @Test("mints at once for a pooled connection whose name CONNECT did not tell")
    func pooledByAddress() throws {
        let connect = "CONNECT 192.0.2.1:443 HTTP/1.1\r\nHost: 192.0.2.1:443\r\n\r\n"
        var playbook = try Plays.tunnel()
        playbook.play(
            .feed(.request(try Plays.request(connect))),
            .record,
            .arm(.idle),
            .expect(where: "a guess") {
                if case .dial(let target) = $0 { target.isNameGuessed } else { false }
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
                if case .dial(let target) = $0 { target.isNameGuessed } else { false }
            },
            .feed(.dialed(Plays.pooled(name: "www.example.com"))),
            .expect(.acceptConnect),
            .expect(.peek),
            .arm(.idle),
            .feed(.clientHello(Plays.hello(nil))),
            .expect(.releaseServer),
            .expect(where: "a dial by address") {
                if case .dial(let target) = $0 { !target.isNameGuessed } else { false }
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

    @Test("relays what is no TLS, on a plain connection", arguments: [true, false])
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
