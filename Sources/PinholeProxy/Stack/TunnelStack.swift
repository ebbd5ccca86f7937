package import PinholeCrypto
package import PinholeModel
import PinholeRules
package import PinholeWire

/// The engines of one tunnel and the machine that decides over them: bytes become meaning here, and
/// meaning bytes.
///
/// It touches no socket and reads no clock.
///
/// The driver puts what came into a side's `inbox` and calls ``advance(at:)``; it writes what lies in
/// the `outbox`es, does what ``actions`` say, and hands ``records`` to the sink. Body bytes pass from
/// one side's queue to the other's without the machine seeing them.
package struct TunnelStack: ~Copyable {
    /// What the driver has to do.
    package enum Action: Sendable, Equatable {
        /// Connect; answered by ``dialed(_:_:at:)`` or ``dialFailed(_:_:at:)``.
        case dial(DialTarget)
        /// Verify a login; answered by ``authenticated(_:at:)``.
        case authenticate(LoginCheck)
        /// Make a leaf; answered by ``minted(_:at:)`` or ``mintFailed(_:at:)``.
        case mint(LeafRequest)
        /// Ask; answered by ``decided(_:_:at:)`` with the same number.
        case consult(Int, Consultation)
        /// Nobody waits for the answer to this question any more.
        case withdraw(Int)
        /// Read a piece of an answer; answered by ``contentRead(_:_:at:)``.
        case read(AnswerContent, Range<Int>)
        /// Take ``server`` and put it into the pool.
        case releaseServer
        /// Close the server's socket, once its outbox is written.
        case closeServer
        /// Write the outbox, then close the client's socket.
        case closeClient
        /// Write the outbox, then close the writing half.
        case closeHalf(Side)
        /// Tell the client, by its stream of HTTP/2, that the tunnel stands.
        case acceptStream
        /// Tell the client, by its stream of HTTP/2, why there is no tunnel.
        case refuseStream(Answer)
        /// Let the close of the client's socket be a reset (RST), and drop what waits for it.
        case resetClient
        /// Let the close of the server's socket be a reset (RST).
        case resetServer
        /// Close both sockets at once.
        case abort
        /// Wait for something at most so long.
        case arm(Deadline, Duration)
        /// Take the seed, and both sides' engines, and let a ``MultiplexStack`` go on.
        case multiplex
    }

    /// What is done with a side's bytes.
    enum Mode: Equatable {
        /// Nothing: they wait.
        case held
        /// The first ones are looked at: TLS to the proxy itself, HTTP/2, or HTTP/1?
        case greeting
        /// They are SOCKS.
        case negotiating
        /// They are looked at: a ClientHello?
        case peeking
        /// They belong to the handshake.
        case handshaking
        /// They are messages.
        case messages
        /// They are passed on unread.
        case relayed
        /// They are thrown away: the side is being closed.
        case ignored
        /// They belong to the next user of the connection, which is on its way to the pool.
        case released
    }

    /// What is done with the rest of a request.
    enum RequestFlow: Equatable {
        /// A head may come.
        case head
        /// The head was taken, the body waits.
        case held
        /// The body goes to the server.
        case forwarded
        /// The body is gathered, for rules that want all of it.
        case gathered
        /// The body is thrown away.
        case discarded
        /// The request was sent to its last byte; the next one waits for the response.
        case sent
    }

    /// Toward the client.
    package var client: PeerStack
    /// Toward the server; `nil` while there is no connection.
    package var server: Boxed<PeerStack>?
    /// What the driver has to do, in order; the driver empties it.
    package var actions: [Action] = []
    /// What is to be recorded, in order; the driver empties it.
    package var records: [FlowEvent] = []

    /// What a multiplexer has to know that goes on from here; `nil` while none is wanted.
    ///
    /// Boxed, since it is large and most tunnels have none.
    var seed: Boxed<MultiplexSeed>?

    var tunnel: Tunnel
    let environment: TunnelEnvironment
    let sink: any FlowSink
    var recorder: ExchangeRecorder
    var clientMode = Mode.greeting
    var serverMode = Mode.held
    var requestFlow = RequestFlow.head
    var dechunksResponse = false
    /// What is done with the messages of the WebSocket that is being opened.
    var messageRules: MessageRules?
    /// What slows the exchange under way, or the relay; `nil` for as fast as it goes.
    var throttle: LineThrottle?
    var serverName: ServerName?
    /// What is known of the connection to the server, where it is TLS.
    package var securedServer: SecuredServer?
    /// The request and the response, where they are held.
    var heldRequest: HeldBody?
    var heldResponse: HeldBody?
    /// The content of the proxy's own answer that is being sent; `nil` for none.
    var outgoing: OutgoingContent?
    /// The number of the question that is open; `nil` where none is.
    var openQuestion: Int?
    var identity: Identity?
    var handshakeStarted = Timestamp(microseconds: 0)
    var clientKey = ""
    var wasAcceptanceNoted = false
    var quietEnd = QuietEnd()
    var answersHead = false
    var wasHelloBegun = false
    var isClientGone = false
    /// Whether the CONNECT came in a stream of HTTP/2 and has no answer yet.
    var isStreamUnanswered = false
    var wasRequestBegun = false
    /// The handshake with the server, under way or finished.
    var serverHandshake: ServerHandshake?
    var earlierServerBytes: Int64 = 0
    var serverBytesAtStart: Int64 = 0
    /// SOCKS with the client; `nil` where it is not spoken.
    var socks: SOCKSAcceptor?
    private var lingering: (pending: Int, since: Timestamp)?
    private var commands: [TunnelCommand] = []
    private var isExecuting = false

    /// Creates the stack of a connection that has just been accepted.
    ///
    /// - Parameters:
    ///   - policy: What decisions depend on.
    ///   - environment: What all tunnels share.
    ///   - sink: Where numbers of exchanges come from.
    ///   - keepsBodies: Whether bodies are captured.
    ///   - flow: The record, with the client's address.
    ///   - clientAddress: The client's address.
    ///   - mode: What the listener is to the client.
    ///   - arrival: Where the connection was going; `nil` where the listener is not transparent.
    package init(
        policy: Shared<ProxyPolicy>,
        environment: TunnelEnvironment,
        sink: any FlowSink,
        keepsBodies: Bool,
        flow: FlowRecord,
        clientAddress: IPAddress,
        mode: ListenerMode = .explicit,
        arrival: Arrival? = nil
    ) {
        self.environment = environment
        self.sink = sink
        client = PeerStack(reading: .requests, limits: policy.value.limits)
        recorder = ExchangeRecorder(policy, keepsBodies: keepsBodies)
        tunnel = Tunnel(
            policy: policy,
            flow: flow,
            clientAddress: clientAddress,
            mode: mode,
            arrival: arrival,
            expectsHTTP2: mode.origin.map { $0.speaksHTTP2 || environment.expectsHTTP2(of: $0.authority) }
                ?? false
        )
    }

    var limits: Limits { @inline(__always) _read { yield tunnel.sharedPolicy.value.limits } }
    var serverPolicy: ServerPolicy { tunnel.policy.servers }
    var nextHops: NextHops { tunnel.policy.nextHops }

    /// Begins.
    package mutating func begin(at now: Timestamp) {
        tunnel.begin(into: &commands)
        execute(at: now)
        guard tunnel.destination != nil else { return }
        // What the client says belongs to its server, which is dialed first.
        clientMode = .held
        handle(.redirected, at: now)
    }

    /// Begins with a CONNECT that came in a stream of HTTP/2, which is the client's line from now on.
    package mutating func begin(with connect: RequestHead, at now: Timestamp) {
        isStreamUnanswered = true
        // The request is whole; bytes that follow it wait for the answer.
        clientMode = .messages
        requestFlow = .sent
        handle(.request(connect), at: now)
        flush(at: now)
    }

    // The questions below are `mutating` for those who hold the stack in a class: to answer others Swift
    // 6.3 copies its 3.5 KB first.

    /// Whether everything is over.
    package var isClosed: Bool { mutating get { tunnel.isClosed } }

    /// Whether the client gets what waits for it, and no more.
    package var isClosing: Bool { mutating get { tunnel.phase == .closing } }

    /// Whether a request waits for the answer of the server at `place`.
    package mutating func waits(for place: Authority) -> Bool { tunnel.waits(for: place) }

    /// Whether more should be read from `side`: its buffers have room, and the other side keeps up.
    package mutating func wantsRead(_ side: Side) -> Bool {
        switch side {
        case .client:
            guard client.owed < limits.outputHighWater else { return false }
            guard clientMode != .ignored else { return true }
            return client.pendingInput < inputLimit(.client) && pendingServerOutput < limits.outputHighWater
        case .server:
            return pendingServerInput < inputLimit(.server) && serverOwed < limits.outputHighWater
                && client.pendingOutput < limits.outputHighWater
        }
    }

    /// How much of a side's input may wait: a head has to come to its end, or to its limit.
    func inputLimit(_ side: Side) -> Int {
        let isReadingHead =
            switch side {
            case .client: client.reader.isReadingHead
            case .server: isServerReadingHead
            }
        return isReadingHead ? limits.headBytes + limits.readSize : limits.readSize
    }

    private var isServerReadingHead: Bool {
        switch server {
        case .some(let peer): peer.value.reader.isReadingHead
        case .none: false
        }
    }

    var pendingServerOutput: Int {
        switch server {
        case .some(let peer): peer.value.pendingOutput
        case .none: 0
        }
    }

    private var serverOwed: Int {
        switch server {
        case .some(let peer): peer.value.owed
        case .none: 0
        }
    }

    private var pendingServerInput: Int {
        switch server {
        case .some(let peer): peer.value.pendingInput
        case .none: 0
        }
    }

    /// Whether so much waits to go out to a side that nothing is taken from the other one.
    package var isFull: Bool {
        mutating get {
            client.pendingOutput >= limits.outputHighWater || pendingServerOutput >= limits.outputHighWater
        }
    }

    /// The memory of the bytes that wait in both directions.
    package var queued: Int {
        mutating get { client.queued + (server?.value.queued ?? 0) }
    }

    /// When what is throttled may go on; `nil` where nothing waits for that.
    package var wake: Timestamp? { mutating get { throttle?.wake } }

    /// Whether bytes wait to be written to a side.
    package var hasPendingOutput: Bool {
        mutating get { client.pendingOutput > 0 || pendingServerOutput > 0 }
    }

    /// Whether bytes came that were not used yet.
    package var hasPendingInput: Bool {
        mutating get { client.pendingInput > 0 || pendingServerInput > 0 || holdsDecrypted }
    }

    /// Whether an engine holds decrypted bytes, since there was no room for them.
    private var holdsDecrypted: Bool {
        mutating get {
            switch server {
            case .some(let peer): client.holdsDecrypted || peer.value.holdsDecrypted
            case .none: client.holdsDecrypted
            }
        }
    }

    // MARK: Inputs

    /// Carries on with everything that can be done with the bytes at hand.
    package mutating func advance(at now: Timestamp) {
        while !isClosed {
            let clientMoved = advanceClient(at: now)
            let serverMoved = advanceServer(at: now)
            guard clientMoved || serverMoved else { break }
        }
        if outgoing != nil { askForContent() }
        flush(at: now)
    }

    /// The stream of a side ended or broke.
    package mutating func ended(_ side: Side, _ kind: CloseKind, at now: Timestamp) {
        switch side {
        case .client: client.ended(kind)
        case .server: server?.value.ended(kind)
        }
        advance(at: now)
    }

    /// A connection to the server stands.
    ///
    /// - Parameters:
    ///   - facts: What is known of it.
    ///   - pooled: Its engines, when it came from the pool.
    ///   - now: The time.
    package mutating func dialed(
        _ facts: DialedServer,
        _ pooled: consuming Boxed<PeerStack>?,
        at now: Timestamp
    ) {
        noteServerBytes()
        let peer = pooled ?? Boxed(PeerStack(reading: .responses, limits: limits))
        serverBytesAtStart = peer.value.bytesReceived
        server = consume peer
        serverMode = .held
        // The name belongs to a handshake; a pooled connection has had its own.
        serverName = nil
        securedServer = facts.secured
        handle(.dialed(facts), at: now)
        advance(at: now)
    }

    /// No connection to the server could be made.
    package mutating func dialFailed(_ failure: DialFailure, _ dials: [DialRecord], at now: Timestamp) {
        handle(.dialFailed(failure, dials), at: now)
        advance(at: now)
    }

    /// The client's login was verified.
    package mutating func authenticated(_ verdict: LoginVerdict, at now: Timestamp) {
        if tunnel.phase == .authenticating { clientMode = .messages }
        handle(.authenticated(verdict), at: now)
        advance(at: now)
    }

    /// The program that made the connection was found out.
    package mutating func identify(_ process: ClientProcess) {
        tunnel.flow.clientProcess = process
        records.append(.clientProcess(tunnel.flow.id, process))
    }

    /// The leaf is there.
    package mutating func minted(_ identity: Identity, at now: Timestamp) {
        self.identity = identity
        handle(.minted, at: now)
        advance(at: now)
    }

    /// What was asked under a number is decided.
    package mutating func decided(_ number: Int, _ decision: Decision, at now: Timestamp) {
        noteDecision(number, decision)
        handle(.decided(number, decision), at: now)
        advance(at: now)
    }

    /// There is no leaf.
    package mutating func mintFailed(_ reason: String, at now: Timestamp) {
        handle(.mintFailed(reason), at: now)
    }

    /// A deadline passed.
    package mutating func expired(_ deadline: Deadline, at now: Timestamp) {
        switch deadline {
        case .handshake(.client) where clientMode == .handshaking || clientMode == .peeking:
            clientHandshakeFailed(nil, at: now)
        case .handshake(.server) where serverMode == .handshaking: serverHandshakeFailed(nil, at: now)
        case .idle where isClientTakingTheRest(at: now): actions.append(.arm(.idle, Tunnel.linger))
        case .idle where failSlowLines(at: now): return advance(at: now)
        case .idle where isRequestStalled:
            handle(.requestStalled, at: now)
            return advance(at: now)
        case .handshake, .head, .idle, .rest: handle(.expired(deadline), at: now)
        }
        flush(at: now)
    }

    /// When the lines that a side has begun (a head, a chunk-size line, trailers) have to be complete; `nil` for none.
    package var linesDeadline: Timestamp? {
        mutating get {
            let client = clientMode == .messages ? client.linesBegan : nil
            let server = serverMode == .messages ? server?.value.linesBegan : nil
            guard let first = client ?? server else { return nil }
            return min(first, server ?? first) + limits.headTimeout
        }
    }

    /// Ends the message whose lines are not complete in time, even if bytes keep coming.
    ///
    /// - Returns: Whether there is one.
    private mutating func failSlowLines(at now: Timestamp) -> Bool {
        // A side that is being closed is not read any more.
        if clientMode == .messages, let failure = client.slowLines(of: .request, limits, at: now) {
            clientMode = .ignored
            handle(.requestFailed(failure), at: now)
            return true
        }
        guard serverMode == .messages,
            let failure = server?.value.slowLines(of: .response, limits, at: now)
        else { return false }
        handle(.responseFailed(failure), at: now)
        if serverMode == .messages { serverMode = .ignored }
        return true
    }

    /// Whether a server that has answered has not taken what came of the rest of the request.
    private var isRequestStalled: Bool {
        tunnel.exchange?.isLingering == true && requestFlow == .forwarded
            && pendingServerOutput >= limits.outputHighWater
    }

    /// Whether the client is still reading what was sent before the end: it may be slow, not idle.
    private mutating func isClientTakingTheRest(at now: Timestamp) -> Bool {
        let pending = client.pendingOutput
        guard tunnel.phase == .closing, pending > 0 else { return false }
        if let known = lingering, known.pending == pending {
            return now - known.since < limits.idleTimeout
        }
        lingering = (pending, now)
        return true
    }

    /// Ends the exchange with a number, or the connection, where it goes on here.
    ///
    /// - Parameters:
    ///   - id: The number of an exchange or a flow.
    ///   - now: The time.
    /// - Returns: Whether it went on here.
    package mutating func abort(_ id: Int64, at now: Timestamp) -> Bool {
        guard !isClosed, recorder.exchangeID?.rawValue == id || tunnel.flow.id.rawValue == id else {
            return false
        }
        handle(.endedByUser, at: now)
        return true
    }

    /// Records the exchange under way as it stands, where it began before `moment` and was not recorded yet.
    ///
    /// - Returns: Whether it is still to be recorded.
    package mutating func recordSlow(before moment: Timestamp) -> Bool {
        recorder.recordSlow(before: moment, into: &records)
        return recorder.isUnrecorded
    }

    /// Whether something goes on that was not recorded yet.
    package var hasUnrecorded: Bool { mutating get { recorder.isUnrecorded } }

    /// The proxy is about to stop.
    package mutating func drain(at now: Timestamp) {
        handle(.drain, at: now)
        flush(at: now)
    }

    /// The settings of hosts were changed.
    ///
    /// - Parameters:
    ///   - isMeant: Whether a server is one of those.
    ///   - now: The time.
    package mutating func retire(_ isMeant: (Authority) -> Bool, at now: Timestamp) {
        guard let authority = tunnel.authority, tunnel.flow.treatment == .intercepted else { return }
        let named = tunnel.serverName.map { Authority(host: $0.host, port: authority.port) }
        guard isMeant(named ?? authority) || isMeant(authority) else { return }
        handle(.retire, at: now)
        flush(at: now)
    }

    /// The proxy stops now.
    package mutating func stop(at now: Timestamp) {
        handle(.stop, at: now)
    }

    /// Hands out the server's engines, for the pool.
    package mutating func takeServer() -> Boxed<PeerStack>? {
        serverMode = .held
        noteServerBytes()
        return server.take()
    }

    /// What a multiplexer has to know that goes on from here.
    mutating func makeSeed(clientSpeaksHTTP2: Bool, _ request: HandedRequest?) -> MultiplexSeed {
        var flow = tunnel.flow
        flow.bytesFromServer = earlierServerBytes
        var hasServer = false
        if case .ready = tunnel.link { hasServer = server != nil && serverMode != .ignored }
        return MultiplexSeed(
            policy: tunnel.sharedPolicy,
            flow: flow,
            clientAddress: tunnel.clientAddress,
            mode: tunnel.mode,
            clientSpeaksHTTP2: clientSpeaksHTTP2,
            authority: tunnel.authority,
            destination: tunnel.destination,
            serverName: tunnel.flow.treatment == .intercepted ? tunnel.serverName : nil,
            secured: tunnel.secured,
            opening: tunnel.opening,
            hasServer: hasServer,
            handshakeEnded: tunnel.handshakeEnded,
            mirrored: tunnel.mirrored,
            clientKey: clientKey,
            request: request
        )
    }

    /// Hands out what a multiplexer has to know that goes on from here; `nil` where none is wanted.
    package mutating func takeSeed() -> MultiplexSeed? { seed.take()?.value }

    /// Hands out the client's engines, for a multiplexer.
    package mutating func takeClient() -> PeerStack {
        var taken = PeerStack(reading: .requests, limits: limits)
        swap(&taken, &client)
        return taken
    }

    private mutating func noteServerBytes() {
        guard let peer = server.take() else { return }
        earlierServerBytes += peer.value.bytesReceived - serverBytesAtStart
        serverBytesAtStart = peer.value.bytesReceived
        server = consume peer
    }

    // MARK: The machine

    mutating func handle(_ event: TunnelEvent, at now: Timestamp) {
        tunnel.handle(event, at: now, into: &commands)
        execute(at: now)
    }

    private mutating func execute(at now: Timestamp) {
        // What a command causes is handled after it, in order: the list may grow while it is walked.
        guard !isExecuting else { return }
        isExecuting = true
        defer { isExecuting = false }
        var index = 0
        while index < commands.count {
            // Taken out: to hand on a copy would count every reference in it twice.
            var command = TunnelCommand.awaitRequest
            swap(&command, &commands[index])
            execute(command, at: now)
            index += 1
        }
        commands.removeAll(keepingCapacity: true)
    }

    private mutating func flush(at now: Timestamp) {
        do throws(TLSFailure) {
            try client.flush()
        } catch {
            handle(.closed(.client, .reset(error.detail)), at: now)
        }
        do throws(TLSFailure) {
            try server?.value.flush()
        } catch {
            handle(.closed(.server, .reset(error.detail)), at: now)
        }
    }
}
