import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeCrypto
@testable import PinholeProxy

/// TLS and HTTP/2 that are spoken to the proxy itself.
@Suite("Inbound")
struct InboundTests {
    private static func agreed(_ name: String?) -> HandshakeRecord {
        var record = Plays.handshake(.client)
        record.applicationProtocol = name
        record.version = "TLSv1.3"
        return record
    }

    /// A client whose handshake with the proxy goes on.
    private func securing(_ offered: [String], _ agreed: String?) throws -> Playbook<Tunnel> {
        var playbook = try Plays.tunnel { $0.machineNames = [.name("desk.example")] }
        playbook.play(
            .feed(.clientHello(Plays.hello("desk.example", offered))),
            .arm(.handshake(.client)),
            .expect(where: "a leaf for the proxy itself") {
                guard case .driver(.mint(let request)) = $0 else { return false }
                return request.names.map(\.description)
                    == ["127.0.0.1", "localhost", "::1", "desk.example", "pinhole.test"]
                    && request.fault == nil
            },
            .feed(.minted),
            .expect(.secureClient(scope: "pinhole.test", applicationProtocol: agreed))
        )
        return playbook
    }

    @Test(
        "lets requests follow inside TLS where HTTP/1.1 is agreed upon",
        arguments: [([], nil), (["http/1.1"], "http/1.1"), (["http/1.0"], "http/1.0")]
    )
    func http1(offered: [String], agreed: String?) throws {
        var playbook = try securing(offered, agreed)
        playbook.play(
            .feed(.clientHandshake(Self.agreed(agreed))),
            .expect(.carryInside),
            .arm(.head),
            .feed(.request(try Plays.connect())),
            .record(where: "how the client came") {
                $0.inbound?.version == "TLSv1.3" && $0.inbound?.applicationProtocol == agreed ?? "http/1.1"
                    && $0.inbound?.stream == nil && $0.clientHello == nil && $0.clientHandshake == nil
            },
            .arm(.idle),
            .expect(.dial(Plays.guessedTarget))
        )
        playbook.finish()
    }

