import Dispatch
import Logging
import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeProxy
import PinholeWire
import Synchronization

/// The part of the proxy that belongs to one loop: its listeners, tunnels and idle server connections.
final class ProxyShard: LoopOwner, ListenerOwner, TimerHandler {
    let shared: ProxyShared
    let pool: ServerPool
    private var policy: Shared<ProxyPolicy>
    private var environment: TunnelEnvironment
    private var minter: any IdentityProvider
    private var listeners: [Listener] = []
    private var modes: [SocketAddress: ListenerMode] = [:]
    /// The listeners at which clients need no login.
    private var privateListeners: Set<SocketAddress> = []
    /// The names behind the stand-in addresses of an isolated program's namespace.
    private let names = NamePool()
    private var drivers: [UInt64: ClientDriver] = [:]
    private var nextNumber: UInt64 = 0
    private var awaitsRelief = false
    private var awaitsRoom = false
    /// The timer that looks for slow exchanges; `nil` if no unrecorded exchange is open.
    private var slowTimer: TimerID?
    /// The number of connections before the waiting requests are counted again.
    private var connectionsToCensus = 0
    /// Whether the user was told that the firewall leads the proxy's own connections back.
    private var wasLoopReported = false

    init(_ shared: ProxyShared) {
        self.shared = shared
        let setup = shared.setup.withLock { $0 }
        policy = Shared(shared.policy(of: setup))
        environment = setup.environment
        minter = setup.minter
        pool = ServerPool(limits: setup.policy.limits)
    }

    var limits: Limits { policy.value.limits }
    /// Whether some clients are refused, so that a connection is no proof of an accepted request.
    var needsLogin: Bool { policy.value.access.asksForPassword || !policy.value.access.clients.isEmpty }
    var sink: any FlowSink { shared.sink }

    /// Starts to listen on `points`.
    func listen(on points: [ListeningPoint], on loop: isolated EventLoop) throws(SystemFailure) {
        for point in points {
            let listener = try Listener(
                point.address,
                limiter: shared.limiter,
                logger: shared.logger,
                owner: self,
                takesForeign: point.mode == .transparent(.tproxy)
            )
            try listener.start(on: loop)
            listeners.append(listener)
            modes[listener.address] = point.mode
        }
    }

    /// Opens a listener without a login, and returns its address.
    func listenPrivately(
        on address: SocketAddress,
        on loop: isolated EventLoop
    ) throws(SystemFailure) -> SocketAddress {
        let listener = try Listener(address, limiter: shared.limiter, logger: shared.logger, owner: self)
        try listener.start(on: loop)
        listeners.append(listener)
        privateListeners.insert(listener.address)
        return listener.address
    }

    /// Stops accepting at an address.
    func stopListening(at address: SocketAddress, on loop: isolated EventLoop) {
        for listener in listeners where listener.address == address { listener.stop(on: loop) }
        listeners.removeAll { $0.address == address }
        privateListeners.remove(address)
    }

    /// Serves a network namespace: accepts all its connections, and resolves names to stand-in addresses.
    func serve(_ namespace: IsolatedSockets, on loop: isolated EventLoop) throws(SystemFailure) {
        for descriptor in namespace.listeners {
            let listener = try Listener(
                taking: Socket(taking: descriptor),
                limiter: shared.limiter,
                logger: shared.logger,
                owner: self
            )
            try listener.start(on: loop)
            listeners.append(listener)
            modes[listener.address] = .transparent(.tproxy)
        }
        try NameServer(taking: namespace.names, names).start(on: loop)
    }

    /// The addresses and modes of the listeners.
    var points: [ListeningPoint] {
        listeners.map { ListeningPoint($0.address, modes[$0.address] ?? .explicit) }
    }

    /// Uses another setup for new tunnels.
    func adopt(_ setup: ProxySetup, on loop: isolated EventLoop) {
        policy = Shared(shared.policy(of: setup))
        environment = setup.environment
        minter = setup.minter
        pool.removeAll(on: loop)
    }

