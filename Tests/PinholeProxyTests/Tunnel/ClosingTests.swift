import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// The ends of connections that are being opened, and of relays.
@Suite("Closing")
struct ClosingTests {
    private static let failure = HTTP1Failure(.peer, .badChunk, in: .request, "a bad chunk")

    /// Everything that can happen.
    private static func events() throws -> [TunnelEvent] {
        [
            .requestBegan, .request(try Plays.get()), .request(try Plays.connect()),
            .request(try Plays.absolute()), .requestEnded, .requestFailed(failure),
            .clientHello(Plays.hello()), .clientIsNotTLS, .clientSpeaksHTTP1, .clientSpeaksHTTP2,
            .clientHandshake(Plays.handshake(.client)), .serverSpokeFirst,
            .serverHandshake(Plays.handshake(.server), Plays.trusted),
            .serverHandshake(Plays.handshake(.server), Plays.refused), .dialed(Plays.dialed()),
            .dialed(Plays.pooled()), .dialFailed(DialFailure(.refused, ""), []), .minted, .mintFailed("x"),
            .closed(.client, .orderly), .closed(.client, .reset("x")), .closed(.server, .orderly),
            .closed(.server, .truncated), .closed(.server, .reset("x")),
            .closed(.server, .alert(Alert(code: 116))), .expired(.head), .expired(.idle),
            .expired(.handshake(.client)), .expired(.handshake(.server)), .endedByUser, .drain, .stop,
        ]
    }

    @Test("nothing comes out of a closed tunnel")
    func absorbing() throws {
        var playbook = try Plays.opened()
        playbook.play(.feed(.stop), .ended(.stopped), .expect(.abort))
        for event in try Self.events() { playbook.play(.feed(event)) }
        #expect(playbook.machine.isClosed)
        playbook.finish()
    }

    /// Plays what a random series of events makes of the invariants at the head of `Tunnel.swift`.
    @Test("keeps its invariants whatever happens, in any order")
    func anyOrder() throws {
        let events = try Self.events()
        var random = SeededRandom(seed: 3)
        let policy = try Tunnels.world.policy()
        for _ in 0..<1000 {
            var tunnel = Tunnel(
                policy: Shared(policy),
                flow: FlowRecord(
                    id: FlowID(rawValue: 1),
                    opened: Timestamp(seconds: 1),
                    client: "",
                    listener: ""
                ),
                clientAddress: try #require(IPAddress("127.0.0.1"))
            )
            var check = InvariantCheck()
            var now = Timestamp(seconds: 1)
            for _ in 0..<25 {
                // The conversation gets what happens from then on.
                guard let event = events.randomElement(using: &random), !check.isHandedOver else { continue }
                var commands: [TunnelCommand] = []
                now = now + .milliseconds(20)
                tunnel.handle(event, at: now, into: &commands)
                check.see(event)
                for command in commands { check.see(command) }
            }
            #expect(check.complaints == [])
            guard !check.isHandedOver else { continue }
            var commands: [TunnelCommand] = []
            tunnel.handle(.stop, at: now, into: &commands)
            for command in commands { check.see(command) }
            #expect(check.complaints == [])
            #expect(tunnel.isClosed && check.isEnded)
        }
    }

    @Test("ends a tunnel toward both sides on request, before and during the relay")
    func byUser() throws {
        for isRelaying in [true, false] {
            var playbook = isRelaying ? try Plays.relaying() : try Plays.securing()
            playbook.play(
                .feed(.endedByUser),
                .expect(.resetClient),
                .expect(.resetServer),
                .ended(.aborted),
                .expect(.abort)
            )
            playbook.finish()
        }
    }

    @Test("ends an idle connection whose host has other settings, which is no failure")
    func retired() throws {
        var playbook = try Plays.opened()
        playbook.play(
            .feed(.retire),
            .expect(.releaseServer),
            .arm(.idle),
            .closeClient,
            .feed(.expired(.idle)),
            .ended(.completed),
            .expect(.abort)
        )
        #expect(playbook.machine.flow.outcome?.detail == "the settings of the host were changed")
        playbook.finish()
    }

