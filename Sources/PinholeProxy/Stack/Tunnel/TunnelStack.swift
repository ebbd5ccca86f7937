package import PinholeCrypto
package import PinholeModel
package import PinholeWire

/// The engines of one tunnel, and the machine that decides over them.
///
/// The stack has no socket and reads no clock.
///
/// The driver puts received bytes into a side's `inbox` and calls ``advance(at:)``. Then it writes the `outbox`es,
/// carries out ``driverCommands``, and passes ``records`` to the sink. Relayed bytes move from one side's queue to the
/// other's; the machine does not see them.
package struct TunnelStack: ~Copyable {
    /// The use of a side's bytes.
    enum Mode: Equatable {
        /// The bytes wait.
        case held
        /// The first bytes show whether the client speaks TLS to the proxy itself, SOCKS, HTTP/2, or HTTP/1.
        case greeting
        /// The bytes are SOCKS.
        case negotiating
        /// The bytes are checked for a ClientHello, without being consumed.
        case peeking
        /// The bytes belong to the handshake.
        case handshaking
        /// The bytes are messages.
        case messages
        /// The bytes are relayed unread.
        case relayed
        /// The bytes are discarded, because the side is being closed.
        case ignored
        /// The bytes belong to the next user of the connection, which is about to go to the pool or to a conversation.
        case released
    }

    /// The engines toward the client.
    package var client: HTTPPeer
    /// The engines toward the server; `nil` if there is no connection.
    package private(set) var server: LinkStack?
    /// The driver's work, in order; the driver empties the list.
    package var driverCommands: [DriverCommand] = []
    /// The new records, in order; the driver empties the list.
    package var records: [FlowEvent] = []

    /// The facts for the conversation that continues from here; `nil` if there is none.
    ///
    /// The value is boxed, because it is large and most of the time there is none.
    var seed: Boxed<OpeningResult>?

    // The large parts are boxed: for each instruction on the stack, the compiler counts all fields of its parts.
    private let machine: Boxed<Tunnel>
    private let recorded: Boxed<FlowRecord>
    /// The policy that decisions depend on.
    let policy: Shared<ProxyPolicy>
    /// The role of the listener for the client.
    let mode: ListenerMode
    /// Whether the connection has ended.
    package private(set) var isClosed = false
    /// Whether the client gets only the bytes that already wait for it.
    package internal(set) var isClosing = false
    let clientAddress: IPAddress
    /// Whether the system has redirected the connection here, or the listener forwards a port.
    private let isRedirected: Bool
    let environment: TunnelEnvironment
    let sink: any FlowSink
    var clientMode = Mode.greeting
    var serverMode = Mode.held
    /// The throttle of the relay; `nil` if its speed is not limited.
    var throttle: LineThrottle?
    var serverName: ServerName?
    /// The facts of the TLS connection to the server; `nil` if there is none.
    var securedServer: SecuredServer?
    var identity: Identity?
    var handshakeStarted = Timestamp(microseconds: 0)
    var clientKey = ""
    /// The reader of the ClientHello that is arriving.
    var helloReader = ClientHelloReader()
    /// The ClientHello of the latest handshake with the client.
    var hello: ClientHelloRecord?
    /// The host that the client wants, and the fault of the server's certificate that the client is shown.
    var shown: (host: Host?, mirrored: MirroredFault?) = (nil, nil)
    /// Whether a request waits until its login is verified.
    var awaitsLogin = false
    var wasHelloBegun = false
    var isClientGone = false
    /// Whether the CONNECT came in a stream of HTTP/2 and has no answer yet.
    var isStreamUnanswered = false
    var wasRequestBegun = false
    /// Whether the CONNECT was read completely; bytes behind it wait for the answer.
    var isRequestRead = false
    /// The handshake with the server, which may have ended; `nil` if none has begun.
    var serverHandshake: ServerHandshake?
    var earlierServerBytes: Int64 = 0
    /// The SOCKS negotiation with the client; `nil` if the client does not speak SOCKS.
    var socks: SOCKSAcceptor?
    private var commands = CommandList<TunnelCommand>()

    /// Creates the stack of a connection that was just accepted.
    ///
    /// - Parameters:
    ///   - policy: The policy that decisions depend on.
    ///   - environment: The objects that all tunnels share.
    ///   - sink: The source of the numbers of exchanges.
    ///   - keepsBodies: Whether bodies are captured.
    ///   - flow: The record, with the client's address.
    ///   - clientAddress: The client's address.
    ///   - mode: The role of the listener for the client.
    ///   - arrival: The destination of the connection, or `nil` if its client names the server.
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
        client = HTTPPeer(reading: .requests, limits: policy.value.limits)
        self.policy = policy
        self.mode = mode
        self.clientAddress = clientAddress
        recorded = Boxed(flow)
        isRedirected = if case .from = arrival { true } else { false }
        machine = Boxed(
            Tunnel(
                policy: policy,
                flow: flow,
                clientAddress: clientAddress,
                mode: mode,
                arrival: arrival
            )
        )
    }

    /// The record of the connection in its latest recorded state.
    package var flow: FlowRecord { @inline(__always) _read { yield recorded.value } }
    var limits: Limits { @inline(__always) _read { yield policy.value.limits } }
    var serverPolicy: ServerPolicy { policy.value.servers }
    var nextHops: NextHops { policy.value.nextHops }

    /// Begins the tunnel.
    package mutating func begin(at now: Timestamp) {
        machine.value.begin(into: &commands.waiting)
        execute(at: now)
        guard isRedirected else { return }
        // The client's bytes are for its server, which is dialed first.
        clientMode = .held
        handle(.redirected, at: now)
    }

    /// Begins with a CONNECT in a stream of HTTP/2.
    ///
    /// The stream is the client's connection from now on.
    package mutating func begin(with connect: RequestHead, at now: Timestamp) {
        isStreamUnanswered = true
        // The request is complete; bytes that follow it wait for the answer.
        clientMode = .messages
        isRequestRead = true
        handle(.request(connect), at: now)
        flush(at: now)
    }

    // The following properties are `mutating` for callers that hold the stack in a class. Otherwise Swift 6.3 copies
    // its 3.5 KB first.

    /// Whether more should be read from the client: its buffers have room, and the server keeps up.
    package var wantsReadFromClient: Bool {
        mutating get {
            guard client.owed < limits.outputHighWater else { return false }
            guard clientMode != .ignored else { return true }
            return client.pendingInput < max(client.inputLimit(limits), helloRoom)
                && pendingServerOutput < limits.outputHighWater
        }
    }

    /// Whether more should be read from the server.
    package mutating func wantsRead(_ id: LinkID) -> Bool {
        guard let server else { return false }
        return server.peer.value.pendingInput < limits.readSize
            && server.peer.value.owed < limits.outputHighWater
            && client.pendingOutput < limits.outputHighWater
    }

    /// The number of bytes of a ClientHello that may wait; 0 if none is expected.
    ///
    /// The reader reports a longer one as malformed, so the client never waits in vain.
    var helloRoom: Int {
        mutating get {
            guard clientMode == .greeting || clientMode == .peeking else { return 0 }
            return ClientHelloReader.room(limits) + limits.readSize
        }
    }

    private var pendingServerOutput: Int { server?.peer.value.pendingOutput ?? 0 }

    /// Whether so many bytes wait to be sent to one side that nothing more is taken from the other side.
    package var isFull: Bool {
        mutating get {
            client.pendingOutput >= limits.outputHighWater || pendingServerOutput >= limits.outputHighWater
        }
    }

    /// The memory of the bytes that wait in both directions, in bytes.
    package var queued: Int {
        mutating get { client.queued + (server?.peer.value.queued ?? 0) }
    }

    /// The time at which throttled bytes may pass; `nil` if none wait.
    package var wake: Timestamp? { mutating get { throttle?.wake } }

    /// Whether bytes wait to be written to a side.
    package var hasPendingOutput: Bool {
        mutating get { client.pendingOutput > 0 || pendingServerOutput > 0 }
    }

    /// Whether received bytes wait to be used.
    package var hasMoreToDo: Bool {
        mutating get {
            client.pendingInput > 0 || client.holdsDecrypted || server?.peer.value.pendingInput ?? 0 > 0
                || server?.peer.value.holdsDecrypted == true
        }
    }

    // MARK: Inputs

    /// Processes the bytes at hand as far as possible.
    package mutating func advance(at now: Timestamp) {
        while !isClosed {
            let clientMoved = advanceClient(at: now)
            let serverMoved = advanceServer(at: now)
            guard clientMoved || serverMoved else { break }
        }
        flush(at: now)
    }

    /// Notes that the client's stream ended or broke.
    package mutating func clientEnded(_ kind: CloseKind, at now: Timestamp) {
        client.ended(kind)
        advance(at: now)
    }

    /// Notes that the server's stream ended or broke.
    package mutating func linkEnded(_ id: LinkID, _ kind: CloseKind, at now: Timestamp) {
        server?.peer.value.ended(kind)
        advance(at: now)
    }

    /// Takes a connection to the server that was made.
    ///
    /// - Parameters:
    ///   - id: The number of the connection.
    ///   - facts: The facts of the connection.
    ///   - pooled: The engines of the connection, or `nil` if it is new.
    ///   - now: The time.
    package mutating func dialed(
        _ id: LinkID,
        _ facts: DialedServer,
        _ pooled: consuming Boxed<HTTPPeer>? = nil,
        at now: Timestamp
    ) {
        earlierServerBytes = bytesFromServer
        server = LinkStack(id, pooled ?? Boxed(HTTPPeer(reading: .responses, limits: limits)))
        serverMode = .held
        // The name belongs to a handshake of this tunnel; a pooled connection was made with its own name.
        serverName = nil
        securedServer = facts.secured
        handle(.dialed(facts), at: now)
        advance(at: now)
    }

    /// Notes that no connection to the server could be made.
    package mutating func dialFailed(
        _ id: LinkID,
        _ failure: DialFailure,
        _ dials: [DialRecord],
        at now: Timestamp
    ) {
        handle(.dialFailed(failure, dials), at: now)
        advance(at: now)
    }

    /// Takes the result of verifying the client's login.
    package mutating func authenticated(_ lane: Lane, _ verdict: LoginVerdict, at now: Timestamp) {
        if awaitsLogin, clientMode == .held { clientMode = .messages }
        awaitsLogin = false
        handle(.authenticated(verdict), at: now)
        advance(at: now)
    }

    /// Notes the program that made the connection.
    package mutating func identify(_ process: ClientProcess, at now: Timestamp) {
        recorded.value.clientProcess = process
        records.append(.clientProcess(flow.id, process))
        handle(.identified(process), at: now)
    }

    /// Takes the leaf that was made for the client.
    package mutating func minted(_ identity: Identity, at now: Timestamp) {
        self.identity = identity
        handle(.minted, at: now)
        advance(at: now)
    }

    /// Notes that no leaf could be made.
    package mutating func mintFailed(_ reason: String, at now: Timestamp) {
        handle(.mintFailed(reason), at: now)
    }

    /// Notes that a deadline passed.
    package mutating func expired(_ deadline: Deadline, at now: Timestamp) {
        switch deadline {
        case .handshake(.client) where clientMode == .handshaking || clientMode == .peeking:
            clientHandshakeFailed(nil, at: now)
        case .handshake(.server) where serverMode == .handshaking: serverHandshakeFailed(nil, at: now)
        case .idle where isClosing && client.isTakingTheRest(limits, at: now):
            driverCommands.append(.arm(.idle, Tunnel.linger))
        case .idle where failSlowLines(at: now): return advance(at: now)
        case .handshake, .head, .idle, .rest: handle(.expired(deadline), at: now)
        }
        flush(at: now)
    }

    /// The time at which lines that the client has begun (such as a head) must be complete; `nil` if there are none.
    package var linesDeadline: Timestamp? {
        mutating get {
            guard clientMode == .messages, let began = client.linesBegan else { return nil }
            return began + limits.headTimeout
        }
    }

    /// Ends a message whose lines are not complete in time, even if bytes keep coming.
    ///
    /// - Returns: Whether there was such a message.
    private mutating func failSlowLines(at now: Timestamp) -> Bool {
        // A side that is being closed is not read any more.
        if clientMode == .messages, let failure = client.slowLines(of: .request, limits, at: now) {
            clientMode = .ignored
            handle(.requestFailed(failure), at: now)
            return true
        }
        return false
    }

    /// Ends the connection if it is the flow with this number.
    ///
    /// - Parameters:
    ///   - id: The number of an exchange or of a flow.
    ///   - now: The time.
    /// - Returns: Whether the connection was open here.
    package mutating func abort(_ id: Int64, at now: Timestamp) -> Bool {
        guard !isClosed, flow.id.rawValue == id else { return false }
        handle(.endedByUser, at: now)
        return true
    }

    /// Notes that the proxy is about to stop.
    package mutating func drain(at now: Timestamp) {
        handle(.drain, at: now)
        flush(at: now)
    }

    /// Retires the connection if the settings of its host have changed.
    ///
    /// - Parameters:
    ///   - isSelected: A function that says whether the settings of a server have changed.
    ///   - now: The time.
    package mutating func retire(_ isSelected: (Authority) -> Bool, at now: Timestamp) {
        guard flow.treatment == .intercepted, let authority = flow.authority.flatMap({ try? Authority($0) })
        else { return }
        let named = hello?.serverName.flatMap { try? Host($0) }
        guard
            isSelected(authority)
                || named.map({ isSelected(Authority(host: $0, port: authority.port)) }) == true
        else { return }
        handle(.retire, at: now)
        flush(at: now)
    }

    /// Notes why the connection is about to end for others, for its record.
    package mutating func displace(_ detail: String, at now: Timestamp) {
        handle(.displaced(detail), at: now)
    }

    /// Notes that the proxy stops now.
    package mutating func stop(at now: Timestamp) {
        handle(.stop, at: now)
    }

    /// The server's engines; `nil` if there is no connection.
    package mutating func link(_ id: LinkID) -> LinkStack? { server }

    /// Removes and returns the server's engines; `nil` if there is no connection.
    package mutating func takeLink(_ id: LinkID) -> LinkStack? {
        serverMode = .held
        earlierServerBytes = bytesFromServer
        server?.secured = securedServer
        return server.take()
    }

    /// Creates the facts for the conversation that continues from here.
    mutating func makeSeed(_ request: RequestHead?) -> OpeningResult {
        var result = machine.value.opened(with: request)
        result.flow.bytesFromServer = bytesFromServer
        result.hasServer = result.hasServer && server != nil && serverMode != .ignored
        let origin = mode.origin
        result.expectsHTTP2 =
            origin.map { $0.speaksHTTP2 || environment.expectsHTTP2(of: $0.authority) } ?? false
        result.clientKey = clientKey
        return result
    }

    /// Whether the conversation begins with a request that was already read, because its client speaks HTTP/1.
    package var hasFirstRequest: Bool { mutating get { seed?.value.request != nil } }

    /// Removes and returns the facts for the conversation that continues from here; `nil` if there are none.
    package mutating func takeSeed() -> OpeningResult? { seed.take()?.value }

    /// Removes and returns the client's engines, for the conversation.
    package mutating func takeClient() -> HTTPPeer {
        var taken = HTTPPeer(reading: .requests, limits: limits)
        swap(&taken, &client)
        return taken
    }

    // MARK: The machine

    mutating func handle(_ event: TunnelEvent, at now: Timestamp) {
        machine.value.handle(event, at: now, into: &commands.waiting)
        execute(at: now)
    }

    private mutating func execute(at now: Timestamp) {
        guard commands.begin() else { return }
        while commands.hasNext {
            var command = TunnelCommand.awaitRequest
            commands.take(into: &command)
            execute(command, at: now)
        }
    }

    /// Takes the machine's record of the flow, and adds the numbers of bytes so far.
    mutating func note(_ record: FlowRecord) {
        recorded.value = record
        recorded.value.bytesFromClient = client.bytesReceived
        recorded.value.bytesFromServer = bytesFromServer
        isClosed = flow.closed != nil
    }

    private mutating func flush(at now: Timestamp) {
        do throws(TLSFailure) {
            try client.flush()
        } catch {
            handle(.closed(.client, .reset(error.detail)), at: now)
        }
        do throws(TLSFailure) {
            try server?.peer.value.flush()
        } catch {
            handle(.closed(.server, .reset(error.detail)), at: now)
        }
    }
}
