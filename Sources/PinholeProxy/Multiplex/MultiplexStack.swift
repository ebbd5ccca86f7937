import PinholeCrypto
import PinholeHTTP2
package import PinholeModel
package import PinholeWire

/// The engines of a tunnel in which HTTP/2 is spoken, and the machine that decides over them.
///
/// Like ``TunnelStack`` it touches no socket and reads no clock: the driver puts what came into inboxes,
/// calls ``advance(at:)``, writes what lies in outboxes, does what ``actions`` say, and hands ``records``
/// on. Each side speaks its own version; bodies pass from queue to queue.
package struct MultiplexStack: ~Copyable {
    /// What the driver has to do.
    package enum Action: Sendable, Equatable {
        /// Connect; answered by ``dialed(_:_:at:)`` or ``dialFailed(_:_:_:at:)``.
        case dial(LinkID, DialTarget)
        /// Verify a login; answered by ``authenticated(_:_:at:)``.
        case authenticate(Lane, LoginCheck)
        /// Ask; answered by ``decided(_:_:at:)``.
        case consult(Lane, Consultation)
        /// Nobody waits for the answer any more.
        case withdraw(Lane)
        /// Read a piece of an answer; answered by ``contentRead(_:_:_:at:)``.
        case read(Lane, AnswerContent, Range<Int>)
        /// Write the outbox, as far as that goes at once, then close the socket.
        case closeLink(LinkID)
        /// Open a tunnel whose client is a stream: ``accept(_:)``, ``refuse(_:_:)`` or ``decline(_:at:)`` it.
        case openTunnel(Lane, RequestHead)
        /// Let a tunnel read from its stream, and write to it: something came, or there is room again.
        case stirTunnel(Lane)
        /// Write the outbox, then close the client's socket.
        case closeClient
        /// Close all sockets at once.
        case abort
        /// Call ``expired(at:)`` when nothing moved for so long.
        case arm(Duration)
        /// Call ``handshakeExpired(_:at:)`` after so long.
        case armHandshake(LinkID, Duration)
        /// The handshake is over.
        case disarmHandshake(LinkID)
    }

    /// Toward the client.
    package var client: PeerStack
    /// Toward servers.
    package private(set) var links: [LinkID: LinkStack] = [:]
    /// What the driver has to do, in order; the driver empties it.
    package var actions: [Action] = []
    /// What is to be recorded, in order; the driver empties it.
    package var records: [FlowEvent] = []

    var machine: Multiplexer
    /// `nil` where the client speaks HTTP/1.
    let session: HTTP2Session?
    var lanes: [Lane: LaneState] = [:]
    /// The lanes that are throttled.
    var throttled: Set<Lane> = []
    /// The lanes that get an answer whose content is read as it is sent.
    var answering: Set<Lane> = []
    /// Tunnels in streams.
    var ports: [Lane: StreamPort] = [:]
    /// A client of HTTP/1: the exchange whose request is being read, or whose response is awaited.
    var current: LaneState?
    var clientIsIgnored = false
    /// A client of HTTP/1 whose response broke off: its end must not look like a proper one.
    var isClientCut = false
    var isClientEndTold = false
    /// Whether the client sent anything since the handshake.
    var hasClientSpoken = false
    let environment: TunnelEnvironment
    let sink: any FlowSink
    let keepsBodies: Bool
    let streamLimits: HTTP2Limits
    let seed: MultiplexSeed
    private var wasAcceptanceNoted = false
    var quietEnd = QuietEnd()
    private var earlierServerBytes: Int64
    private var nextLane = 0
    private var commands: [MultiplexCommand] = []
    private var isExecuting = false

    /// Takes over from a tunnel.
    ///
    /// - Parameters:
    ///   - seed: What it knows.
    ///   - client: Its engines toward the client.
    ///   - server: Its engines toward the server, if that can take requests.
    ///   - environment: What all tunnels share.
    ///   - sink: Where numbers of exchanges come from.
    ///   - keepsBodies: Whether bodies are captured.
    package init(
        _ seed: MultiplexSeed,
        client: consuming PeerStack,
        server: consuming Boxed<PeerStack>?,
        environment: TunnelEnvironment,
        sink: any FlowSink,
        keepsBodies: Bool
    ) {
        self.seed = seed
        self.client = client
        self.environment = environment
        self.sink = sink
        self.keepsBodies = keepsBodies
        streamLimits = HTTP2Limits()
        earlierServerBytes = 0
        machine = Multiplexer(seed)
        session =
            seed.clientSpeaksHTTP2
            ? HTTP2Session(.server, settings: HTTP2Settings(limits: streamLimits), limits: streamLimits) : nil
        if let server {
            links[Multiplexer.firstLink] = LinkStack(
                Multiplexer.firstLink,
                server,
                secured: seed.secured
            )
        }
    }

    var limits: Limits { @inline(__always) _read { yield seed.policy.value.limits } }
    var serverPolicy: ServerPolicy { seed.policy.value.servers }
    var nextHops: NextHops { seed.policy.value.nextHops }

    /// Begins.
    package mutating func begin(at now: Timestamp) {
        machine.begin(into: &commands)
        execute(at: now)
        if let request = seed.request { take(request, at: now) }
        advance(at: now)
    }

    /// Whether everything is over.
    package var isClosed: Bool { mutating get { machine.isClosed } }

    /// Whether a request waits for the answer of the server at `place`.
    package mutating func waits(for place: Authority) -> Bool { machine.waits(for: place) }

    /// Whether the client gets what waits for it, and no more.
    package var isClosing: Bool { mutating get { machine.isClosing } }

    /// Whether more should be read from the client.
    ///
    /// Bodies are held back by flow control, stream by stream; this bounds what is owed to the client.
    package var wantsReadFromClient: Bool {
        mutating get {
            if clientIsIgnored { return true }
            let inputLimit = session == nil ? limits.headBytes + limits.readSize : limits.readSize
            return client.pendingInput < inputLimit && client.pendingOutput < limits.outputHighWater
        }
    }

    /// Whether more should be read from a server.
    package mutating func wantsRead(_ id: LinkID) -> Bool {
        guard let link = links[id] else { return false }
        guard link.peer.value.owed < limits.outputHighWater else { return false }
        let pending = link.peer.value.pendingInput
        if link.mode == .http1 { return pending < limits.headBytes + limits.readSize }
        return pending < limits.readSize && link.peer.value.pendingOutput < limits.outputHighWater
    }

    /// Whether something waits that room in an outbox sets free.
    package var hasMoreToDo: Bool {
        mutating get {
            client.pendingInput > 0 || session?.hasOutput == true
                || links.values.contains {
                    $0.peer.value.pendingInput > 0 || $0.session?.hasOutput == true
                }
        }
    }

    /// Whether so much waits to go out to a side that nothing is taken for it from the other one.
    package var isFull: Bool {
        mutating get {
            client.pendingOutput >= limits.outputHighWater
                || links.values.contains { $0.peer.value.pendingOutput >= limits.outputHighWater }
        }
    }

    /// The memory of the bytes that wait in both directions.
    package var queued: Int {
        mutating get {
            links.values.reduce(client.queued + (session?.queued ?? 0)) {
                $0 + $1.peer.value.queued + ($1.session?.queued ?? 0)
            }
        }
    }

    /// Whether bytes wait to be written to a side, or lie in the queues of its streams.
    package var hasPendingOutput: Bool {
        mutating get {
            client.pendingOutput > 0 || session?.queued ?? 0 > 0
                || links.values.contains { $0.peer.value.pendingOutput > 0 || $0.session?.queued ?? 0 > 0 }
        }
    }

    /// Whether the queues of the proxy are so full that this connection must accept no more bytes.
    ///
    /// The proxy still reads the sockets of HTTP/2, since their frames say which streams may continue. But
    /// the streams hold less, and peers get no credit for more than that.
    package var isShort = false {
        didSet {
            guard isShort != oldValue else { return }
            session?.isShort = isShort
            for link in links.values { link.session?.isShort = isShort }
        }
    }

    /// Whether the client speaks HTTP/2.
    package var clientSpeaksHTTP2: Bool { mutating get { session != nil } }

    /// Whether a server speaks HTTP/2.
    package mutating func speaksHTTP2(_ id: LinkID) -> Bool { links[id]?.session != nil }

    // MARK: Inputs

    /// Carries on with everything that can be done with the bytes at hand.
    package mutating func advance(at now: Timestamp) {
        while !isClosed {
            var moved = advanceClient(at: now)
            for link in links.values { moved = advance(link, at: now) || moved }
            if !throttled.isEmpty { passThrottled(at: now) }
            if !answering.isEmpty { askForContent() }
            // An HTTP/1 client has no stream that reports new room, so the stack looks here.
            if session == nil, let current { passResponse(current, at: now) }
            moved = writeFrames(at: now) || moved
            guard moved else { break }
        }
        flush(at: now)
    }

    /// The client's stream ended or broke.
    package mutating func clientEnded(_ kind: CloseKind, at now: Timestamp) {
        client.ended(kind)
        advance(at: now)
    }

    /// A server's stream ended or broke.
    package mutating func linkEnded(_ id: LinkID, _ kind: CloseKind, at now: Timestamp) {
        links[id]?.peer.value.ended(kind)
        advance(at: now)
    }

    /// A connection to a server stands.
    ///
    /// - Parameters:
    ///   - id: The number of the link.
    ///   - facts: What is known of it.
    ///   - peer: Its engines, where something was said on it already.
    ///   - now: The time.
    package mutating func dialed(
        _ id: LinkID,
        _ facts: DialedServer,
        _ peer: consuming Boxed<PeerStack>? = nil,
        at now: Timestamp
    ) {
        links[id] = LinkStack(id, peer ?? Boxed(PeerStack(reading: .responses, limits: limits)))
        handle(.dialed(id, facts), at: now)
        advance(at: now)
    }

    /// No connection to a server could be made.
    package mutating func dialFailed(
        _ id: LinkID,
        _ failure: DialFailure,
        _ dials: [DialRecord],
        at now: Timestamp
    ) {
        handle(.dialFailed(id, failure, dials), at: now)
        advance(at: now)
    }

    /// The login that came with an exchange was verified.
    package mutating func authenticated(_ lane: Lane, _ verdict: LoginVerdict, at now: Timestamp) {
        handle(.authenticated(lane, verdict), at: now)
        advance(at: now)
    }

    /// What was asked about an exchange is decided.
    package mutating func decided(_ lane: Lane, _ decision: Decision, at now: Timestamp) {
        noteDecision(lane, decision)
        handle(.decided(lane, decision), at: now)
        advance(at: now)
    }

    /// The program that made the connection was found out.
    package mutating func identify(_ process: ClientProcess) {
        machine.flow.clientProcess = process
        records.append(.clientProcess(machine.flow.id, process))
    }

    /// A server took too long over its handshake.
    package mutating func handshakeExpired(_ id: LinkID, at now: Timestamp) {
        guard let link = links[id], link.mode == .handshaking else { return }
        handshakeFailed(link, nil, at: now)
        advance(at: now)
    }

    /// Nothing moved for as long as was asked for.
    package mutating func expired(at now: Timestamp) {
        if failSlowLines(at: now) {
            // Other streams of the connection continue.
        } else if let current, current.downward.isDone, !current.upward.hasEnded, !current.discardsRequest,
            !serverHasRoom(current)
        {
            handle(.requestStalled(current.lane), at: now)
        } else {
            handle(.expired, at: now)
        }
        advance(at: now)
    }

    /// When the lines that a side has begun (a head, a chunk-size line, trailers) have to be complete; `nil` for none.
    package var linesDeadline: Timestamp? {
        mutating get {
            var began = clientIsIgnored ? nil : client.linesBegan
            for link in links.values where link.mode != .ignored {
                guard let other = link.peer.value.linesBegan else { continue }
                began = min(began ?? other, other)
            }
            return began.map { $0 + limits.headTimeout }
        }
    }

    /// Ends the message whose lines are not complete in time, even if bytes keep coming.
    ///
    /// - Returns: Whether there is such a message.
    private mutating func failSlowLines(at now: Timestamp) -> Bool {
        // A side that is being closed is not read any more.
        if !clientIsIgnored, let failure = client.slowLines(of: .request, limits, at: now) {
            clientIsIgnored = true
            handle(.clientFailed(failure.detail), at: now)
            return true
        }
        var hasFailed = false
        for link in links.values where link.mode != .ignored {
            guard let failure = link.peer.value.slowLines(of: .response, limits, at: now) else { continue }
            link.mode = .ignored
            handle(.linkClosed(link.id, .reset(failure.detail)), at: now)
            hasFailed = true
        }
        if hasFailed { actions.append(.arm(limits.idleTimeout)) }
        return hasFailed
    }

    /// Whether what the client sends means that it is not idle.
    ///
    /// Frames of HTTP/2 that belong to no exchange (PING, SETTINGS) do not prolong a connection on which nothing is
    /// asked; while something is, they show that the client still waits for it.
    package var isInUse: Bool {
        mutating get { machine.isInUse || session == nil && current != nil }
    }

    /// Grows with each request and with each byte of a body that the client sends by HTTP/2.
    package var progress: Int {
        mutating get { machine.flow.exchanges &+ (session?.bodyBytesReceived ?? 0) }
    }

    /// Ends the exchange with a number, or the connection with all of them, where it goes on here.
    ///
    /// - Parameters:
    ///   - id: The number of an exchange or a flow.
    ///   - now: The time.
    /// - Returns: Whether it went on here.
    package mutating func abort(_ id: Int64, at now: Timestamp) -> Bool {
        let lane = lanes.first { $0.value.recorder.exchangeID?.rawValue == id }?.key
        guard !isClosed, lane != nil || machine.flow.id.rawValue == id else { return false }
        handle(.endedByUser(lane), at: now)
        advance(at: now)
        return true
    }

    /// Records the exchanges that began before `moment` and were not recorded yet, as they stand.
    ///
    /// - Returns: Whether there are others.
    package mutating func recordSlow(before moment: Timestamp) -> Bool {
        for lane in lanes.values { lane.recorder.recordSlow(before: moment, into: &records) }
        return hasUnrecorded
    }

    /// Whether something goes on that was not recorded yet.
    package var hasUnrecorded: Bool {
        mutating get { lanes.values.contains { $0.recorder.isUnrecorded } }
    }

    /// The proxy is about to stop.
    package mutating func drain(at now: Timestamp) {
        handle(.drain, at: now)
        advance(at: now)
    }

    /// Retires the connection if the settings of its host have changed.
    ///
    /// - Parameters:
    ///   - isMeant: Whether the settings of a server have changed.
    ///   - now: The time.
    package mutating func retire(_ isMeant: (Authority) -> Bool, at now: Timestamp) {
        guard let authority = seed.authority, machine.flow.treatment == .intercepted else { return }
        let named = seed.serverName.map { Authority(host: $0.host, port: authority.port) }
        guard isMeant(named ?? authority) || isMeant(authority) else { return }
        handle(.retire, at: now)
        advance(at: now)
    }

    /// The proxy stops now.
    package mutating func stop(at now: Timestamp) {
        handle(.stop, at: now)
    }

    /// Hands out the engines of a link that was closed.
    package mutating func takeLink(_ id: LinkID) -> LinkStack? {
        guard let link = links.removeValue(forKey: id) else { return nil }
        earlierServerBytes += link.bytesReceived
        return link
    }

    // MARK: The machine

    mutating func handle(_ event: MultiplexEvent, at now: Timestamp) {
        machine.handle(event, at: now, into: &commands)
        execute(at: now)
    }

    private mutating func execute(at now: Timestamp) {
        // What a command causes is handled after it, in order: the list may grow while it is walked.
        guard !isExecuting else { return }
        isExecuting = true
        defer { isExecuting = false }
        var index = 0
        while index < commands.count {
            execute(commands[index], at: now)
            index += 1
        }
        commands.removeAll(keepingCapacity: true)
    }

    /// Remembers that this client accepts our certificate for this host: it has sent a request.
    mutating func noteAcceptance(at now: Timestamp) {
        guard !wasAcceptanceNoted, seed.handshakeEnded != nil, let host = seed.serverName?.host else {
            return
        }
        wasAcceptanceNoted = true
        environment.noteAcceptance(by: seed.clientKey, of: host)
        sink.noteRequest(of: machine.flow, at: now)
    }

    /// The number of the next exchange of a client of HTTP/1.
    mutating func newLane() -> Lane {
        nextLane += 1
        return Lane(rawValue: nextLane)
    }

    /// The flow with the bytes that came until now.
    func counted(_ flow: FlowRecord) -> FlowRecord {
        var flow = flow
        flow.bytesFromClient = client.bytesReceived
        flow.bytesFromServer =
            seed.flow.bytesFromServer + earlierServerBytes
            + links.values.reduce(0) { $0 + $1.bytesReceived }
        return flow
    }

    // MARK: Output

    /// Writes frames into outboxes that have room.
    ///
    /// - Returns: Whether there were any: a stream may have room again for what waits.
    private mutating func writeFrames(at now: Timestamp) -> Bool {
        var moved = false
        if let session { moved = client.write(session, limit: limits.outputHighWater) }
        for link in links.values {
            guard let session = link.session else { continue }
            moved = link.peer.value.write(session, limit: limits.outputHighWater) || moved
        }
        return moved
    }

    private mutating func flush(at now: Timestamp) {
        do throws(TLSFailure) {
            try client.flush()
        } catch {
            handle(.clientClosed(.reset(error.detail), sentData: true), at: now)
        }
        for link in links.values {
            do throws(TLSFailure) {
                try link.peer.value.flush()
            } catch {
                handle(.linkClosed(link.id, .reset(error.detail)), at: now)
            }
        }
    }
}

extension PeerStack {
    /// Takes frames while less than `limit` bytes wait to go out.
    ///
    /// - Returns: Whether there were any.
    fileprivate mutating func write(_ session: HTTP2Session, limit: Int) -> Bool {
        guard session.hasOutput, pendingOutput < limit else { return false }
        let before = pendingOutput
        sendFrames(of: session, limit: limit)
        return pendingOutput > before
    }
}