    @Test("ignores late events while it closes")
    func late() throws {
        var playbook = try Plays.opened()
        playbook.play(
            .feed(.drain),
            .expect(.releaseServer),
            .arm(.idle),
            .closeClient,
            .feed(.minted),
            .feed(.requestEnded),
            .feed(.request(try Plays.get())),
            .feed(.closed(.server, .orderly)),
            .feed(.drain),
            .feed(.expired(.idle)),
            .ended(.stopped),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("a connection that is closed for a newer one has this reason, whatever deadline it waits for")
    func displaced() throws {
        let isSaid: (FlowRecord) -> Bool = {
            $0.closed != nil && $0.outcome?.detail == Outcome.newerConnection
        }
        var opened = try Plays.opened()
        opened.play(
            .feed(.displaced(Outcome.newerConnection)),
            .feed(.expired(.idle)),
            .record(where: "why") { isSaid($0) && $0.outcome?.kind == .completed },
            .expect(.abort)
        )
        opened.finish()
        var stopped = try Plays.securing()
        stopped.play(
            .feed(.displaced(Outcome.newerConnection)),
            .feed(.stop),
            .record(where: "why") { isSaid($0) && $0.outcome?.kind == .aborted },
            .expect(.abort)
        )
        stopped.finish()
        // A stranger is told to come again.
        var stranger = try Plays.tunnel()
        stranger.play(
            .feed(.displaced(Outcome.newerConnection)),
            .feed(.expired(.head)),
            .answer(408, saying: "gave way"),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient,
            .feed(.closed(.client, .orderly)),
            .record(where: "why") { isSaid($0) && $0.outcome?.kind == .aborted },
            .expect(.abort)
        )
        stranger.finish()
        // A connection that was ending anyway keeps its own outcome.
        var drained = try Plays.opened()
        drained.play(
            .feed(.drain),
            .expect(.releaseServer),
            .arm(.idle),
            .closeClient,
            .feed(.displaced(Outcome.newerConnection)),
            .feed(.stop),
            .ended(.stopped),
            .expect(.abort)
        )
        drained.finish()
    }

    @Test("closes an idle connection without calling it a fault")
    func idle() throws {
        var playbook = try Plays.opened()
        playbook.play(.feed(.expired(.idle)), .ended(.completed), .expect(.abort))
        playbook.finish()
    }
}

/// Watches commands for what the machine has promised.
private struct InvariantCheck {
    private(set) var complaints: [String] = []
    private(set) var isHandedOver = false
    private(set) var isEnded = false
    private var isClientClosed = false
    private var isAborted = false
    private var hasRecord = false
    private var openDials = 0
    private var openMints = 0

    mutating func see(_ event: TunnelEvent) {
        switch event {
        case .dialed, .dialFailed: openDials = 0
        case .minted, .mintFailed: openMints = 0
        default: break
        }
    }

    mutating func see(_ command: TunnelCommand) {
        if isAborted { complaints.append("\(command) after the end") }
        if isHandedOver { complaints.append("\(command) after the conversation began") }
        switch command {
        case .driver(.dial): openDials += 1
        case .driver(.mint): openMints += 1
        case .answer, .acceptConnect:
            if isClientClosed { complaints.append("\(command) to a closed client") }
        case .closeClient: isClientClosed = true
        case .converse:
            if isClientClosed || isEnded || !hasRecord { complaints.append("a conversation out of place") }
            isHandedOver = true
        case .record(let flow):
            if isEnded { complaints.append("recorded after the end") }
            hasRecord = true
            isEnded = flow.closed != nil
        case .driver(.abort): isAborted = true
        default: break
        }
        if openDials > 1 || openMints > 1 { complaints.append("\(command) asked twice") }
    }
}