    /// Ends connections to hosts whose settings were changed, as soon as they are idle.
    func retire(_ isSelected: (Authority) -> Bool, on loop: isolated EventLoop) {
        for driver in Array(drivers.values) { driver.retire(isSelected, on: loop) }
    }

    /// Whether a stream of a connection may carry another tunnel.
    var mayOpenTunnel: Bool { shared.tunnels.load(ordering: .relaxed) < shared.limits.tunnels }

    func accepted(
        _ accepted: consuming Socket,
        at address: SocketAddress,
        on loop: isolated EventLoop
    ) -> (@Sendable (Eviction) -> Void)? {
        var socket = accepted
        guard let peer = socket.peerAddress else { return nil }
        socket.setNoDelay()
        shared.connections.add(1, ordering: .relaxed)
        let mode = modes[address] ?? .explicit
        let local = mode == .transparent(.tproxy) ? nil : socket.localAddress
        var flow = FlowRecord(
            id: FlowID(rawValue: sink.nextID()),
            opened: loop.now,
            client: peer.description,
            listener: (local ?? address).description
        )
        flow.listenerKind = mode.kind
        tap(&socket, of: flow.id, on: loop)
        let driver = makeDriver(
            flow,
            clientAddress: peer.address,
            mode,
            arrival: arrival(of: socket, from: peer, to: address, mode),
            needsNoLogin: privateListeners.contains(address)
        )
        let ends = ends(of: socket, from: peer, local, mode)
        do throws(SystemFailure) {
            try driver.begin(socket, on: loop)
            if let ends { identify(flow.id, of: driver, by: ends, on: loop) }
        } catch {
            shared.logger.warning("\(error)")
            forget(driver)
            return nil
        }
        let (home, number) = (loop, driver.number)
        return { eviction in
            home.post { loop in
                (loop.owner as? ProxyShard)?.drivers[number]?.giveWay(eviction, on: loop)
            }
        }
    }

    /// Looks for idle connections, since all places are taken.
    ///
    /// They are not told one by one, because a busy proxy has a hundred thousand requests a second.
    func isPressed(on loop: isolated EventLoop) {
        let moment = loop.now - limits.pooledAfter
        for driver in Array(drivers.values) { driver.noteIdle(since: moment, on: loop) }
    }

    /// Lets the capture keep the bytes of a connection that was just opened, if it is to.
    ///
    /// - Parameters:
    ///   - socket: The socket of the connection.
    ///   - flow: The flow that the connection is for.
    ///   - isServer: Whether the peer is a server.
    ///   - loop: The loop of the connection.
    func tap(
        _ socket: inout Socket,
        of flow: FlowID,
        isServer: Bool = false,
        on loop: isolated EventLoop
    ) {
        guard sink.wantsPackets else { return }
        socket.tap = PacketTap(
            sink,
            flow: flow,
            connection: isServer ? sink.nextID() : 0,
            clock: loop.clock,
            peer: socket.peerAddress,
            local: socket.localAddress
        )
    }

    /// Begins a tunnel whose client is an HTTP/2 stream on another driver's connection.
    func accept(
        _ connect: RequestHead,
        in line: StreamLine,
        clientAddress: IPAddress,
        _ flow: FlowRecord,
        on loop: isolated EventLoop
    ) {
        makeDriver(flow, clientAddress: clientAddress).begin(line, with: connect, on: loop)
    }

    /// Both ends of a connection as its client sees them; `nil` if the client is on another machine, or if
    /// nobody wants to know its program.
    private func ends(
        of socket: borrowing Socket,
        from peer: SocketAddress,
        _ local: SocketAddress?,
        _ mode: ListenerMode
    ) -> ConnectionEnds? {
        guard sink.wantsClientProcesses, shared.isOfThisMachine(peer.address) else { return nil }
        let isRewritten = mode == .transparent(.redirect)
        let original = isRewritten ? socket.originalDestination : nil
        return (original ?? local ?? socket.localAddress).map { ConnectionEnds(local: peer, remote: $0) }
    }

