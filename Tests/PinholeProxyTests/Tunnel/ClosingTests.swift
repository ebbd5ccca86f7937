import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// The ends, and what comes after them.
@Suite("Closing")
struct ClosingTests {
    private static let failure = HTTP1Failure(.peer, .badChunk, in: .request, "a bad chunk")

    /// Everything that can happen.
    private static func events() throws -> [TunnelEvent] {
        [
            .requestBegan, .request(try Plays.get()), .request(try Plays.connect()),
            .request(try Plays.absolute()), .requestEnded, .requestFailed(failure),
            .clientHello(Plays.hello()), .clientIsNotTLS, .clientHandshake(Plays.handshake(.client)),
            .serverSpokeFirst, .serverHandshake(Plays.handshake(.server), Plays.trusted),
            .serverHandshake(Plays.handshake(.server), Plays.refused), .response(try Plays.ok),
            .response(try Plays.response("HTTP/1.1 100 Continue\r\n\r\n")), .responseEnded,
            .responseFailed(failure), .dialed(Plays.dialed()), .dialed(Plays.pooled()),
            .dialFailed(DialFailure(.refused, ""), []), .minted, .mintFailed("x"), .closed(.client, .orderly),
            .closed(.client, .reset("x")), .closed(.server, .orderly), .closed(.server, .truncated),
            .closed(.server, .reset("x")), .closed(.server, .alert(Alert(code: 116))), .expired(.head),
            .expired(.idle), .expired(.handshake(.client)), .expired(.handshake(.server)), .endedByUser,
            .drain, .stop,
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
                guard let event = events.randomElement(using: &random) else { continue }
                var commands: [TunnelCommand] = []
                now = now + .milliseconds(20)
                tunnel.handle(event, at: now, into: &commands)
                check.see(event)
                for command in commands { check.see(command) }
            }
            var commands: [TunnelCommand] = []
            tunnel.handle(.stop, at: now, into: &commands)
            for command in commands { check.see(command) }
            #expect(check.complaints == [])
            #expect(tunnel.isClosed && !check.isExchangeOpen && check.isEnded)
        }
    }

    /// How far an exchange came.
    enum Progress: CaseIterable {
        case dialing
        case waiting
        case answered
    }

    @Test(
        "ends an exchange toward both sides when somebody wants it, however far it came",
        arguments: Progress.allCases
    )
    func byUser(progress: Progress) throws {
        var playbook =
            switch progress {
            case .dialing: try Plays.dialingPlain(try Plays.absolute())
            case .waiting, .answered: try Plays.forwarded(try Plays.get())
            }
        if progress == .answered {
            playbook.play(
                .feed(.requestEnded),
                .feed(.response(try Plays.ok)),
                .expect(.forwardResponse(try Plays.ok, closing: false))
            )
        }
        playbook.play(
            .feed(.endedByUser),
            .expect(.resetClient),
            .expect(.resetServer),
            .expect(.endExchange(.abortedByUser)),
            .ended(.completed),
            .expect(.abort)
        )
        playbook.finish()
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

    @Test("ignores what is late while it closes")
    func late() throws {
        var playbook = try Plays.opened()
        playbook.play(
            .feed(.drain),
            .expect(.releaseServer),
            .arm(.idle),
            .closeClient,
            .feed(.minted),
            .feed(.response(try Plays.ok)),
            .feed(.responseEnded),
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

    @Test("lets a client read the answer that has closed its half, and not one that is gone")
    func halfClosed() throws {
        let response = try Plays.ok
        var playbook = try Plays.forwarded(try Plays.get())
        playbook.play(
            .feed(.requestEnded),
            .feed(.closed(.client, .orderly)),
            .feed(.response(response)),
            .expect(.forwardResponse(response, closing: true)),
            .feed(.closed(.client, .reset("x"))),
            .aborted(.client),
            .ended(.aborted, .client),
            .expect(.abort)
        )
        playbook.finish()
        var upload = try Plays.forwarded(
            try Plays.request("PUT / HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 5\r\n\r\n")
        )
        upload.play(
            .feed(.closed(.client, .orderly)),
            .aborted(.client),
            .ended(.aborted, .client),
            .expect(.abort)
        )
        upload.finish()
    }

    /// A response whose server closes by `kind` before its end.
    private func cut(_ response: ResponseHead, closing: Bool, by kind: CloseKind) throws {
        var playbook = try Plays.forwarded(try Plays.get())
        playbook.play(
            .feed(.requestEnded),
            .feed(.response(response)),
            .expect(.forwardResponse(response, closing: closing)),
            .feed(.closed(.server, kind)),
            .aborted(.server),
            .expect(.closeServer),
            .arm(.idle),
            .expect(.closeClient(isAnnounced: false)),
            .feed(.closed(.client, .orderly)),
            .ended(.aborted, .server),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test(
        "gives the client what came of a response that is cut, and no proper end",
        arguments: [CloseKind.orderly, .truncated, .reset("x")]
    )
    func responseCut(kind: CloseKind) throws {
        try cut(try Plays.ok, closing: false, by: kind)
    }

    @Test("passes on an unannounced end of a body until the close as one")
    func unannounced() throws {
        try cut(try Plays.response("HTTP/1.1 200 OK\r\n\r\n"), closing: true, by: .truncated)
    }

    @Test("stops in the middle of an exchange")
    func stop() throws {
        var playbook = try Plays.forwarded(try Plays.get())
        playbook.play(
            .feed(.stop),
            .expect(.endExchange(.failed("the proxy was stopped"))),
            .ended(.stopped),
            .expect(.abort)
        )
        playbook.finish()
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
    private(set) var isExchangeOpen = false
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
        switch command {
        case .dial: openDials += 1
        case .mint: openMints += 1
        case .answer, .forwardResponse, .acceptConnect:
            if isClientClosed { complaints.append("\(command) to a closed client") }
        case .closeClient: isClientClosed = true
        case .beginExchange:
            if isExchangeOpen || !hasRecord { complaints.append("an exchange out of place") }
            isExchangeOpen = true
        case .endExchange:
            if !isExchangeOpen { complaints.append("an exchange ended that had not begun") }
            isExchangeOpen = false
        case .record(let flow):
            if isEnded { complaints.append("recorded after the end") }
            hasRecord = true
            isEnded = flow.closed != nil
            if isEnded, isExchangeOpen { complaints.append("the flow ended before its exchange") }
        case .abort: isAborted = true
        default: break
        }
        if openDials > 1 || openMints > 1 { complaints.append("\(command) asked twice") }
    }
}
