import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeCrypto
@testable import PinholeProxy

/// Openings for playbooks of conversations with a client of HTTP/1, whose exchanges follow each other.
enum HTTP1Plays {
    /// The first exchange.
    static let lane = Lane(rawValue: 1)
    /// The second exchange.
    static let next = Lane(rawValue: 2)
    /// The connection that the tunnel made.
    static let first = LinkID.first
    /// The connection that the conversation makes first.
    static let dialed = LinkID(rawValue: 1)
    /// The server of an intercepted tunnel, as it is dialed again.
    static let target = DialTarget(authority: Plays.authority, serverName: Plays.name, mayReuse: true)

    /// The conversation that goes on where a tunnel was opened; its first request is fed.
    static func conversation(
        after tunnel: consuming Playbook<Tunnel>,
        _ head: RequestHead,
        _ change: (inout OpeningResult) -> Void = { _ in }
    ) -> Playbook<Conversation> {
        var tunnel = tunnel
        tunnel.play(.expect(.converse(head)))
        var result = tunnel.machine.opened(with: head)
        tunnel.finish()
        change(&result)
        var commands: [ConversationCommand] = []
        var machine = Conversation(result)
        machine.begin(into: &commands)
        var playbook = Playbook(machine)
        playbook.play(.feed(.firstRequest(lane, head)))
        return playbook
    }

    /// A request in an intercepted tunnel.
    static func opened(
        _ head: RequestHead,
        asksForCertificate: Bool = false,
        _ change: (inout ProxyPolicy) throws -> Void = { _ in }
    ) throws -> Playbook<Conversation> {
        var tunnel = try Plays.opened(asksForCertificate: asksForCertificate, change)
        tunnel.play(.feed(.request(head)))
        return conversation(after: tunnel, head)
    }

    /// A request in an intercepted tunnel, on its way to the server.
    static func forwarded(
        _ head: RequestHead,
        _ change: (inout ProxyPolicy) throws -> Void = { _ in }
    ) throws -> Playbook<Conversation> {
        var playbook = try opened(head, change)
        playbook.play(.beginning(lane), .arm(.idle), .timings(lane), .arm(.idle), .forward(head))
        return playbook
    }

    /// A conversation whose first exchange is over, with a connection to the server that others may have.
    static func rested(
        _ change: (inout ProxyPolicy) throws -> Void = { _ in }
    ) throws -> Playbook<Conversation> {
        let response = try Plays.ok
        var playbook = try forwarded(try Plays.get(), change)
        playbook.play(.feed(.response(lane, response)), .expect(.forwardResponse(lane, response)))
        playbook.playEnd()
        return playbook
    }

    /// A request with a body, on its way to the server.
    static func uploading(_ method: String = "POST") throws -> Playbook<Conversation> {
        try forwarded(
            try Plays.request("\(method) / HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 9\r\n\r\n")
        )
    }

    /// A request in the clear, `head`, whose server is dialed.
    static func dialingPlain(
        _ head: RequestHead,
        _ change: (inout ProxyPolicy) throws -> Void = { _ in }
    ) throws -> Playbook<Conversation> {
        var tunnel = try Plays.tunnel(change)
        tunnel.play(.feed(.request(head)), .record)
        var playbook = conversation(after: tunnel, head)
        playbook.play(.beginning(lane), .arm(.idle), .expect(.dial(dialed, Plays.plainTarget)))
        return playbook
    }

    /// A second handshake with the server for `head`, since its first connection was closed.
    static func resecuring(for head: RequestHead) throws -> Playbook<Conversation> {
        var tunnel = try Plays.opened()
        tunnel.play(.feed(.closed(.server, .orderly)), .expect(.closeServer), .feed(.request(head)))
        var playbook = conversation(after: tunnel, head)
        playbook.play(
            .beginning(lane),
            .arm(.idle),
            .expect(.dial(dialed, target)),
            .feed(.dialed(dialed, Plays.dialed())),
            .expect(.secure(dialed, Plays.name)),
            .armHandshake(dialed)
        )
        return playbook
    }
}

extension Playbook where Machine == Conversation {
    /// The last byte of the response comes, and the connection to the server is kept for a while.
    mutating func playEnd(
        _ lane: Lane = HTTP1Plays.lane,
        keeping deadline: Deadline = .rest,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        play(
            .feed(.responseEnded(lane)),
            .expect(.endExchange(lane, .completed), sourceLocation: sourceLocation),
            .arm(deadline, sourceLocation: sourceLocation)
        )
    }

    /// The server of the first exchange is reached by a new connection without TLS, and gets `head` there.
    mutating func playDialed(
        _ link: LinkID = HTTP1Plays.dialed,
        forwarding head: RequestHead,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        play(
            .feed(.dialed(link, Plays.dialed())),
            .expect(.open(link, isHTTP2: false), sourceLocation: sourceLocation),
            .timings(HTTP1Plays.lane),
            .arm(.idle, sourceLocation: sourceLocation),
            .forward(head, on: link, sourceLocation: sourceLocation)
        )
    }

    /// The proxy answers an exchange itself and closes the client's connection.
    mutating func playRefusal(
        _ status: Int,
        _ lane: Lane = HTTP1Plays.lane,
        discards: Bool = true,
        saying part: String = "",
        closing link: Playbook<Conversation>.Step? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        play(
            .expect(.closeAfter(lane), sourceLocation: sourceLocation),
            .answer(lane, status, saying: part, sourceLocation: sourceLocation)
        )
        if discards {
            play(.expect(.discardRequest(lane, isStopped: false), sourceLocation: sourceLocation))
        }
        play(.answered(lane, sourceLocation: sourceLocation))
        if let link { play(link) }
        play(
            .arm(.idle, sourceLocation: sourceLocation),
            .feed(.clientFinished),
            .arm(.idle, sourceLocation: sourceLocation),
            .expect(.closeClient, sourceLocation: sourceLocation)
        )
    }
}

extension Playbook.Step where Machine == Conversation {
    static func arm(_ deadline: Deadline, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .expect(where: "a deadline for \(deadline)", sourceLocation: sourceLocation) {
            if case .driver(.arm(deadline, _)) = $0 { true } else { false }
        }
    }

    /// A deadline for the handshake with a server.
    static func armHandshake(_ link: LinkID, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .expect(where: "a deadline for the handshake", sourceLocation: sourceLocation) {
            if case .driver(.armHandshake(link, _)) = $0 { true } else { false }
        }
    }

    /// Rules of these kinds are noted.
    static func rules(
        _ kinds: [String],
        _ lane: Lane = HTTP1Plays.lane,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .expect(where: "a note of \(kinds)", sourceLocation: sourceLocation) {
            if case .noteRules(lane, let hits) = $0 { hits.map(\.kind) == kinds } else { false }
        }
    }

    /// The request goes out on a connection.
    static func forward(
        _ head: RequestHead,
        _ lane: Lane = HTTP1Plays.lane,
        on link: LinkID = HTTP1Plays.first,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .expect(.forwardRequest(lane, link, head), sourceLocation: sourceLocation)
    }

    /// The flow is recorded.
    static var record: Self { record(where: "a record") { _ in true } }

    static func record(
        where description: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ isMeant: @escaping (FlowRecord) -> Bool
    ) -> Self {
        .expect(where: description, sourceLocation: sourceLocation) {
            if case .record(let flow) = $0 { isMeant(flow) } else { false }
        }
    }
}
