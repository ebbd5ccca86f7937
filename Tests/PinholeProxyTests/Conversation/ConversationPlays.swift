import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeCrypto
@testable import PinholeProxy

extension Conversation: PlayedMachine {}

/// Heads, seeds and openings for playbooks of exchanges at one time.
enum ConversationPlays {
    static let target = DialTarget(authority: Plays.authority, serverName: name, mayReuse: false)
    static let name = ServerName(
        authority: Plays.authority,
        host: Plays.authority.host,
        applicationProtocols: ["h2", "http/1.1"]
    )
    static let first = LinkID.first
    static let second = LinkID(rawValue: 1)
    static let third = LinkID(rawValue: 2)

    static func seed(
        server agreed: String? = "h2",
        client clientSpeaksHTTP2: Bool = true,
        chain: JudgedChain = Plays.trusted,
        asksForCertificate: Bool = false
    ) throws -> OpeningResult {
        var flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: Timestamp(seconds: 1_000_000_000),
            client: "127.0.0.1:50000",
            listener: "127.0.0.1:8080"
        )
        flow.treatment = .intercepted
        flow.clientHandshake = Plays.handshake(.client)
        var secured = secured(agreed, chain)
        secured.handshake.requestedClientCertificate = asksForCertificate
        flow.serverHandshake = secured.handshake
        return OpeningResult(
            policy: Shared(try Tunnels.world.policy()),
            flow: flow,
            clientAddress: try #require(IPAddress("127.0.0.1")),
            clientSpeaksHTTP2: clientSpeaksHTTP2,
            authority: Plays.authority,
            serverName: name,
            secured: secured,
            opening: Plays.dialed(),
            hasServer: agreed != nil && chain.isAccepted,
            handshakeEnded: Timestamp(seconds: 1_000_000_000)
        )
    }

    /// What a tunnel hands over whose client speaks HTTP/2 to the proxy itself.
    static func seedToProxy(_ change: (inout ProxyPolicy) -> Void = { _ in }) throws -> OpeningResult {
        var seed = try seed(server: nil)
        var policy = seed.policy.value
        change(&policy)
        seed.policy = Shared(policy)
        seed.authority = nil
        seed.serverName = nil
        seed.secured = nil
        seed.opening = nil
        seed.handshakeEnded = nil
        seed.flow.treatment = .plain
        seed.flow.clientHandshake = nil
        return seed
    }

    /// A machine whose client speaks HTTP/2 to the proxy itself.
    static func toProxy(_ change: (inout ProxyPolicy) -> Void = { _ in }) throws -> Playbook<Conversation> {
        var commands: [ConversationCommand] = []
        var machine = Conversation(try seedToProxy(change))
        machine.begin(into: &commands)
        #expect(commands == [.arm(.idle, Limits().idleTimeout)])
        return Playbook(machine)
    }

    static func connect(_ authority: String = "www.example.com:443") throws -> RequestHead {
        var fields = HeaderFields()
        fields.append(":method", "CONNECT")
        fields.append(":authority", authority)
        return try RequestHead(stream: fields, endsStream: false)
    }

    static func secured(_ agreed: String?, _ chain: JudgedChain = Plays.trusted) -> SecuredServer {
        SecuredServer(handshake: handshake(agreed), chain: chain)
    }

    static func handshake(_ agreed: String?) -> HandshakeRecord {
        var record = Plays.handshake(.server)
        record.applicationProtocol = agreed
        return record
    }

    /// A machine whose sides may speak.
    static func opened(
        server agreed: String? = "h2",
        asksForCertificate: Bool = false
    ) throws -> Playbook<Conversation> {
        var commands: [ConversationCommand] = []
        var machine = Conversation(try seed(server: agreed, asksForCertificate: asksForCertificate))
        machine.begin(into: &commands)
        var expected: [ConversationCommand] = [.arm(.idle, Limits().idleTimeout)]
        if let agreed { expected.append(.open(first, isHTTP2: agreed == "h2")) }
        #expect(commands == expected)
        return Playbook(machine)
    }

    /// A request, with a body to follow where the method has one.
    static func get(_ path: String = "/", _ method: String = "GET") throws -> RequestHead {
        var fields = HeaderFields()
        fields.append(":method", method)
        fields.append(":scheme", "https")
        fields.append(":authority", "www.example.com")
        fields.append(":path", path)
        return try RequestHead(stream: fields, endsStream: method != "POST")
    }

    static func response(
        _ status: String = "200",
        _ name: String = "x",
        _ value: String = "y",
        hasBody: Bool = false
    ) throws
        -> ResponseHead
    {
        var fields = HeaderFields()
        fields.append(":status", status)
        fields.append(name, value)
        return try ResponseHead(stream: fields, endsStream: !hasBody)
    }

    static func lane(_ number: Int) -> Lane { Lane(rawValue: number) }
}

extension Playbook where Machine == Conversation {
    /// A request without a body, the first on the first link, goes out there.
    mutating func asks(_ lane: Lane, _ head: RequestHead) {
        play(
            .feed(.request(lane, head)),
            .beginning(lane),
            .timings(lane),
            .expect(.forwardRequest(lane, ConversationPlays.first, head))
        )
    }

    /// A CONNECT opens a tunnel.
    mutating func opensTunnel(_ lane: Lane, _ connect: RequestHead) {
        play(.feed(.request(lane, connect)), .expect(.openTunnel(lane, connect)))
    }
}

extension Playbook.Step where Machine == Conversation {
    static func beginning(_ lane: Lane, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .expect(where: "exchange \(lane.rawValue) begins", sourceLocation: sourceLocation) {
            if case .beginExchange(lane, _, _, _, _, _) = $0 { true } else { false }
        }
    }

    static var idle: Self {
        .expect(where: "the idle time begins") { if case .driver(.arm) = $0 { true } else { false } }
    }

    static func timings(_ lane: Lane) -> Self {
        .expect(where: "timings") { if case .noteTimings(lane, _, _, _) = $0 { true } else { false } }
    }

    static func answer(
        _ lane: Lane,
        _ status: Int,
        saying part: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .expect(where: "an answer \(status) in \(lane.rawValue)", sourceLocation: sourceLocation) {
            guard case .answer(lane, let answer) = $0 else { return false }
            return answer.status == status && (part.isEmpty || answer.reason.contains(part))
        }
    }

    static func answered(_ lane: Lane, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .expect(where: "the proxy answered exchange \(lane.rawValue)", sourceLocation: sourceLocation) {
            if case .endExchange(lane, .answeredByProxy) = $0 { true } else { false }
        }
    }

    static func aborted(
        _ lane: Lane,
        by side: Side,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .expect(where: "the \(side) aborted exchange \(lane.rawValue)", sourceLocation: sourceLocation) {
            if case .endExchange(lane, .aborted(by: side, _)) = $0 { true } else { false }
        }
    }

    static func ended(
        _ kind: Outcome.Kind,
        _ fault: Side? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .expect(where: "an end that is \(kind)", sourceLocation: sourceLocation) {
            guard case .record(let flow) = $0 else { return false }
            return flow.closed != nil && flow.outcome?.kind == kind && flow.outcome?.fault == fault
        }
    }
}
