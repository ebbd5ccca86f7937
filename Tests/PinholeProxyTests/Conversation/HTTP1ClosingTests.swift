import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// The ends of conversations with clients of HTTP/1.
@Suite("Conversation, ends with HTTP/1")
struct HTTP1ClosingTests {
    private let lane = HTTP1Plays.lane
    private let next = HTTP1Plays.next
    private let first = HTTP1Plays.first

    /// Everything that can happen, as far as it concerns one exchange and one connection to a server.
    private struct Occasions {
        let request: RequestHead
        let get, connect, absolute: RequestHead
        let whole, unframed, switched, informational: ResponseHead
        let failure = HTTP1Failure(.peer, .badChunk, in: .request, "a bad chunk")
        let handshake = Plays.handshake(.server)
        let dialed = Plays.dialed()
        let pooled = Plays.pooled()

        init(_ request: RequestHead) throws {
            self.request = request
            get = try Plays.get()
            connect = try Plays.connect()
            absolute = try Plays.absolute()
            whole = try Plays.ok
            unframed = try Plays.response("HTTP/1.1 200 OK\r\n\r\n")
            switched = try Plays.response("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")
            informational = try Plays.response("HTTP/1.1 100 Continue\r\n\r\n")
        }

        /// The events on a lane and a connection.
        func events(_ lane: Lane, _ link: LinkID) -> [ConversationEvent] {
            [
                .requestBegan, .request(lane, request), .request(lane, get), .request(lane, connect),
                .request(lane, absolute), .requestEnded(lane), .requestFailed(failure), .requestStalled(lane),
                .response(lane, whole), .response(lane, unframed), .response(lane, switched),
                .response(lane, informational), .responseEnded(lane), .dialed(link, dialed),
                .dialed(link, pooled), .dialFailed(link, DialFailure(.refused, ""), []),
                .handshake(link, handshake, Plays.trusted), .handshake(link, handshake, Plays.refused),
                .linkDraining(link), .linkClosed(link, .orderly), .linkClosed(link, .truncated),
                .linkClosed(link, .reset("x")), .linkClosed(link, .alert(Alert(code: 116))),
                .clientClosed(.orderly, sentData: true), .clientClosed(.reset("x"), sentData: true),
                .clientFinished, .expired(.head), .expired(.idle), .expired(.rest), .endedByUser(nil),
                .endedByUser(lane), .drain, .retire, .stop,
            ]
        }
    }

    @Test("nothing comes out of a closed conversation")
    func absorbing() throws {
        var playbook = try HTTP1Plays.rested()
        playbook.play(.feed(.stop), .expect(.closeLink(first)), .ended(.stopped), .expect(.abort))
        for event in try Occasions(Plays.get()).events(next, first) { playbook.play(.feed(event)) }
        #expect(playbook.machine.isClosed)
        playbook.finish()
    }

    /// Plays what a random series of events makes of the invariants at the head of `Conversation.swift`.
    @Test("keeps its invariants whatever happens, in any order", arguments: [true, false])
    func anyOrder(isPlain: Bool) throws {
        let upgrade = try Occasions(Plays.get(fields: "Upgrade: x\r\nConnection: upgrade\r\n"))
        let upload = try Occasions(
            Plays.request("PUT http://a.test/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: 9\r\n\r\n")
        )
        let target = try Plays.absolute()
        var random = SeededRandom(seed: 5)
        var ends: Set<String> = []
        for round in 0..<1000 {
            let occasions = round.isMultiple(of: 2) ? upgrade : upload
            // Machines that are copies of one share the exchanges.
            var playbook = isPlain ? try HTTP1Plays.dialingPlain(target) : try HTTP1Plays.rested()
            var machine = playbook.machine
            playbook.finish()
            var check = HTTP1InvariantCheck(of: machine)
            var now = playbook.now
            for _ in 0..<25 {
                let events = occasions.events(check.lane, check.anyLink(using: &random))
                guard let event = events.randomElement(using: &random), check.canHappen(event) else {
                    continue
                }
                now = now + .milliseconds(20)
                check.feed(event, to: &machine, at: now)
            }
            check.feed(.stop, to: &machine, at: now)
            ends.formUnion(check.ends)
            #expect(check.complaints == [])
            #expect(machine.isClosed && !check.isExchangeOpen && check.isEnded)
        }
        #expect(ends == ["completed", "answeredByProxy", "aborted", "abortedByUser", "failed"])
    }