    /// Starts to find the program that made a connection.
    ///
    /// The connection may have ended before the answer.
    private func identify(
        _ flow: FlowID,
        of driver: ClientDriver,
        by ends: ConnectionEnds,
        on loop: isolated EventLoop
    ) {
        let number = driver.number
        let loop = loop
        shared.clients.find(ends) { process in
            guard let process else { return }
            loop.post { loop in
                guard let shard = loop.owner as? ProxyShard else { return }
                if let driver = shard.drivers[number] { return driver.identified(process, on: loop) }
                shard.sink.record([.clientProcess(flow, process)])
            }
        }
    }

    /// The original destination of a connection to a transparent listener, or the fixed server of a forwarded port.
    private func arrival(
        of socket: borrowing Socket,
        from peer: SocketAddress,
        to listener: SocketAddress,
        _ mode: ListenerMode
    ) -> Arrival? {
        if case .forwarding(let server) = mode { return .from(server) }
        guard case .transparent(let diversion) = mode else { return nil }
        let local = socket.localAddress
        let found: SocketAddress?
        switch diversion {
        case .redirect:
            // For a connection that was not rewritten, the system returns the listener's address or none.
            found = socket.originalDestination.flatMap { $0 == local ? nil : $0 }
        case .tproxy:
            found = local.flatMap { $0.port == listener.port && isOwn($0) ? nil : $0 }
        }
        guard let found else { return .direct }
        let host = names.name(of: found.address).map { Host.name($0) } ?? .address(found.address)
        let destination = Authority(host: host, port: found.port)
        guard shared.outgoing.contains(from: peer, to: found) else { return .from(destination) }
        if !wasLoopReported {
            wasLoopReported = true
            shared.logger.error(
                """
                the firewall leads connections of this proxy to servers (\(found)) back to \(listener): except them in \
                the rule, by this process's user or by upstream.mark
                """
            )
        }
        return .own(destination)
    }

    private func makeDriver(
        _ flow: FlowRecord,
        clientAddress: IPAddress,
        _ mode: ListenerMode = .explicit,
        arrival: Arrival? = nil,
        needsNoLogin: Bool = false
    ) -> ClientDriver {
        nextNumber += 1
        var policy = policy
        if needsNoLogin {
            var open = policy.value
            open.access = AccessRules()
            policy = Shared(open)
        }
        let driver = ClientDriver(
            number: nextNumber,
            shard: self,
            stack: TunnelStack(
                policy: policy,
                environment: environment,
                sink: sink,
                keepsBodies: shared.keepsBodies,
                flow: flow,
                clientAddress: clientAddress,
                mode: mode,
                arrival: arrival
            )
        )
        drivers[nextNumber] = driver
        shared.tunnels.add(1, ordering: .relaxed)
        return driver
    }

    /// Creates the stack of a conversation that continues the opened connection.
    func converse(
        _ seed: OpeningResult,
        client: consuming HTTPPeer,
        server: LinkStack?
    ) -> ConversationStack {
        ConversationStack(
            seed,
            client: client,
            server: server,
            environment: environment,
            sink: sink,
            keepsBodies: shared.keepsBodies
        )
    }

    func forget(_ driver: ClientDriver) {
        guard drivers.removeValue(forKey: driver.number) != nil else { return }
        let left = shared.tunnels.subtract(1, ordering: .relaxed).newValue
        if left == 0 { shared.tellIdle() }
    }

    // MARK: Requests of tunnels

    func resolve(
        _ authority: Authority,
        for driver: ClientDriver,
        tag: Int,
        on loop: isolated EventLoop
    ) {
        let number = driver.number
        let loop = loop
        shared.resolver.resolve(authority) { answer in
            loop.post { loop in
                (loop.owner as? ProxyShard)?.drivers[number]?.resolved(answer, tag: tag, on: loop)
            }
        }
    }

