import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// Drives the stack of a conversation in memory, without TLS: a client on one side, servers on the other.
///
/// A peer of HTTP/2 is an engine of its own; one of HTTP/1 is its bytes.
final class ConversationHarness {
    /// A peer, by what it reads and writes.
    final class Peer {
        let session: HTTP2Session?
        /// Toward the proxy.
        var sent = ByteQueue()
        /// Events of HTTP/2, in order.
        var events: [HTTP2Event] = []
        /// The heads of requests and of final responses that came, and the bodies, by stream.
        var heads: [HTTP2StreamID: HeaderFields] = [:]
        var bodies: [HTTP2StreamID: [UInt8]] = [:]
        /// What came in HTTP/1.
        var text = ""
        /// Whether it reads at all.
        var isReading = true
        /// Whether it gives flow-control credit back.
        var releases = true
        /// Answers events as they come.
        var react: (Peer, HTTP2Event) -> Void = { _, _ in }
        /// Answers bytes of HTTP/1 as they come.
        var reactToText: (Peer) -> Void = { _ in }

        init(_ role: HTTP2Session.Role?) { session = role.map { HTTP2Session($0) } }

        func receive(_ bytes: inout ByteQueue, at now: Timestamp) {
            guard let session else {
                text += String(decoding: bytes.prefix(), as: UTF8.self)
                bytes.removeAll()
                return reactToText(self)
            }
            session.receive(&bytes, at: now)
            while let event = session.nextEvent() {
                events.append(event)
                switch event {
                case .request(let stream, let head, _), .response(let stream, let head, _):
                    heads[stream] = head
                default: break
                }
                if case .data(let stream, let count) = event, releases {
                    var piece = ByteQueue()
                    session.take(upTo: count, from: stream, into: &piece)
                    bodies[stream, default: []] += piece.prefix()
                    session.release(count, on: stream)
                }
                react(self, event)
            }
        }

        func work() { session?.write(into: &sent, limit: 1 << 20) }
    }

    var stack: ConversationStack
    let client: Peer
    /// The methods of the requests that were sent by ``ask``, in order.
    var asked: [String] = []
    /// Servers by link.
    var servers: [LinkID: Peer] = [:]
    /// Makes the peer of a new link; `nil` refuses it.
    var onDial: () -> Peer? = { nil }
    /// What is decided about what is asked, at once; nothing is waited for but messages.
    var onConsult: (Consultation) -> ExchangeDecision? = { question in
        if case .wait(.seconds(30)) = question { nil } else { .proceed }
    }
    /// Questions that have no answer yet.
    private(set) var open: [Lane: Consultation] = [:]
    var records: [FlowEvent] = []
    var actions: [DriverCommand] = []
    /// Tunnels that were asked for in streams, in order.
    var opened: [(lane: Lane, head: RequestHead)] = []
    /// Tunnels for which something came, or room.
    var stirred: Set<Lane> = []
    var now = Timestamp(seconds: 1_000_000_000)
    /// How many bytes arrive at once.
    var chunk = 16 << 10
    /// The most bytes that waited in the stack's queues.
    private(set) var mostBuffered = 0

    init(
        client: HTTP2Session.Role?,
        server: Peer,
        _ change: (inout ProxyPolicy) -> Void = { _ in }
    ) throws {
        self.client = Peer(client)
        var seed = try ConversationPlays.seed(client: client != nil)
        var policy = seed.policy.value
        change(&policy)
        seed.policy = Shared(policy)
        seed.flow.treatment = .plain
        seed.serverName = nil
        seed.secured = server.session == nil ? nil : ConversationPlays.secured("h2")
        if server.session == nil { seed.secured = ConversationPlays.secured("http/1.1") }
        stack = ConversationStack(
            seed,
            client: HTTPPeer(reading: .requests, limits: seed.policy.value.limits),
            server: LinkStack(
                .first,
                Boxed(HTTPPeer(reading: .responses, limits: seed.policy.value.limits))
            ),
            environment: try Tunnels.world.environment(),
            sink: CountingSink(),
            keepsBodies: true
        )
        servers[LinkID.first] = server
        stack.begin(at: now)
    }

    /// A client that speaks HTTP/2 to the proxy itself.
    convenience init(toProxy change: (inout ProxyPolicy) -> Void = { _ in }) throws {
        try self.init(.explicit, change)
    }

    /// A client that speaks HTTP/2 to a listener before a server.
    convenience init(
        before origin: String,
        _ change: (inout ProxyPolicy) -> Void = { _ in }
    ) throws {
        try self.init(.reverse(try ReverseOrigin(origin)), change)
    }

    /// A client of HTTP/1.1 that has asked a listener before a server of HTTP/2.
    convenience init(before origin: ReverseOrigin, asking head: RequestHead) throws {
        try self.init(.reverse(origin), asking: head) { _ in }
    }

