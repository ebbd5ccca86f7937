import PinholeCrypto
import PinholeHTTP2
package import PinholeModel
import PinholeWire

/// The engines of a connection whose messages are read, and the machine that decides over them.
///
/// Like ``TunnelStack``, it has no socket and reads no clock. The driver puts received bytes into inboxes and calls
/// ``advance(at:)``. Then it writes the outboxes, carries out ``driverCommands``, and passes ``records`` on. Each side speaks
/// its own version of HTTP; bodies move from queue to queue.
package struct ConversationStack: ~Copyable {
    /// The engines toward the client.
    package var client: HTTPPeer
    /// The engines toward servers.
    package private(set) var links: NumberedTable<LinkID, LinkStack> = [:]
    /// The driver's work, in order; the driver empties the list.
    package var driverCommands: [DriverCommand] = []
    /// The new records, in order; the driver empties the list.
    package var records: [FlowEvent] = []

    // The large parts are boxed: for each instruction on the stack, the compiler counts all fields of its parts.
    let machine: Boxed<Conversation>
    let recorded: Boxed<FlowRecord>
    /// Whether the connection has ended.
    package private(set) var isClosed = false
    /// Whether the client gets only the bytes that already wait for it.
    package internal(set) var isClosing = false
    /// The number of exchanges that have begun.
    var exchangesBegun = 0
    /// The server of the last request of HTTP/2.
    var lastServer = LastStreamServer()
    /// The servers whose requests are sent to a proxy, by the links that are dialed to that proxy.
    var forwarded: [LinkID: Authority] = [:]
    var lanes: NumberedTable<Lane, LaneState> = [:]
    var throttled: Set<Lane> = []
    /// The lanes with an answer whose content is read while it is sent.
    var answering: Set<Lane> = []
    /// The tunnels in streams.
    var ports: [Lane: StreamPort] = [:]
    /// For a client of HTTP/1: the exchange whose request is being read, or whose response is awaited.
    var current: LaneState?
    var clientIsIgnored = false
    /// Whether the bytes of a client of HTTP/2 wait for the settings of its server.
    var isClientHeld = false
    /// Whether the client has sent GOAWAY, so that its connection ends with its last stream.
    var clientIsLeaving = false
    /// Whether the response to a client of HTTP/1 broke off, so that the end of its connection must not look proper.
    var isClientCut = false
    var isClientEndReported = false
    /// Whether the end of a client whose bytes are ignored was reported.
    var isClientGone = false
    /// Whether a part of the next request head of a client of HTTP/1 has arrived.
    var wasRequestBegun = false
    /// Whether the client has sent anything since the handshake.
    var hasClientSpoken = false
    let environment: TunnelEnvironment
    let sink: any FlowSink
    let keepsBodies: Bool
    let streamLimits: HTTP2Limits
    let seed: Boxed<OpeningResult>
    private var wasAcceptanceNoted = false
    var quietEnd = QuietEnd()
    private var earlierServerBytes: Int64
    private var nextLane = 0
    private var commands = CommandList<ConversationCommand>()

    /// Creates the stack of a connection that a tunnel has opened.
    ///
    /// - Parameters:
    ///   - seed: The facts that the tunnel has learned.
    ///   - client: The engines toward the client.
    ///   - server: The engines toward the server; `nil` if it cannot take requests.
    ///   - environment: The objects that all tunnels share.
    ///   - sink: The source of the numbers of exchanges.
    ///   - keepsBodies: Whether bodies are captured.
    package init(
        _ seed: OpeningResult,
        client: consuming HTTPPeer,
        server: LinkStack?,
        environment: TunnelEnvironment,
        sink: any FlowSink,
        keepsBodies: Bool
    ) {
        self.seed = Boxed(seed)
        self.client = client
        self.environment = environment
        self.sink = sink
        self.keepsBodies = keepsBodies
        streamLimits = HTTP2Limits()
        earlierServerBytes = 0
        machine = Boxed(Conversation(seed))
        recorded = Boxed(seed.flow)
        if seed.clientSpeaksHTTP2 { self.client.speakHTTP2(.server, streamLimits, begins: false) }
        if let server {
            server.beginConversation(seed.secured)
            links[.first] = server
        }
    }

    // An open exchange and its link refer to each other.
    deinit {
        for lane in lanes.values { lane.link = nil }
    }

    /// The record of the connection in its latest recorded state.
    package var flow: FlowRecord { @inline(__always) _read { yield recorded.value } }
    var limits: Limits { @inline(__always) _read { yield seed.value.policy.value.limits } }
    var serverPolicy: ServerPolicy { seed.value.policy.value.servers }
    var nextHops: NextHops { seed.value.policy.value.nextHops }

    /// Begins the conversation.
    package mutating func begin(at now: Timestamp) {
        machine.value.begin(into: &commands.waiting)
        execute(at: now)
        // The server's settings may have arrived already; the client's first SETTINGS depend on them.
        if client.isMultiplexed { for link in links.values { _ = advance(link, at: now) } }
        if let request = seed.value.request { handle(.firstRequest(newLane(), request), at: now) }
        advance(at: now)
    }

    /// Whether an exchange waits for a response from the server at `place`.
    package mutating func waits(for place: Authority) -> Bool { machine.value.waits(for: place) }

    /// Whether the queues of the proxy are so full that this connection must accept no more bytes.
    ///
    /// The sockets of HTTP/2 are still read, because their frames say which streams may continue. But streams hold
    /// fewer bytes, and peers get no more credit than that.
    package var isShort = false {
        didSet {
            guard isShort != oldValue else { return }
            client.limitCredit(isShort)
            for link in links.values { link.peer.value.limitCredit(isShort) }
        }
    }

    // MARK: Inputs

    /// Processes the bytes at hand as far as possible.
    package mutating func advance(at now: Timestamp) {
        while !isClosed {
            var moved = advanceClient(at: now)
            var isPlain = !client.isMultiplexed
            for link in links.values {
                moved = advance(link, at: now) || moved
                isPlain =
                    isPlain && !link.peer.value.isMultiplexed && link.mode != .handshaking
                    && link.peer.value.isQuiet
            }
            if !throttled.isEmpty { passThrottled(at: now) }
            if !answering.isEmpty { askForContent() }
            // An HTTP/1 client has no stream that reports new room, so the stack checks for it here.
            if !client.isMultiplexed, let current, current.serverStream != nil {
                passResponse(current, at: now)
            }
            if !isPlain { moved = writeFrames(at: now) || moved }
            guard moved, !isPlain || !isClientRead else { break }
        }
        closeIfLeft(at: now)
        flush(at: now)
    }

    /// Whether a pass has handled all that a client of HTTP/1 has sent.
    ///
    /// If its server speaks HTTP/1, too, and has sent nothing else, another pass finds nothing.
    private var isClientRead: Bool {
        mutating get {
            guard client.isQuiet, throttled.isEmpty, answering.isEmpty else { return false }
            guard let current else { return true }
            return !current.isRelayed && current.upward.held == nil && current.downward.held == nil
        }
    }

    /// Notes that the client's stream ended or broke.
    package mutating func clientEnded(_ kind: CloseKind, at now: Timestamp) {
        client.ended(kind)
        advance(at: now)
    }

    /// Notes that a server's stream ended or broke.
    package mutating func linkEnded(_ id: LinkID, _ kind: CloseKind, at now: Timestamp) {
        links[id]?.peer.value.ended(kind)
        advance(at: now)
    }

    /// Takes a connection to a server that was made.
    ///
    /// - Parameters:
    ///   - id: The number of the link.
    ///   - facts: The facts of the connection.
    ///   - peer: The engines of the connection, if it was used before or leads through a proxy.
    ///   - now: The time.
    package mutating func dialed(
        _ id: LinkID,
        _ facts: DialedServer,
        _ peer: consuming Boxed<HTTPPeer>? = nil,
        at now: Timestamp
    ) {
        links[id] = LinkStack(
            id,
            peer ?? Boxed(HTTPPeer(reading: .responses, limits: limits)),
            secured: facts.secured,
            forwarded: forwarded.removeValue(forKey: id)
        )
        handle(.dialed(id, facts), at: now)
        advance(at: now)
    }

    /// Notes that no connection to the server could be made.
    package mutating func dialFailed(
        _ id: LinkID,
        _ failure: DialFailure,
        _ dials: [DialRecord],
        at now: Timestamp
    ) {
        forwarded[id] = nil
        handle(.dialFailed(id, failure, dials), at: now)
        advance(at: now)
    }

    /// Takes the result of verifying the login of an exchange.
    package mutating func authenticated(_ lane: Lane, _ verdict: LoginVerdict, at now: Timestamp) {
        handle(.authenticated(lane, verdict), at: now)
        advance(at: now)
    }

    /// Takes the answer to a question about an exchange.
    package mutating func decided(_ lane: Lane, _ decision: ExchangeDecision, at now: Timestamp) {
        noteDecision(lane, decision)
        handle(.decided(lane, decision), at: now)
        advance(at: now)
    }

    /// Notes the program that made the connection.
    package mutating func identify(_ process: ClientProcess, at now: Timestamp) {
        recorded.value.clientProcess = process
        records.append(.clientProcess(flow.id, process))
        handle(.identified(process), at: now)
    }

    /// Notes that a server's handshake took too long.
    package mutating func handshakeExpired(_ id: LinkID, at now: Timestamp) {
        guard let link = links[id], link.mode == .handshaking else { return }
        handshakeFailed(link, nil, at: now)
        advance(at: now)
    }

    /// Notes that a deadline passed.
    package mutating func expired(_ deadline: Deadline, at now: Timestamp) {
        if deadline == .idle, isClosing, client.isTakingTheRest(limits, at: now) {
            driverCommands.append(.arm(.idle, Tunnel.linger))
        } else if deadline != .idle {
            handle(.expired(deadline), at: now)
        } else if failSlowLines(at: now) {
            // Only a slow message has failed; other streams of the connection continue.
        } else if let current, current.downward.isDone, !current.upward.hasEnded, !current.discardsRequest,
            !serverHasRoom(current)
        {
            handle(.requestStalled(current.lane), at: now)
        } else {
            handle(.expired(.idle), at: now)
        }
        advance(at: now)
    }

    /// The time at which lines that a side has begun (a head, a chunk-size line, trailers) must be complete; `nil` if
    /// there are none.
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

    /// Ends messages whose lines are not complete in time, even if bytes keep coming.
    ///
    /// - Returns: Whether there was such a message.
    private mutating func failSlowLines(at now: Timestamp) -> Bool {
        // A side that is being closed is not read any more.
        if !clientIsIgnored, let failure = client.slowLines(of: .request, limits, at: now) {
            clientIsIgnored = true
            handle(.requestFailed(failure), at: now)
            return true
        }
        var hasFailed = false
        for link in links.values where link.mode != .ignored {
            guard let failure = link.peer.value.slowLines(of: .response, limits, at: now) else { continue }
            link.mode = .ignored
            handle(.linkClosed(link.id, .reset(failure.detail)), at: now)
            hasFailed = true
        }
        if hasFailed { driverCommands.append(.arm(.idle, limits.idleTimeout)) }
        return hasFailed
    }

    /// Whether bytes of the client show that the connection is not idle.
    ///
    /// Frames of HTTP/2 outside of exchanges (PING, SETTINGS) do not prolong a connection without requests. While a
    /// request is open, they show that the client still waits for it.
    package var isInUse: Bool {
        mutating get { !client.isMultiplexed || machine.value.isInUse }
    }

    /// A number that grows with each request, and with each body byte that the client sends over HTTP/2.
    package var progress: Int {
        mutating get { exchangesBegun &+ client.streamBytesReceived }
    }

    /// Ends the exchange with a number, or the connection with all exchanges, if it is open here.
    ///
    /// - Parameters:
    ///   - id: The number of an exchange or of a flow.
    ///   - now: The time.
    /// - Returns: Whether the exchange or the flow was open here.
    package mutating func abort(_ id: Int64, at now: Timestamp) -> Bool {
        let lane = lanes.firstKey { $0.recorder.exchangeID?.rawValue == id }
        guard !isClosed, lane != nil || flow.id.rawValue == id else { return false }
        handle(.endedByUser(lane), at: now)
        advance(at: now)
        return true
    }

    /// Records the current state of the exchanges that began before `moment` and were not recorded yet.
    ///
    /// - Returns: Whether there are other exchanges that were not recorded yet.
    package mutating func recordSlow(before moment: Timestamp) -> Bool {
        for lane in lanes.values { lane.recorder.recordSlow(before: moment, into: &records) }
        return hasUnrecorded
    }

    /// Whether an open exchange was not recorded yet.
    package var hasUnrecorded: Bool {
        mutating get { lanes.values.contains { $0.recorder.isUnrecorded } }
    }

    /// Notes that the proxy is about to stop.
    package mutating func drain(at now: Timestamp) {
        handle(.drain, at: now)
        advance(at: now)
    }

    /// Retires the connection if the settings of its host have changed.
    ///
    /// - Parameters:
    ///   - isSelected: A function that says whether the settings of a server have changed.
    ///   - now: The time.
    package mutating func retire(_ isSelected: (Authority) -> Bool, at now: Timestamp) {
        guard let authority = seed.value.authority, seed.value.flow.treatment == .intercepted else { return }
        let named = seed.value.serverName.map { Authority(host: $0.host, port: authority.port) }
        guard isSelected(named ?? authority) || isSelected(authority) else { return }
        handle(.retire, at: now)
        advance(at: now)
    }

    /// Notes why the connection is about to end for others, for its record.
    package mutating func displace(_ detail: String, at now: Timestamp) {
        handle(.displaced(detail), at: now)
    }

    /// Notes that the proxy stops now.
    package mutating func stop(at now: Timestamp) {
        handle(.stop, at: now)
    }

    /// Returns the engines of a link; `nil` if it does not exist.
    ///
    /// The table is read in this module, because the compiler knows its types here. The function is mutating, because
    /// otherwise the compiler copies the whole stack for the call.
    package mutating func link(_ id: LinkID) -> LinkStack? { links[id] }

    /// Removes and returns the engines of a link that was closed; `nil` if it does not exist.
    package mutating func takeLink(_ id: LinkID) -> LinkStack? {
        guard let link = links.removeValue(forKey: id) else { return nil }
        earlierServerBytes += link.bytesReceived
        return link
    }

    // MARK: The machine

    mutating func handle(_ event: ConversationEvent, at now: Timestamp) {
        machine.value.handle(event, at: now, into: &commands.waiting)
        execute(at: now)
    }

    private mutating func execute(at now: Timestamp) {
        guard commands.begin() else { return }
        while commands.hasNext {
            var command = ConversationCommand.holdClient
            commands.take(into: &command)
            execute(command, at: now)
        }
    }

    /// Remembers that this client accepts our certificate for this host, because it has sent a request.
    mutating func noteAcceptance(at now: Timestamp) {
        guard !wasAcceptanceNoted, seed.value.handshakeEnded != nil, let host = seed.value.serverName?.host
        else {
            return
        }
        wasAcceptanceNoted = true
        environment.noteAcceptance(by: seed.value.clientKey, of: host)
        sink.noteRequest(of: flow, at: now)
    }

    /// Returns the number for the next exchange of a client of HTTP/1.
    mutating func newLane() -> Lane {
        nextLane += 1
        return Lane(rawValue: nextLane)
    }

    /// Takes the machine's record of the flow, and adds the numbers of bytes so far.
    mutating func note(_ record: FlowRecord, at now: Timestamp) {
        recorded.value = record
        quietEnd.settle(&recorded.value, at: now)
        isClosed = flow.closed != nil
        recorded.value.bytesFromClient = client.bytesReceived
        recorded.value.bytesFromServer =
            seed.value.flow.bytesFromServer + earlierServerBytes
            + links.values.reduce(0) { $0 + $1.bytesReceived }
    }

    // MARK: Output

    /// Writes frames into outboxes that have room.
    ///
    /// - Returns: Whether frames were written. Then a stream may have room again for waiting bytes.
    private mutating func writeFrames(at now: Timestamp) -> Bool {
        let limit = limits.outputHighWater
        return links.values.reduce(client.writeFrames(limit: limit)) {
            $1.peer.value.writeFrames(limit: limit) || $0
        }
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