    /// Creates the dialer for `target`, direct or through another proxy.
    func makeDialer(
        to target: DialTarget,
        for driver: ClientDriver,
        owner: any DialerOwner,
        tag: Int,
        on loop: isolated EventLoop
    ) -> any ServerDialing {
        guard let hop = target.hop else {
            return Dialer(
                target.place,
                limits: limits,
                now: loop.now,
                outgoing: shared.outgoing,
                owner: owner
            )
        }
        return HopDialer(
            hop,
            to: target,
            limits: limits,
            environment: environment,
            owner: owner,
            shard: self,
            driver: driver,
            tag: tag
        )
    }

    /// Starts a dialer after its driver has stored it.
    func start(
        _ dialer: (any ServerDialing)?,
        to target: DialTarget,
        for driver: ClientDriver,
        tag: Int,
        on loop: isolated EventLoop
    ) {
        guard let dialer = dialer as? HopDialer else {
            return resolve(target.place, for: driver, tag: tag, on: loop)
        }
        dialer.start(isSuspect: shared.isOwnPort(target.place.port), on: loop)
    }

    func mint(_ request: LeafRequest, for driver: ClientDriver, on loop: isolated EventLoop) {
        if let identity = minter.cached(request, now: loop.now) {
            return driver.minted(.success(identity), on: loop)
        }
        let number = driver.number
        let now = loop.now
        let minter = minter
        let loop = loop
        shared.minting.async {
            let result = Result { () throws(CryptoFailure) in try minter.mint(request, now: now) }
            loop.post { loop in
                (loop.owner as? ProxyShard)?.drivers[number]?.minted(result, on: loop)
            }
        }
    }

    /// Verifies a login.
    func authenticate(
        _ check: LoginCheck,
        for driver: ClientDriver,
        tag: Int,
        on loop: isolated EventLoop
    ) {
        let number = driver.number
        let loop = loop
        shared.logins.verify(check) { verdict in
            loop.post { loop in
                (loop.owner as? ProxyShard)?.drivers[number]?.authenticated(verdict, tag: tag, on: loop)
            }
        }
    }

    /// Asks a question about a held exchange.
    ///
    /// - Returns: The question, which can be withdrawn.
    func consult(
        _ question: Consultation,
        for driver: ClientDriver,
        tag: Int,
        on loop: isolated EventLoop
    ) -> PendingQuestion {
        let number = driver.number
        if case .wait(let duration) = question {
            return PendingQuestion(nil, number: number, tag: tag, for: duration, on: loop)
        }
        let interceptor = shared.interceptor
        let home = loop
        let inquiry = Inquiry(question) { decision in
            home.post { loop in
                (loop.owner as? ProxyShard)?.decided(decision, number: number, tag: tag, on: loop)
            }
        }
        shared.consulting.async { interceptor.decide(inquiry) }
        return PendingQuestion(inquiry, number: number, tag: tag, for: question.timeout, on: loop)
    }

    /// Reads a piece of an answer on a thread that may wait for a disk.
    func read(
        _ content: AnswerContent,
        _ range: Range<Int>,
        for driver: ClientDriver,
        tag: Int,
        on loop: isolated EventLoop
    ) {
        let number = driver.number
        let loop = loop
        shared.consulting.async {
            let bytes = content.read(range)
            loop.post { loop in
                (loop.owner as? ProxyShard)?.drivers[number]?
                    .contentRead(content, bytes, tag: tag, on: loop)
            }
        }
    }

    func decided(
        _ decision: ExchangeDecision,
        number: UInt64,
        tag: Int,
        on loop: isolated EventLoop
    ) {
        drivers[number]?.decided(decision, tag: tag, on: loop)
    }