    private init(
        _ mode: ListenerMode,
        asking head: RequestHead? = nil,
        _ change: (inout ProxyPolicy) -> Void
    ) throws {
        client = Peer(head == nil ? .client : nil)
        var seed = try ConversationPlays.seedToProxy(change)
        seed.mode = mode
        if let head {
            seed.clientSpeaksHTTP2 = false
            seed.expectsHTTP2 = true
            seed.request = head
        }
        stack = ConversationStack(
            seed,
            client: HTTPPeer(reading: .requests, limits: seed.policy.value.limits),
            server: nil,
            environment: try Tunnels.world.environment(),
            sink: CountingSink(),
            keepsBodies: true
        )
        stack.begin(at: now)
    }

    /// Answers the question about an exchange.
    func decide(_ lane: Lane, _ decision: ExchangeDecision) {
        open[lane] = nil
        stack.decided(lane, decision, at: now)
        pump()
    }

    /// Ends an exchange as somebody wants, and tells whether it went on.
    func abort(_ id: ExchangeID) -> Bool {
        defer { pump() }
        return stack.abort(id.rawValue, at: now)
    }

    /// Records what goes on, and tells whether something is still to be recorded.
    func recordSlow() -> Bool {
        defer { pump() }
        return stack.recordSlow(before: now) || stack.hasUnrecorded
    }

    /// Moves everything that moves.
    func pump() {
        for _ in 0..<1_000_000 where !step() { return }
    }

    private func step() -> Bool {
        now = now + .milliseconds(1)
        perform()
        var moved = feedClient()
        for id in servers.keys.sorted() { moved = feed(id) || moved }
        stack.advance(at: now)
        moved = deliver() || moved
        perform()
        records += stack.records
        stack.records = []
        let waiting = stack.links.values.reduce(stack.client.pendingInput + stack.client.pendingOutput) {
            $0 + $1.peer.value.pendingInput + $1.peer.value.pendingOutput
        }
        mostBuffered = max(mostBuffered, waiting)
        // A piece of an answer that was read has not been delivered.
        return moved || !stack.driverCommands.isEmpty || client.isReading && !stack.client.outbox.isEmpty
    }

    private func feedClient() -> Bool {
        client.work()
        let count = min(chunk, client.sent.count)
        guard count > 0, stack.wantsReadFromClient else { return false }
        client.sent.move(count, to: &stack.client.inbox)
        stack.advance(at: now)
        return true
    }

    private func feed(_ id: LinkID) -> Bool {
        guard let peer = servers[id], let link = stack.links[id] else { return false }
        peer.work()
        let count = min(chunk, peer.sent.count)
        guard count > 0, stack.wantsRead(id) else { return false }
        peer.sent.move(count, to: &link.peer.value.inbox)
        stack.advance(at: now)
        return true
    }

    private func deliver() -> Bool {
        var moved = false
        if client.isReading, !stack.client.outbox.isEmpty {
            client.receive(&stack.client.outbox, at: now)
            moved = true
        }
        for (id, peer) in servers where peer.isReading {
            guard let link = stack.links[id], !link.peer.value.outbox.isEmpty else { continue }
            peer.receive(&link.peer.value.outbox, at: now)
            moved = true
        }
        return moved
    }

    private func perform() {
        let waiting = stack.driverCommands
        stack.driverCommands = []
        actions += waiting
        for action in waiting {
            switch action {
            case .dial(let id, _):
                if let peer = onDial() {
                    servers[id] = peer
                    stack.dialed(id, DialedServer(address: "192.0.2.1:80"), at: now)
                } else {
                    stack.dialFailed(id, DialFailure(.refused, "nobody listens"), [], at: now)
                }
            case .authenticate(let lane, let check):
                let isRight = check.users.verify(check.login)
                stack.authenticated(lane, isRight ? .right : .wrong, at: now)
            case .consult(let lane, let question):
                if let decision = onConsult(question) {
                    stack.decided(lane, decision, at: now)
                } else {
                    open[lane] = question
                }
            case .withdraw(let lane): open[lane] = nil
            case .read(let lane, let content, let range):
                stack.contentRead(lane, content, content.read(range), at: now)
            case .closeLink(let id):
                _ = stack.takeLink(id)
                servers[id] = nil
            case .openTunnel(let lane, let head): opened.append((lane, head))
            case .stirTunnel(let lane): stirred.insert(lane)
            case .releaseLink(let id):
                _ = stack.takeLink(id)
                servers[id] = nil
            case .closeClient, .abort, .arm, .armHandshake, .disarmHandshake, .closeLinkHalf, .resetLink,
                .resetClient, .mint, .acceptStream, .refuseStream:
                break
            }
        }
    }

    /// Tunnels in streams that are not over.
    var openTunnels: Int { stack.ports.count + stack.machine.value.tunnels.count }

    /// The client closes; then all is over, and the record of each exchange is there once.
    func end(sourceLocation: SourceLocation = #_sourceLocation) {
        stack.clientEnded(.orderly, at: now)
        pump()
        let isClosed = stack.isClosed
        #expect(isClosed && open.isEmpty, sourceLocation: sourceLocation)
        checkEnd(of: records, sourceLocation: sourceLocation)
    }

    /// The exchanges that were recorded, in the order of their end.
    var exchanges: [ExchangeRecord] {
        records.compactMap { if case .exchange(let record) = $0 { record } else { nil } }
    }
}
