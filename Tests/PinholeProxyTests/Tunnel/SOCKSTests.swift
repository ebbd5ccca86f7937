import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// SOCKS up to the request, which opens a tunnel as CONNECT does.
@Suite("SOCKS")
struct SOCKSTests {
    /// A client of SOCKS5 whose request is awaited.
    private func negotiating(
        _ change: (inout ProxyPolicy) throws -> Void = { _ in }
    ) throws -> Playbook<Tunnel> {
        var playbook = try Plays.tunnel(change)
        playbook.play(.feed(.clientSpeaksSOCKS(.socks5)))
        return playbook
    }

    @Test("dials for a request, and replies to the client when the connection is open")
    func opens() throws {
        var playbook = try negotiating()
        playbook.play(
            .feed(.socks(.request(Plays.authority))),
            .record(where: "how the client came") {
                $0.listenerKind == .socks5 && $0.treatment == .intercepted
            },
            .arm(.idle),
            .expect(.dial(Plays.guessedTarget)),
            .feed(.dialed(Plays.dialed())),
            .expect(.acceptConnect),
            .expect(.peek),
            .arm(.idle),
            .feed(.clientHello(Plays.hello())),
            .expect(.secureServer(Plays.name)),
            .arm(.handshake(.server))
        )
        playbook.finish()
    }

    @Test(
        "answers a failed dial by its code",
        arguments: [
            (DialFailure.Kind.unresolvable, SOCKSReply.hostUnreachable), (.refused, .connectionRefused),
            (.unreachable, .hostUnreachable), (.timedOut, .expired), (.loop, .notAllowed),
        ]
    )
    func failedDial(kind: DialFailure.Kind, reply: SOCKSReply) throws {
        var playbook = try negotiating()
        playbook.play(
            .feed(.socks(.request(Plays.authority))),
            .record,
            .arm(.idle),
            .expect(.dial(Plays.guessedTarget)),
            .feed(.dialFailed(DialFailure(kind, "it failed"), [])),
            .record(where: "the outcome") { $0.outcome?.kind == .dialFailed },
            .expect(.answerSOCKS(.reply(reply))),
            .expect(.closeServer),
            .arm(.idle),
            .expect(.closeClient(isAnnounced: true))
        )
        playbook.finish()
    }

    @Test("continues only after the right password")
    func passwords() throws {
        let secret = { (policy: inout ProxyPolicy) in policy.access.credentials = "alice:secret" }
        var right = try negotiating(secret)
        right.play(
            .feed(.socks(.credentials(user: Array("alice".utf8), password: Array("secret".utf8)))),
            .expect(.answerSOCKS(.credentials(areRight: true)))
        )
        right.finish()
        for (user, password) in [
            ("alice", "Secret"), ("", ""), ("alice", ""), ("alice:secret", ""), ("alic", "e:secret"),
        ] {
            var wrong = try negotiating(secret)
            wrong.play(
                .feed(.socks(.credentials(user: Array(user.utf8), password: Array(password.utf8)))),
                .expect(.answerSOCKS(.credentials(areRight: false))),
                .record(where: "who is at fault, and no password") {
                    $0.outcome?.kind == .refused && $0.outcome?.fault == .client
                        && $0.outcome?.detail.contains("secret") == false
                },
                .expect(.closeServer),
                .arm(.idle),
                .expect(.closeClient(isAnnounced: true))
            )
            wrong.finish()
        }
    }

    @Test("refuses a client whose address is not listed before it reads a request")
    func address() throws {
        var playbook = try Plays.tunnel { $0.access.clients = [try AddressRange("192.0.2.0/24")] }
        playbook.play(
            .feed(.clientSpeaksSOCKS(.socks4)),
            .record(where: "the refusal") { $0.outcome?.kind == .refused && $0.listenerKind == .socks4 },
            .expect(.answerSOCKS(.reply(.notAllowed))),
            .expect(.closeServer),
            .arm(.idle),
            .expect(.closeClient(isAnnounced: true)),
            .feed(.socks(.request(Plays.authority)))
        )
        playbook.finish()
    }

