package import PinholeCrypto
package import PinholeModel
package import PinholeProxy

/// Drives a stack as a driver would, with peers in memory instead of sockets.
///
/// ``pump()`` moves bytes in pieces of ``chunk`` until nothing moves any more; time goes on by a
/// millisecond with each piece.
package final class StackHarness {
    /// What becomes of a dial.
    package enum Answer {
        /// A connection to this peer.
        case connect(TestPeer)
        /// No connection.
        case fail(DialFailure)
        /// No answer yet.
        case wait
    }

    /// The stack.
    package var stack: TunnelStack
    /// The client.
    package let client: TestPeer
    /// The server that is connected, or was last.
    package private(set) var server: TestPeer?
    /// The time.
    package var now: Timestamp
    /// How many bytes arrive at once.
    package var chunk = 4096
    /// What is dialed.
    package var onDial: (DialTarget) -> Answer = { _ in .fail(DialFailure(.refused, "nobody listens")) }
    /// What is decided about what is asked, at once; nothing is waited for but messages, and there are no files.
    package var onConsult: (Consultation) -> Decision? = { question in
        if case .wait(.seconds(30)) = question { nil } else { .proceed }
    }
    /// Questions that have no answer yet, by their numbers.
    package private(set) var open: [Int: Consultation] = [:]
    /// What was dialed, in order.
    package private(set) var dialed: [DialTarget] = []
    /// What was minted, in order.
    package private(set) var minted: [LeafRequest] = []
    /// What was recorded, in order.
    package private(set) var records: [FlowEvent] = []
    /// What is waited for, at most until then.
    package private(set) var deadline: (kind: Deadline, at: Timestamp)?
    /// The most bytes that lay in the stack.
    package private(set) var mostBuffered = 0
    /// Whether the end of the client's connection is a reset.
    package private(set) var wasReset = false
    /// Whether the end of the server's connection is a reset.
    package private(set) var wasServerReset = false
    /// The status with which a CONNECT in a stream of HTTP/2 was answered.
    package private(set) var streamAnswer: Int?
    /// Whether dropping both connections was asked for.
    package private(set) var wasAborted = false
    /// Whether the server's connection was put into the pool.
    package private(set) var isServerPooled = false
    /// Logins that were not answered yet.
    package private(set) var logins: [LoginCheck] = []
    /// Whether logins are answered at once.
    package var verifiesAtOnce = true
    /// Whether minting is answered at once.
    package var mintsAtOnce = true

    private let world: TestWorld
    /// Whether a piece of an answer was read since that was last looked at.
    private var hasRead = false
    private var isServerConnected = false
    private var isClientConnected = true
    private var closesClientWhenWritten = false
    private var closesServerHalf = false
    private var target: DialTarget?
    private let pool = Pool()

    /// One idle connection, as the pool of a loop keeps more.
    private final class Pool {
        var peer: Boxed<PeerStack>?
        var other: TestPeer?
        var facts = DialedServer(address: "")
        var target: DialTarget?
    }

    /// Creates a stack for one client.
    package init(
        _ world: TestWorld,
        policy: ProxyPolicy? = nil,
        environment: TunnelEnvironment? = nil,
        client: TestPeer = TestPeer(),
        keepsBodies: Bool = true,
        begins: Bool = true
    ) throws {
        self.world = world
        self.client = client
        now = world.now
        let loopback = IPAddress("127.0.0.1")
        guard let loopback else { preconditionFailure("127.0.0.1 is an address") }
        stack = TunnelStack(
            policy: Shared(policy ?? world.policy()),
            environment: try environment ?? world.environment(),
            sink: CountingSink(),
            keepsBodies: keepsBodies,
            flow: FlowRecord(
                id: FlowID(rawValue: 0),
                opened: world.now,
                client: "127.0.0.1:50000",
                listener: "127.0.0.1:8080"
            ),
            clientAddress: loopback
        )
        if begins { stack.begin(at: now) }
        collect()
    }

    /// Records what began before `moment`, and tells whether something is still to be recorded.
    package func recordSlow(before moment: Timestamp) -> Bool {
        defer { collect() }
        return stack.recordSlow(before: moment)
    }

    /// Whether something goes on that was not recorded yet.
    package var hasUnrecorded: Bool { stack.hasUnrecorded }

    /// Answers the question that is open.
    package func decide(_ decision: Decision) {
        guard let number = open.keys.max() else { return }
        open[number] = nil
        stack.decided(number, decision, at: now)
        pump()
    }

    /// Moves everything that moves.
    ///
    /// - Returns: Whether it came to rest; `false` is a livelock.
    @discardableResult
    package func pump() -> Bool {
        for _ in 0..<4_000_000 {
            let moved = step()
            if !moved { return true }
        }
        return false
    }

    /// Moves one piece in each direction.
    ///
    /// - Returns: Whether anything moved.
    package func step() -> Bool {
        perform()
        var moved = hasRead
        hasRead = false
        moved = feed(.client) || moved
        perform()
        moved = feed(.server) || moved
        perform()
        moved = write() || moved
        let buffered =
            stack.client.pendingInput + stack.client.pendingOutput + serverPending
        mostBuffered = max(mostBuffered, buffered)
        if moved, !stack.isClosed { stack.advance(at: now) }
        perform()
        if stack.isClosed { hangUp() }
        return moved || hasRead
    }

    /// Lets the deadline pass that the stack waits for.
    package func expire() {
        guard let deadline else { return }
        now = max(now, deadline.at)
        self.deadline = nil
        stack.expired(deadline.kind, at: now)
        perform()
        pump()
    }

    /// Answers the last dial that was left open.
    package func answerDial(_ answer: Answer) {
        settle(answer)
        perform()
        pump()
    }

    /// Lets time go by.
    package func advance(by duration: Duration) { now = now + duration }

    /// Whether everything is over.
    package var isClosed: Bool { stack.isClosed }

    /// Whether the stack wants to read from `side`.
    package func wantsRead(_ side: Side) -> Bool { stack.wantsRead(side) }

    /// The flow as it was last recorded.
    package var flow: FlowRecord? {
        for case .flow(let flow) in records.reversed() { return flow }
        return nil
    }

    /// The exchanges that ended, in order.
    package var exchanges: [ExchangeRecord] { allExchanges.filter { $0.outcome != nil } }

    /// Every record of an exchange, also of one that goes on, in order.
    package var allExchanges: [ExchangeRecord] {
        records.compactMap { event in
            guard case .exchange(let record) = event else { return nil }
            return record
        }
    }

    /// The messages of WebSockets, in the order of their ends.
    package var messages: [WebSocketMessage] {
        records.compactMap { event in
            guard case .webSocketMessage(let message) = event else { return nil }
            return message
        }
    }

    /// The captured body, out of the record and its parts.
    package func body(of exchange: ExchangeRecord, _ owner: BodyOwner) -> [UInt8] {
        let message = owner == .request ? exchange.request : exchange.response
        return records.reduce(into: message?.body.inline ?? []) { bytes, event in
            if case .bodyPart(exchange.id, owner, let part) = event { bytes += part }
            if case .bodyPiece(exchange.id, owner, let part, _) = event { bytes += part }
        }
    }

    private var serverPending: Int {
        switch stack.server {
        case .some(let peer): peer.value.pendingInput + peer.value.pendingOutput
        case .none: 0
        }
    }

    // MARK: Bytes

    private func feed(_ side: Side) -> Bool {
        let isConnected = side == .client ? isClientConnected : isServerConnected
        guard isConnected, !stack.isClosed, let peer = side == .client ? client : server else { return false }
        peer.work()
        if !peer.wire.isEmpty {
            guard stack.wantsRead(side) else { return false }
            let bytes = peer.wire.prefix(chunk)
            peer.wire.consume(bytes.count)
            now = now + .milliseconds(1)
            if side == .client {
                stack.client.inbox.append(bytes)
                stack.client.bytesReceived += Int64(bytes.count)
            } else {
                stack.server?.value.inbox.append(bytes)
                stack.server?.value.bytesReceived += Int64(bytes.count)
            }
            stack.advance(at: now)
            return true
        }
        guard let end = peer.pendingEnd, stack.wantsRead(side) || end != .orderly else { return false }
        peer.endWasDelivered()
        now = now + .milliseconds(1)
        stack.ended(side, end, at: now)
        return true
    }

    private func write() -> Bool {
        var moved = false
        if isClientConnected, client.isReading, !stack.client.outbox.isEmpty {
            stack.client.outbox.move(min(chunk, stack.client.outbox.count), to: &client.arrived)
            client.work()
            moved = true
        }
        if closesClientWhenWritten, stack.client.outbox.isEmpty {
            closesClientWhenWritten = false
            client.end(.orderly)
            moved = true
        }
        guard isServerConnected, let peer = stack.server.take() else { return moved }
        if let server, server.isReading, !peer.value.outbox.isEmpty {
            peer.value.outbox.move(min(chunk, peer.value.outbox.count), to: &server.arrived)
            server.work()
            moved = true
        }
        if closesServerHalf, peer.value.outbox.isEmpty {
            closesServerHalf = false
            server?.end(.orderly)
            moved = true
        }
        stack.server = consume peer
        return moved
    }

    private func hangUp() {
        if isClientConnected {
            isClientConnected = false
            stack.client.outbox.move(stack.client.outbox.count, to: &client.arrived)
            client.end(.reset("the proxy closed"))
        }
        closeServer(.reset("the proxy closed"))
    }

    private func closeServer(_ kind: CloseKind) {
        guard isServerConnected else { return }
        isServerConnected = false
        if let peer = stack.takeServer(), let server {
            peer.value.outbox.move(peer.value.outbox.count, to: &server.arrived)
            server.work()
        }
        server?.end(kind)
    }

    /// Verifies the first login that was not answered.
    package func answerLogin() {
        guard !logins.isEmpty else { return }
        let check = logins.removeFirst()
        stack.authenticated(check.users.verify(check.login) ? .right : .wrong, at: now)
    }

    // MARK: Actions

    private func perform() {
        var index = 0
        while index < stack.actions.count {
            perform(stack.actions[index])
            index += 1
        }
        stack.actions.removeAll()
        collect()
    }

    private func collect() {
        records += stack.records
        stack.records.removeAll()
    }

    private func perform(_ action: TunnelStack.Action) {
        switch action {
        case .dial(let target):
            dialed.append(target)
            self.target = target
            if target.mayReuse, let peer = pool.peer.take(), pool.target == target {
                server = pool.other
                isServerConnected = true
                isServerPooled = false
                return stack.dialed(pool.facts, peer, at: now)
            }
            settle(onDial(target))
        case .mint(let request):
            minted.append(request)
            guard mintsAtOnce else { return }
            do throws(CryptoFailure) {
                stack.minted(try world.proxyMinter.mint(request, now: world.now), at: now)
            } catch {
                stack.mintFailed(error.description, at: now)
            }
        case .authenticate(let check):
            logins.append(check)
            if verifiesAtOnce { answerLogin() }
        case .consult(let number, let question):
            if let decision = onConsult(question) {
                stack.decided(number, decision, at: now)
            } else {
                open[number] = question
            }
        case .withdraw(let number): open[number] = nil
        case .read(let content, let range):
            hasRead = true
            stack.contentRead(content, content.read(range), at: now)
        case .releaseServer: releaseServer()
        case .closeServer: closeServer(.orderly)
        case .closeClient, .closeHalf(.client): closesClientWhenWritten = true
        case .closeHalf(.server): closesServerHalf = true
        case .resetClient: wasReset = true
        case .acceptStream: streamAnswer = 200
        case .refuseStream(let answer): streamAnswer = answer.status
        case .resetServer: wasServerReset = true
        case .abort: wasAborted = true
        case .arm(let kind, let duration): deadline = (kind, now + duration)
        case .multiplex: break  // A harness of its own goes on.
        }
    }

    private func settle(_ answer: Answer) {
        switch answer {
        case .connect(let peer):
            server = peer
            isServerConnected = true
            closesServerHalf = false
            var facts = DialedServer(address: "192.0.2.1:443")
            facts.resolve = .milliseconds(1)
            facts.connect = .milliseconds(1)
            facts.dials = [
                DialRecord(
                    address: facts.address,
                    started: now,
                    duration: .milliseconds(1),
                    failure: nil
                )
            ]
            stack.dialed(facts, nil, at: now)
        case .fail(let failure): stack.dialFailed(failure, [], at: now)
        case .wait: break
        }
    }

    private func releaseServer() {
        guard isServerConnected, let peer = stack.takeServer() else { return }
        isServerConnected = false
        guard peer.value.pendingOutput == 0, peer.value.isStillIdle(limit: 1 << 16), server?.pendingEnd == nil
        else {
            server?.end(.orderly)
            return
        }
        pool.facts = DialedServer(address: "192.0.2.1:443")
        pool.facts.isReused = true
        pool.facts.secured = stack.securedServer
        pool.other = server
        var key = target
        key?.mayReuse = true
        pool.target = key
        pool.peer = consume peer
        isServerPooled = true
    }
}
