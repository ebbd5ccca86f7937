package import PinholeCrypto
package import PinholeModel
package import PinholeProxy

/// Drives the stack of a connection, and of its conversation, as drivers would, with peers in memory instead of sockets.
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

    /// The stack that opens the connection, and relays its bytes.
    package var stack: TunnelStack
    /// The stack of the conversation; `nil` before the first request of a client of HTTP/1.
    var conversation: Boxed<ConversationStack>?
    /// The link of the conversation that is connected, or was last.
    var link = LinkID.first
    /// The client.
    package let client: TestPeer
    /// The server that is connected, or was last.
    package internal(set) var server: TestPeer?
    /// The time.
    package var now: Timestamp
    /// How many bytes arrive at once.
    package var chunk = 4096
    /// How many more bytes arrive from the client, and from the server, before nothing more does.
    package var room = (client: Int.max, server: Int.max)
    /// What is dialed.
    package var onDial: (DialTarget) -> Answer = { _ in .fail(DialFailure(.refused, "nobody listens")) }
    /// What is decided about what is asked, at once; nothing is waited for but messages, and there are no files.
    package var onConsult: (Consultation) -> ExchangeDecision? = { question in
        if case .wait(.seconds(30)) = question { nil } else { .proceed }
    }
    /// Questions that have no answer yet, by their numbers.
    package internal(set) var open: [Int: Consultation] = [:]
    /// What was dialed, in order.
    package internal(set) var dialed: [DialTarget] = []
    /// What was minted, in order.
    package internal(set) var minted: [LeafRequest] = []
    /// What was recorded, in order.
    package internal(set) var records: [FlowEvent] = []
    /// What is waited for, at most until then.
    package internal(set) var deadline: (kind: Deadline, at: Timestamp)?
    /// The most bytes that lay in the stack.
    package internal(set) var mostBuffered = 0
    /// Whether the end of the client's connection is a reset.
    package internal(set) var wasReset = false
    /// Whether the end of the server's connection is a reset.
    package internal(set) var wasServerReset = false
    /// The status with which a CONNECT in a stream of HTTP/2 was answered.
    package internal(set) var streamAnswer: Int?
    /// Whether dropping both connections was asked for.
    package internal(set) var wasAborted = false
    /// Whether the server's connection was put into the pool.
    package internal(set) var isServerPooled = false
    /// Logins that were not answered yet.
    package internal(set) var logins: [LoginCheck] = []
    /// Whether logins are answered at once.
    package var verifiesAtOnce = true
    /// Whether minting is answered at once.
    package var mintsAtOnce = true
    /// Whether the conversation of a client of HTTP/2 goes on here, with one server at a time and without tunnels in
    /// streams.
    package var conversesInHTTP2 = false

    let world: TestWorld
    let stackEnvironment: TunnelEnvironment
    let sink = CountingSink()
    let keepsBodies: Bool
    /// When a handshake of the conversation with a server has to be done.
    var handshakeDeadline: Timestamp?
    /// Whether a piece of an answer was read since that was last looked at.
    var hasRead = false
    /// The exchange whose login is verified.
    var loginLane: Lane?
    var isServerConnected = false
    var isClientConnected = true
    var closesClientWhenWritten = false
    var closesServerHalf = false
    var target: DialTarget?
    let pool = Pool()

    /// One idle connection, as the pool of a loop keeps more.
    final class Pool {
        var peer: Boxed<HTTPPeer>?
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
        self.keepsBodies = keepsBodies
        stackEnvironment = try environment ?? world.environment()
        stack = TunnelStack(
            policy: Shared(policy ?? world.policy()),
            environment: stackEnvironment,
            sink: sink,
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
        return conversation?.value.recordSlow(before: moment) ?? false
    }

    /// Whether something goes on that was not recorded yet.
    package var hasUnrecorded: Bool { conversation?.value.hasUnrecorded ?? false }

    /// Answers the question that is open.
    package func decide(_ decision: ExchangeDecision) {
        guard let number = open.keys.max() else { return }
        open[number] = nil
        conversation?.value.decided(Lane(rawValue: number), decision, at: now)
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
        mostBuffered = max(mostBuffered, clientPending + serverPending)
        if moved, !isClosed { advance() }
        perform()
        if isClosed { hangUp() }
        return moved || hasRead
    }

    /// Lets the stack go on with the bytes at hand.
    package func advance() {
        if isConversing { conversation?.value.advance(at: now) } else { stack.advance(at: now) }
    }

    var isConversing: Bool {
        switch conversation {
        case .some: true
        case .none: false
        }
    }

    /// Lets the deadline pass that the stack waits for.
    package func expire() {
        if let end = handshakeDeadline {
            now = max(now, end)
            handshakeDeadline = nil
            conversation?.value.handshakeExpired(link, at: now)
            perform()
            pump()
            return
        }
        guard let deadline else { return }
        now = max(now, deadline.at)
        self.deadline = nil
        if isConversing {
            conversation?.value.expired(deadline.kind, at: now)
        } else {
            stack.expired(deadline.kind, at: now)
        }
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
    package var isClosed: Bool { conversation?.value.isClosed ?? stack.isClosed }

    /// Whether the stack wants to read from `side`.
    package func wantsRead(_ side: Side) -> Bool {
        guard isConversing else {
            return side == .client ? stack.wantsReadFromClient : stack.wantsRead(link)
        }
        return side == .client
            ? conversation?.value.wantsReadFromClient ?? false : conversation?.value.wantsRead(link) ?? false
    }

    /// The bytes that wait to be written to the client.
    package var pendingClientOutput: Int {
        conversation?.value.client.pendingOutput ?? stack.client.pendingOutput
    }

    /// The memory of the bytes that wait in both directions.
    package var queued: Int { conversation?.value.queued ?? stack.queued }

    /// When throttled bytes may go on; `nil` where none wait.
    package var wake: Timestamp? { isConversing ? conversation?.value.wake : stack.wake }

    /// Ends the exchange or the connection with a number.
    ///
    /// - Returns: Whether it went on here.
    package func abort(_ id: Int64) -> Bool {
        defer { perform() }
        return conversation?.value.abort(id, at: now) ?? stack.abort(id, at: now)
    }

    /// Stops the connection when nothing goes on any more.
    package func drain() {
        if isConversing { conversation?.value.drain(at: now) } else { stack.drain(at: now) }
    }

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
        records.body(of: exchange, owner)
    }

    var clientPending: Int {
        isConversing
            ? (conversation?.value.client.pendingInput ?? 0) + (conversation?.value.client.pendingOutput ?? 0)
            : stack.client.pendingInput + stack.client.pendingOutput
    }

    var serverPending: Int {
        if isConversing {
            guard let peer = conversation?.value.links[link] else { return 0 }
            return peer.peer.value.pendingInput + peer.peer.value.pendingOutput
        }
        guard let peer = stack.link(link) else { return 0 }
        return peer.peer.value.pendingInput + peer.peer.value.pendingOutput
    }

    // MARK: Bytes

    func feed(_ side: Side) -> Bool {
        let isConnected = side == .client ? isClientConnected : isServerConnected
        guard isConnected, !isClosed, let peer = side == .client ? client : server else { return false }
        peer.work()
        if !peer.wire.isEmpty {
            let left = side == .client ? room.client : room.server
            guard left > 0, wantsRead(side) else { return false }
            let bytes = peer.wire.prefix(min(chunk, left))
            peer.wire.consume(bytes.count)
            if side == .client { room.client -= bytes.count } else { room.server -= bytes.count }
            now = now + .milliseconds(1)
            receive(bytes, from: side)
            advance()
            return true
        }
        guard let end = peer.pendingEnd, wantsRead(side) || end != .orderly else { return false }
        peer.endWasDelivered()
        now = now + .milliseconds(1)
        ended(side, end)
        return true
    }

    func receive(_ bytes: [UInt8], from side: Side) {
        let count = Int64(bytes.count)
        switch (side, isConversing) {
        case (.client, false):
            stack.client.inbox.append(bytes)
            stack.client.bytesReceived += count
        case (.server, false):
            stack.server?.peer.value.inbox.append(bytes)
            stack.server?.peer.value.bytesReceived += count
        case (.client, true):
            conversation?.value.client.inbox.append(bytes)
            conversation?.value.client.bytesReceived += count
        case (.server, true):
            guard let peer = conversation?.value.links[link] else { return }
            peer.peer.value.inbox.append(bytes)
            peer.peer.value.bytesReceived += count
        }
    }

    func ended(_ side: Side, _ end: CloseKind) {
        switch (side, isConversing) {
        case (.client, false): stack.clientEnded(end, at: now)
        case (.server, false): stack.linkEnded(link, end, at: now)
        case (.client, true): conversation?.value.clientEnded(end, at: now)
        case (.server, true): conversation?.value.linkEnded(link, end, at: now)
        }
    }

    /// Moves up to `limit` bytes that wait for a side.
    func takeOutput(for side: Side, limit: Int) -> ByteQueue {
        var taken = ByteQueue()
        switch (side, isConversing) {
        case (.client, false): stack.client.outbox.move(min(limit, stack.client.outbox.count), to: &taken)
        case (.client, true):
            let count = conversation?.value.client.outbox.count ?? 0
            conversation?.value.client.outbox.move(min(limit, count), to: &taken)
        case (.server, false):
            guard let peer = stack.server else { return taken }
            peer.peer.value.outbox.move(min(limit, peer.peer.value.outbox.count), to: &taken)
        case (.server, true):
            guard let peer = conversation?.value.links[link] else { return taken }
            peer.peer.value.outbox.move(min(limit, peer.peer.value.outbox.count), to: &taken)
        }
        return taken
    }

    func hasOutput(for side: Side) -> Bool {
        switch (side, isConversing) {
        case (.client, false): return !stack.client.outbox.isEmpty
        case (.client, true): return conversation?.value.client.outbox.isEmpty == false
        case (.server, false): return stack.server?.peer.value.outbox.isEmpty == false
        case (.server, true): return conversation?.value.links[link]?.peer.value.outbox.isEmpty == false
        }
    }

    func write() -> Bool {
        var moved = false
        if isClientConnected, client.isReading, hasOutput(for: .client) {
            client.arrived.append(takeOutput(for: .client, limit: chunk).prefix())
            client.work()
            moved = true
        }
        if closesClientWhenWritten, !hasOutput(for: .client) {
            closesClientWhenWritten = false
            client.end(.orderly)
            moved = true
        }
        guard isServerConnected else { return moved }
        if let server, server.isReading, hasOutput(for: .server) {
            server.arrived.append(takeOutput(for: .server, limit: chunk).prefix())
            server.work()
            moved = true
        }
        if closesServerHalf, !hasOutput(for: .server) {
            closesServerHalf = false
            server?.end(.orderly)
            moved = true
        }
        return moved
    }

    func hangUp() {
        if isClientConnected {
            isClientConnected = false
            client.arrived.append(takeOutput(for: .client, limit: .max).prefix())
            client.end(.reset("the proxy closed"))
        }
        closeServer(.reset("the proxy closed"))
    }

    func closeServer(_ kind: CloseKind) {
        guard isServerConnected else { return }
        if let server {
            server.arrived.append(takeOutput(for: .server, limit: .max).prefix())
            server.work()
        }
        isServerConnected = false
        if isConversing { _ = conversation?.value.takeLink(link) } else { _ = stack.takeLink(link) }
        server?.end(kind)
    }

    /// Verifies the first login that was not answered.
    package func answerLogin() {
        guard !logins.isEmpty else { return }
        let check = logins.removeFirst()
        let verdict: LoginVerdict = check.users.verify(check.login) ? .right : .wrong
        guard isConversing, let lane = loginLane else {
            return stack.authenticated(.opening, verdict, at: now)
        }
        conversation?.value.authenticated(lane, verdict, at: now)
    }
}

extension [FlowEvent] {
    /// The captured body, out of the record and its parts.
    package func body(of exchange: ExchangeRecord, _ owner: BodyOwner) -> [UInt8] {
        let message = owner == .request ? exchange.request : exchange.response
        return reduce(into: message?.body.inline ?? []) { bytes, event in
            if case .bodyPart(exchange.id, owner, let part) = event { bytes += part }
            if case .bodyPiece(exchange.id, owner, let part, _) = event { bytes += part }
        }
    }
}