    @Test("ends with a record where the bytes are no SOCKS, nothing comes, or the client goes")
    func ends() throws {
        var malformed = try negotiating()
        malformed.play(
            .feed(.socksFailed(SOCKSFailure(.badCommand, "expected CONNECT"))),
            .record(where: "what was wrong") { $0.outcome?.detail == "SOCKS: expected CONNECT" },
            .expect(.closeServer),
            .arm(.idle),
            .expect(.closeClient(isAnnounced: true))
        )
        malformed.finish()
        var slow = try negotiating()
        slow.play(.feed(.expired(.head)), .ended(.timedOut, .client), .expect(.abort))
        slow.finish()
        var gone = try negotiating()
        gone.play(.feed(.closed(.client, .orderly)), .ended(.completed), .expect(.abort))
        gone.finish()
        var draining = try negotiating()
        draining.play(
            .feed(.drain),
            .expect(.closeServer),
            .arm(.idle),
            .expect(.closeClient(isAnnounced: true))
        )
        draining.finish()
    }

    @Test("answers for the proxy's own host without a server")
    func ownPage() throws {
        let head = try Plays.get()
        let lane = HTTP1Plays.lane
        var playbook = try negotiating()
        playbook.play(
            .feed(.socks(.request(Authority(host: .name("pinhole.test"), port: 80)))),
            .record(where: "that it is local") { $0.treatment == .local },
            .expect(.acceptConnect),
            .arm(.head),
            .expect(.awaitRequest),
            .feed(.request(head))
        )
        var conversation = HTTP1Plays.conversation(after: playbook, head)
        conversation.play(.beginning(lane), .arm(.idle), .answer(lane, 200), .answered(lane), .arm(.idle))
        conversation.finish()
        var secure = try negotiating()
        secure.play(
            .feed(.socks(.request(Authority(host: .name("pinhole.test"), port: 443)))),
            .record(where: "why not") { $0.outcome?.detail.contains("plain http only") == true },
            .expect(.answerSOCKS(.reply(.connectionRefused))),
            .expect(.closeServer),
            .arm(.idle),
            .expect(.closeClient(isAnnounced: true))
        )
        secure.finish()
    }

    @Test("reads plain HTTP inside a tunnel, on the connection that is there")
    func plainInside() throws {
        var playbook = try Plays.peeking()
        let target = DialTarget(authority: Plays.authority, serverName: nil, mayReuse: true)
        let head = try Plays.get()
        let lane = HTTP1Plays.lane
        playbook.play(
            .feed(.clientSpeaksHTTP1),
            .record(where: "that it is plain") { $0.treatment == .plain },
            .arm(.head),
            .expect(.awaitRequest),
            .feed(.request(head))
        )
        var conversation = HTTP1Plays.conversation(after: playbook, head)
        // The Host has no port, and the tunnel leads to 443.
        conversation.play(
            .beginning(lane),
            .expect(.note(lane, .hostDiffers)),
            .arm(.idle),
            .timings(lane),
            .arm(.idle),
            .forward(head)
        )
        conversation.finish()
        var pooled = try Plays.peeking(Plays.pooled())
        pooled.play(
            .feed(.clientSpeaksHTTP1),
            .record,
            .expect(.releaseServer),
            .arm(.head),
            .expect(.awaitRequest),
            .feed(.request(head))
        )
        var dialing = HTTP1Plays.conversation(after: pooled, head)
        dialing.play(
            .beginning(lane),
            .expect(.note(lane, .hostDiffers)),
            .arm(.idle),
            .expect(.dial(HTTP1Plays.dialed, target))
        )
        dialing.finish()
    }

    @Test("relays a plain tunnel whose server speaks before the first request")
    func serverSpeaks() throws {
        var playbook = try Plays.peeking()
        playbook.play(
            .feed(.clientSpeaksHTTP1),
            .record,
            .arm(.head),
            .expect(.awaitRequest),
            .feed(.serverSpokeFirst),
            .record(where: "why") { $0.reason == "relayed: the server spoke first, so it is not HTTP" },
            .expect(.relay),
            .arm(.idle)
        )
        playbook.finish()
    }
}