    @Test("a client that closes right after the handshake gets a hint at the likely cause")
    func silent() throws {
        var playbook = try securing([], nil)
        playbook.play(
            .feed(.clientHandshake(Self.agreed(nil))),
            .expect(.carryInside),
            .arm(.head),
            .feed(.closed(.client, .orderly)),
            .record(where: "a hint at the name") {
                $0.outcome?.kind == .completed
                    && $0.outcome?.detail.contains("does not name the host") == true
            },
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("hands over where HTTP/2 is agreed upon", arguments: [["h2"], ["http/1.1", "h2"]])
    func http2(offered: [String]) throws {
        var playbook = try securing(offered, "h2")
        playbook.play(
            .feed(.clientHandshake(Self.agreed("h2"))),
            .record(where: "how the client came") {
                $0.inbound?.applicationProtocol == "h2" && $0.treatment == .plain && $0.authority == nil
            },
            .expect(.converse(nil))
        )
        playbook.finish()
    }

    @Test("refuses other protocols by the alert of the protocol")
    func otherProtocol() throws {
        var playbook = try securing(["spdy/3"], "http/1.1")
        playbook.finish()
    }

    @Test("takes HTTP/2 without TLS, too")
    func withoutTLS() throws {
        var playbook = try Plays.tunnel()
        playbook.play(
            .feed(.clientSpeaksHTTP2),
            .record(where: "how the client came") {
                $0.inbound?.version == nil && $0.inbound?.applicationProtocol == "h2"
            },
            .expect(.converse(nil))
        )
        playbook.finish()
    }

    @Test("records a client that does not trust the proxy's own leaf")
    func distrusted() throws {
        var playbook = try securing(["h2"], "h2")
        var record = Self.agreed(nil)
        record.failure = HandshakeFailure(
            .authorityNotTrusted,
            isHint: false,
            endedBy: .client,
            detail: "unknown_ca"
        )
        playbook.play(
            .feed(.clientHandshake(record)),
            .record(where: "the handshake, and its failure") {
                $0.clientHandshake?.failure?.cause == .authorityNotTrusted
                    && $0.outcome?.kind == .handshakeFailed && $0.closed != nil
            },
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("ends if no leaf can be made, if the client closes, or if the proxy stops")
    func ends() throws {
        var minting = try Plays.tunnel()
        minting.play(
            .feed(.clientHello(Plays.hello())),
            .arm(.handshake(.client)),
            .expect(where: "a leaf") { if case .driver(.mint) = $0 { true } else { false } },
            .feed(.mintFailed("no key")),
            .ended(.aborted),
            .expect(.abort)
        )
        minting.finish()
        var leaving = try securing(["h2"], "h2")
        leaving.play(
            .feed(.closed(.client, .orderly)),
            .expect(.releaseServer),
            .ended(.aborted, .client),
            .expect(.abort)
        )
        leaving.finish()
        var draining = try securing(["h2"], "h2")
        draining.play(
            .feed(.drain),
            .feed(.clientHandshake(Self.agreed("h2"))),
            .ended(.stopped),
            .expect(.abort)
        )
        draining.finish()
        var slow = try securing([], nil)
        slow.play(.feed(.expired(.handshake(.client))), .ended(.timedOut), .expect(.abort))
        slow.finish()
    }

    @Test("names itself only as far as its CA may sign")
    func permittedNames() throws {
        var policy = try Tunnels.world.policy()
        policy.interception = InterceptionRules(passthrough: try HostRules()) { $0 == .name("localhost") }
        #expect(policy.ownLeaf(at: "127.0.0.1:8080").names == [.name("localhost")])
        policy.interception = InterceptionRules(passthrough: try HostRules()) { _ in false }
        #expect(policy.ownLeaf(at: "[::1]:8080").names.map(\.description) == ["::1"])
    }

    /// A tunnel that is a stream of HTTP/2 and passes everything through; its server is being dialed.
    private func inStream() throws -> Playbook<Tunnel> {
        var flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: Timestamp(seconds: 1_000_000_000),
            client: "127.0.0.1:50000",
            listener: "127.0.0.1:8080"
        )
        flow.inbound = InboundTransport(handshake: nil, applicationProtocol: "h2")
        flow.inbound?.stream = 1
        var policy = try Tunnels.world.policy()
        policy.interception.passthrough = try HostRules(["*"])
        let address = try #require(IPAddress("127.0.0.1"))
        var playbook = Playbook(Tunnel(policy: Shared(policy), flow: flow, clientAddress: address))
        playbook.play(
            .feed(.request(try Plays.connect())),
            .record,
            .arm(.idle),
            .expect(where: "a dial") { if case .driver(.dial) = $0 { true } else { false } }
        )
        return playbook
    }

    private func relayingInStream() throws -> Playbook<Tunnel> {
        var playbook = try inStream()
        playbook.play(
            .feed(.dialed(Plays.dialed())),
            .expect(.acceptConnect),
            .expect(.peek),
            .arm(.idle),
            .feed(.clientIsNotTLS),
            .record,
            .expect(.relay),
            .arm(.idle)
        )
        return playbook
    }

    @Test("hands a reset on in a tunnel that is a stream of HTTP/2")
    func resets() throws {
        for side in [Side.client, .server] {
            var playbook = try relayingInStream()
            playbook.play(
                .feed(.closed(side, .reset("broken"))),
                .expect(side == .server ? .resetClient : .resetServer),
                .ended(.aborted, side),
                .expect(.abort)
            )
            playbook.finish()
        }
    }

    @Test("takes a cancelled stream for the client's close, half closed or not", arguments: [true, false])
    func cancelled(isHalfClosed: Bool) throws {
        var playbook = try relayingInStream()
        if isHalfClosed {
            playbook.play(.feed(.closed(.client, .orderly)), .expect(.closeHalf(toward: .server)))
        }
        playbook.play(
            .feed(.closed(.client, .cancelled)),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient,
            .feed(.expired(.idle)),
            .ended(.completed),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("ends a tunnel whose stream is cancelled before the connection is open")
    func cancelledEarly() throws {
        var playbook = try inStream()
        playbook.play(
            .feed(.closed(.client, .cancelled)),
            .expect(.releaseServer),
            .ended(.aborted, .client),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("lets a client that ends its half at once hear the server")
    func endsAtOnce() throws {
        var early = try inStream()
        early.play(
            .feed(.closed(.client, .orderly)),
            .feed(.dialed(Plays.dialed())),
            .expect(.acceptConnect),
            .expect(.peek),
            .arm(.idle),
            .record,
            .expect(.relay),
            .arm(.idle),
            .expect(.closeHalf(toward: .server)),
            .feed(.closed(.server, .orderly)),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient
        )
        early.finish()
        var late = try inStream()
        late.play(
            .feed(.dialed(Plays.dialed())),
            .expect(.acceptConnect),
            .expect(.peek),
            .arm(.idle),
            .feed(.closed(.client, .orderly)),
            .record,
            .expect(.relay),
            .arm(.idle),
            .expect(.closeHalf(toward: .server))
        )
        late.finish()
    }
}