    /// Resumes the tunnels that pause because of the capture, as soon as the capture has caught up.
    func awaitRelief(on loop: isolated EventLoop) {
        guard !awaitsRelief else { return }
        awaitsRelief = true
        let loop = loop
        sink.whenRelieved {
            loop.post { loop in
                guard let shard = loop.owner as? ProxyShard else { return }
                shard.awaitsRelief = false
                for driver in Array(shard.drivers.values) where driver.isPaused { driver.resume(on: loop) }
            }
        }
    }

    /// Whether a connection with this number of waiting bytes may read more.
    func mayRead(holding held: Int) -> Bool {
        shared.queues.mayRead(holding: held, of: shared.tunnels.load(ordering: .relaxed))
    }

    /// Resumes the connections that stopped reading, as soon as fewer bytes wait in all queues.
    func awaitRoom(on loop: isolated EventLoop) {
        guard !awaitsRoom else { return }
        awaitsRoom = true
        let loop = loop
        shared.queues.whenRelieved {
            loop.post { loop in
                guard let shard = loop.owner as? ProxyShard else { return }
                shard.awaitsRoom = false
                for driver in Array(shard.drivers.values) where driver.isPaused { driver.resume(on: loop) }
            }
        }
    }

    /// Sends a message in a WebSocket, if it belongs to this loop.
    func send(_ message: OwnMessage, on loop: isolated EventLoop) -> OwnMessage.Outcome {
        for driver in Array(drivers.values) {
            let outcome = driver.send(message, on: loop)
            if outcome != .notOpen { return outcome }
        }
        return .notOpen
    }

    /// Ends the exchange or flow with a number, if it belongs to this loop.
    func abort(_ id: Int64, on loop: isolated EventLoop) -> Bool {
        Array(drivers.values).contains { $0.abort(id, on: loop) }
    }

    // MARK: Slow exchanges

    /// Whether the timer for slow exchanges is set.
    var looksForSlow: Bool { slowTimer != nil }

    /// Sets the timer that records a slow exchange in its current state, so that a user sees what it waits for.
    ///
    /// A single timer serves all exchanges, and it runs only while some are open.
    func awaitSlow(on loop: isolated EventLoop) {
        guard !looksForSlow else { return }
        slowTimer = loop.schedule(at: loop.now + limits.streamRecordInterval, self)
    }

    func timerFired(tag: Int, on loop: isolated EventLoop) {
        slowTimer = nil
        let moment = loop.now - limits.streamRecordInterval
        var isWaiting = false
        for driver in drivers.values { isWaiting = driver.recordSlow(before: moment) || isWaiting }
        if isWaiting { awaitSlow(on: loop) }
    }

    // MARK: Loops through other proxies

    /// Whether a new connection to the server at `place` has to find out whether the server leads back here,
    /// since so many requests wait for its answers.
    ///
    /// The requests are counted only for a few connections, so that the cost per connection does not grow
    /// with the number of clients.
    func hasManyRequests(_ place: Authority) -> Bool {
        guard drivers.count >= limits.loopCheckThreshold else { return false }
        connectionsToCensus -= 1
        guard connectionsToCensus <= 0 else { return false }
        connectionsToCensus = drivers.count / 4
        return drivers.values.count { $0.waits(for: place) } >= limits.loopCheckThreshold
    }

    /// Whether an address is one of the proxy's own listeners.
    func isOwn(_ address: SocketAddress) -> Bool {
        shared.isOwn(address)
    }

    // MARK: The end

    func drain(on loop: isolated EventLoop) {
        stopListening(on: loop)
        for driver in Array(drivers.values) { driver.drain(on: loop) }
        pool.removeAll(on: loop)
    }

    func stop(on loop: isolated EventLoop) {
        stopListening(on: loop)
        for driver in Array(drivers.values) { driver.stop(on: loop) }
        pool.removeAll(on: loop)
    }

    private func stopListening(on loop: isolated EventLoop) {
        for listener in listeners { listener.stop(on: loop) }
        listeners = []
    }
}