    /// How far an exchange came.
    enum Progress: CaseIterable {
        case dialing
        case waiting
        case answered
    }

    @Test(
        "ends an exchange toward both sides on request, at any stage",
        arguments: Progress.allCases
    )
    func byUser(progress: Progress) throws {
        let response = try Plays.ok
        let link = progress == .dialing ? HTTP1Plays.dialed : first
        var playbook =
            switch progress {
            case .dialing: try HTTP1Plays.dialingPlain(try Plays.absolute())
            case .waiting, .answered: try HTTP1Plays.forwarded(try Plays.get())
            }
        if progress == .answered {
            playbook.play(.feed(.response(lane, response)), .expect(.forwardResponse(lane, response)))
        }
        playbook.play(
            .feed(.endedByUser(nil)),
            .expect(.resetConnection),
            .expect(.resetLink(link)),
            .expect(.endExchange(lane, .abortedByUser)),
            .expect(.closeLink(link)),
            .ended(.completed),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("closes a connection that is dialed after the conversation began to close")
    func lateDial() throws {
        let dialed = HTTP1Plays.dialed
        var playbook = try HTTP1Plays.dialingPlain(try Plays.absolute())
        playbook.play(
            .feed(.expired(.idle)),
            .expect(.closeAfter(lane)),
            .answer(lane, 504),
            .answered(lane),
            .arm(.idle),
            .feed(.clientFinished),
            .expect(.closeLink(dialed)),
            .arm(.idle),
            .expect(.closeClient),
            .feed(.dialed(dialed, Plays.dialed())),
            .expect(.closeLink(dialed))
        )
        playbook.finish()
    }

    @Test("answers in the place of a server that does not, and closes both connections")
    func silentServer() throws {
        var playbook = try HTTP1Plays.forwarded(try Plays.get())
        playbook.play(.feed(.expired(.idle)))
        playbook.playRefusal(504, discards: false, closing: .expect(.closeLink(first)))
        playbook.finish()
    }

    /// The proxy answers a client whose request did not come as it should, and closes.
    private func refused(_ event: ConversationEvent, _ status: Int, _ kind: Outcome.Kind) throws {
        var playbook = try HTTP1Plays.rested()
        playbook.play(
            .feed(.requestBegan),
            .arm(.head),
            .feed(event),
            .expect(where: "an answer \(status)") {
                if case .refuse(let answer) = $0 { answer.status == status } else { false }
            },
            .expect(.releaseLink(first)),
            .arm(.idle),
            .expect(.closeClient),
            .feed(.clientClosed(.orderly, sentData: true)),
            .ended(kind, .client),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("answers a head that does not come to its end, and a head that cannot be read")
    func badHead() throws {
        try refused(.expired(.head), 408, .timedOut)
        let failure = HTTP1Failure(.peer, .badChunk, in: .request, "a bad chunk")
        try refused(.requestFailed(failure), 400, .refused)
    }

    @Test("answers a request whose body cannot be read, or ends the connection if an answer has begun")
    func badBody() throws {
        let response = try Plays.ok
        let failure = HTTP1Failure(.peer, .badChunk, in: .request, "a bad chunk")
        var playbook = try HTTP1Plays.uploading()
        playbook.play(.feed(.requestFailed(failure)))
        playbook.playRefusal(400, closing: .expect(.closeLink(first)))
        playbook.play(
            .feed(.clientClosed(.orderly, sentData: true)),
            .ended(.refused, .client),
            .expect(.abort)
        )
        playbook.finish()
        var answered = try HTTP1Plays.uploading()
        answered.play(
            .feed(.response(lane, response)),
            .expect(.note(lane, .answeredEarly)),
            .expect(.forwardResponse(lane, response)),
            .feed(.requestFailed(failure)),
            .aborted(lane, by: .client),
            .expect(.closeLink(first)),
            .ended(.refused, .client),
            .expect(.abort)
        )
        answered.finish()
    }

    @Test("ends an idle connection whose host has other settings, which is no failure")
    func retired() throws {
        var playbook = try HTTP1Plays.rested()
        playbook.play(
            .feed(.retire),
            .expect(.releaseLink(first)),
            .arm(.idle),
            .expect(.closeClient),
            .feed(.expired(.idle)),
            .ended(.completed),
            .expect(.abort)
        )
        #expect(playbook.machine.flow.outcome?.detail == "the settings of the host were changed")
        playbook.finish()
    }

    @Test("ignores late events while it closes")
    func late() throws {
        var playbook = try HTTP1Plays.rested()
        playbook.play(
            .feed(.drain),
            .expect(.releaseLink(first)),
            .arm(.idle),
            .expect(.closeClient),
            .feed(.response(lane, try Plays.ok)),
            .feed(.responseEnded(lane)),
            .feed(.requestEnded(lane)),
            .feed(.requestBegan),
            .feed(.linkClosed(first, .orderly)),
            .feed(.clientFinished),
            .feed(.drain),
            .feed(.expired(.idle)),
            .ended(.stopped),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("a client gets the answer after it closed its sending side, but not after a reset")
    func halfClosed() throws {
        let response = try Plays.ok
        var playbook = try HTTP1Plays.forwarded(try Plays.get())
        playbook.play(
            .feed(.clientClosed(.orderly, sentData: true)),
            .expect(.closeAfter(lane)),
            .feed(.response(lane, response)),
            .expect(.forwardResponse(lane, response)),
            .feed(.clientClosed(.reset("x"), sentData: true)),
            .aborted(lane, by: .client),
            .expect(.closeLink(first)),
            .ended(.aborted, .client),
            .expect(.abort)
        )
        playbook.finish()
        var upload = try HTTP1Plays.uploading("PUT")
        upload.play(
            .feed(.clientClosed(.orderly, sentData: true)),
            .aborted(lane, by: .client),
            .expect(.closeLink(first)),
            .ended(.aborted, .client),
            .expect(.abort)
        )
        upload.finish()
    }

    /// A response whose server closes by `kind` before its end; the flow's record then has `detail` in it.
    private func cut(_ response: ResponseHead, by kind: CloseKind, saying detail: String = "") throws {
        var playbook = try HTTP1Plays.forwarded(try Plays.get())
        playbook.play(
            .feed(.response(lane, response)),
            .expect(.forwardResponse(lane, response)),
            .feed(.linkClosed(first, kind)),
            .expect(.closeLink(first)),
            .expect(.reset(lane, .client, .internalError)),
            .aborted(lane, by: .server),
            .arm(.idle),
            .feed(.clientFinished),
            .arm(.idle),
            .expect(.closeClient),
            .feed(.clientClosed(.orderly, sentData: true)),
            .ended(.aborted, .server),
            .expect(.abort)
        )
        #expect(playbook.machine.flow.outcome?.detail.contains(detail) == true)
        playbook.finish()
    }

    @Test(
        "forwards the received part of a cut response, and ends it as incomplete",
        arguments: [CloseKind.orderly, .truncated, .reset("x")]
    )
    func responseCut(kind: CloseKind) throws {
        try cut(try Plays.ok, by: kind, saying: kind == .reset("x") ? "broke" : "complete response")
    }

    @Test("forwards a body until the close that ends without an alert, and notes it as maybe incomplete")
    func unannounced() throws {
        let response = try Plays.response("HTTP/1.1 200 OK\r\n\r\n")
        try cut(response, by: .truncated, saying: "may be incomplete")
    }

    @Test("stops in the middle of an exchange")
    func stop() throws {
        var playbook = try HTTP1Plays.forwarded(try Plays.get())
        playbook.play(
            .feed(.stop),
            .expect(.endExchange(lane, .failed("the proxy was stopped"))),
            .expect(.closeLink(first)),
            .ended(.stopped),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("a connection that is closed for a newer one has this reason in its flow and in its exchange")
    func displaced() throws {
        func end(_ kind: Outcome.Kind) -> Playbook<Conversation>.Step {
            .record(where: "why") {
                $0.closed != nil && $0.outcome == Outcome(kind, detail: Outcome.newerConnection)
            }
        }
        var used = try HTTP1Plays.forwarded(try Plays.get())
        used.play(
            .feed(.displaced(Outcome.newerConnection)),
            .feed(.stop),
            .expect(.endExchange(lane, .failed(Outcome.newerConnection))),
            .expect(.closeLink(first)),
            end(.aborted),
            .expect(.abort)
        )
        used.finish()
        var idle = try HTTP1Plays.rested()
        idle.play(
            .feed(.displaced(Outcome.newerConnection)),
            .feed(.expired(.idle)),
            .expect(.closeLink(first)),
            end(.completed),
            .expect(.abort)
        )
        idle.finish()
        // A request that still waits for its server is told to come again.
        var waiting = try HTTP1Plays.forwarded(try Plays.get())
        waiting.play(.feed(.displaced(Outcome.newerConnection)), .feed(.expired(.idle)))
        waiting.playRefusal(503, discards: false, saying: "gave way", closing: .expect(.closeLink(first)))
        waiting.play(.feed(.expired(.idle)), end(.aborted), .expect(.abort))
        waiting.finish()
    }

    @Test("closes an idle connection without calling it a fault")
    func idle() throws {
        var playbook = try HTTP1Plays.rested()
        playbook.play(
            .feed(.expired(.rest)),
            .expect(.releaseLink(first)),
            .arm(.idle),
            .feed(.expired(.idle)),
            .ended(.completed),
            .expect(.abort)
        )
        playbook.finish()
    }
}

/// Watches events and commands of a conversation with a client of HTTP/1, with whom exchanges follow each other.
private struct HTTP1InvariantCheck {
    private(set) var complaints: [String] = []
    /// The lane of the exchange under way; else that of the next one.
    private(set) var lane: Lane
    private(set) var isExchangeOpen: Bool
    private(set) var isEnded = false
    /// How exchanges ended.
    private(set) var ends: Set<String> = []
    private var isRequestWhole = true
    private var hasAnswer = false
    private var isDiscarding = false
    private var isRelayed = false
    private var link: LinkID?
    private var closesAfter = false
    private var isClientClosed = false
    private var isAborted = false
    /// The connections that were asked for, by whether their dial is answered.
    private var dials: [LinkID: Bool] = [:]
    private var handshakes: Set<LinkID> = []
    private var openLinks: Set<LinkID> = []

    init(of machine: Conversation) {
        isExchangeOpen = !machine.exchanges.isEmpty
        lane = isExchangeOpen ? HTTP1Plays.lane : HTTP1Plays.next
        for (id, link) in zip(machine.links.keys, machine.links.values) {
            if link.state == .ready { openLinks.insert(id) } else { dials[id] = false }
        }
    }

    /// A connection that there is, or was.
    func anyLink(using random: inout SeededRandom) -> LinkID {
        let links = Set(dials.keys).union(openLinks).union([HTTP1Plays.first])
        return links.sorted().randomElement(using: &random) ?? HTTP1Plays.first
    }

    /// Whether the stack could tell of that now.
    func canHappen(_ event: ConversationEvent) -> Bool {
        switch event {
        case .request: !isExchangeOpen && !isClientClosed
        case .requestEnded: isExchangeOpen && !isRequestWhole && (link != nil || isDiscarding)
        case .requestStalled: isExchangeOpen && !isRequestWhole && hasAnswer
        case .requestFailed: !isClientClosed && !isRelayed
        case .response: isExchangeOpen && link != nil && !hasAnswer
        case .responseEnded: isExchangeOpen && link != nil && hasAnswer && !isRelayed
        case .dialed(let id, _), .dialFailed(let id, _, _): dials[id] == false
        case .handshake(let id, _, _): handshakes.contains(id)
        case .linkDraining(let id): openLinks.contains(id)
        case .linkClosed(let id, _): openLinks.contains(id)
        case .clientFinished: false
        default: true
        }
    }

    /// Lets `event` happen, and all that the stack makes of the commands.
    mutating func feed(_ event: ConversationEvent, to machine: inout Conversation, at now: Timestamp) {
        switch event {
        case .requestEnded: isRequestWhole = true
        case .dialed(let id, _), .dialFailed(let id, _, _): dials[id] = true
        case .handshake(let id, _, _): handshakes.remove(id)
        case .linkClosed(let id, _): openLinks.remove(id)
        default: break
        }
        var commands: [ConversationCommand] = []
        machine.handle(event, at: now, into: &commands)
        var isFinished = false
        for command in commands where see(command, after: event) { isFinished = true }
        if isFinished { feed(.clientFinished, to: &machine, at: now) }
    }

    /// - Returns: Whether the client's connection ends with it.
    private mutating func see(_ command: ConversationCommand, after event: ConversationEvent) -> Bool {
        if isAborted { complaints.append("\(command) after the end, for \(event)") }
        if let named = Self.lane(of: command), !isExchangeOpen || named != lane {
            guard case .beginExchange = command, !isExchangeOpen, named == lane else {
                complaints.append("\(command) concerns no exchange, for \(event)")
                return false
            }
        }
        switch command {
        case .beginExchange(_, let head, _, _, _, _):
            isExchangeOpen = true
            isRequestWhole = !head.framing.hasBody
            (hasAnswer, isDiscarding, isRelayed, closesAfter, link) = (false, false, false, false, nil)
        case .endExchange(_, let outcome):
            ends.insert(String("\(outcome)".prefix { $0 != "(" }))
            isExchangeOpen = false
            lane = Lane(rawValue: lane.rawValue + 1)
            return closesAfter
        case .closeAfter: closesAfter = true
        case .reset(_, .client, _): closesAfter = true
        case .answer, .forwardResponse, .refuse:
            if isClientClosed { complaints.append("\(command) to a closed client, for \(event)") }
            if case .refuse = command { break }
            if case .forwardResponse(_, let head) = command, head.isInformational { break }
            if hasAnswer { complaints.append("a second answer: \(command), for \(event)") }
            hasAnswer = true
            // A body that is not read cannot be told from the next request.
            if case .answer = command, !isRequestWhole { closesAfter = true }
        case .discardRequest: isDiscarding = true
        case .relay: isRelayed = true
        case .driver(.dial(let id, _)):
            if dials[id] != nil { complaints.append("\(command) dials again, for \(event)") }
            dials[id] = false
        case .secure(let id, _): handshakes.insert(id)
        case .open(let id, _): openLinks.insert(id)
        case .forwardRequest(_, let id, _):
            if !openLinks.contains(id) { complaints.append("\(command) on no connection, for \(event)") }
            link = id
        case .driver(.closeLink(let id)), .driver(.releaseLink(let id)):
            if case .driver(.releaseLink) = command, id == link, isExchangeOpen {
                complaints.append("\(command) while it is in use, for \(event)")
            }
            openLinks.remove(id)
            handshakes.remove(id)
            if id == link { link = nil }
        case .driver(.closeClient):
            if isExchangeOpen { complaints.append("closed inside an exchange, for \(event)") }
            isClientClosed = true
        case .record(let flow):
            if isEnded { complaints.append("recorded after the end, for \(event)") }
            isEnded = flow.closed != nil
            if isEnded, isExchangeOpen { complaints.append("the flow ended first, for \(event)") }
        case .driver(.abort): isAborted = true
        default: break
        }
        return false
    }

    /// The exchange that a command concerns.
    private static func lane(of command: ConversationCommand) -> Lane? {
        switch command {
        case .beginExchange(let lane, _, _, _, _, _), .note(let lane, _), .noteTimings(let lane, _, _, _),
            .forwardRequest(let lane, _, _), .forwardResponse(let lane, _), .closeAfter(let lane),
            .relay(let lane), .closeHalf(let lane, _), .answer(let lane, _), .discardRequest(let lane, _),
            .reset(let lane, _, _), .cancel(let lane), .endExchange(let lane, _),
            .driver(.openTunnel(let lane, _)):
            lane
        default: nil
        }
    }
}
