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

    @Test("dials anew where a pooled connection does not fit", arguments: ["other.test", "h2 alone"])
    func pooledDoesNotFit(what: String) throws {
        var playbook = try Plays.peeking(Plays.pooled())
        let hello = what == "h2 alone" ? Plays.hello("www.example.com", ["h2"]) : Plays.hello(what)
        playbook.play(
            .feed(.clientHello(hello)),
            .expect(.releaseServer),
            .expect(.dial(fresh)),
            .feed(.dialed(Plays.dialed())),
            .expect(where: "a handshake") { if case .secureServer = $0 { true } else { false } },
            .arm(.handshake(.server))
        )
        playbook.finish()
    }

    @Test("dials again when a pooled connection ends before it is used")
    func pooledEnds() throws {
        var playbook = try Plays.peeking(Plays.pooled())
        playbook.play(
            .feed(.closed(.server, .orderly)),
            .expect(.closeServer),
            .expect(.dial(fresh))
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
        drained.play(.feed(.drain), .expect(.closeServer), .arm(.idle), .closeClient)
        drained.finish()
    }
}
