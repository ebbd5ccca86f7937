import Dispatch
import Glibc
import Logging
import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeProxy
import PinholeWire
import Synchronization

/// The part of the proxy that lives on one loop: its listeners, tunnels and idle server connections.
final class ProxyShard: LoopTenant, ListenerOwner, TimerHandler {
    let shared: ProxyShared
    let pool: ServerPool
    private var policy: Shared<ProxyPolicy>
    private var environment: TunnelEnvironment
    private var minter: any IdentityProvider
    private var listeners: [Listener] = []
    private var modes: [SocketAddress: ListenerMode] = [:]
    /// Listeners where clients need no login.
    private var privateListeners: Set<SocketAddress> = []
    /// The names behind the stand-in addresses of an isolated program's namespace.
    private let names = NamePool()
    private var drivers: [UInt64: any LoopDriver] = [:]
    private var nextNumber: UInt64 = 0
    private var awaitsRelief = false
    private var awaitsRoom = false
    /// Looks after exchanges that take long; `nil` where none goes on that was not recorded.
    private var slowTimer: TimerID?
    /// How many connections are made before it is counted again who waits for whom.
    private var connectionsToCensus = 0
    /// Whether it was said that the firewall leads the proxy's own connections back.
    private var wasLoopTold = false

    init(_ shared: ProxyShared) {
        self.shared = shared
        let setup = shared.setup.withLock { $0 }
        policy = Shared(shared.policy(of: setup))
        environment = setup.environment
        minter = setup.minter
        pool = ServerPool(limits: setup.policy.limits)
    }

    var limits: Limits { policy.value.limits }
    var sink: any FlowSink { shared.sink }

    /// Listens on `points`, and tells where that is, once.
    func listen(on points: [ListeningPoint], on loop: isolated EventLoop) throws(SystemFailure) {
        for point in points {
            let listener = try Listener(
                point.address,
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
        let listener = try Listener(address, logger: shared.logger, owner: self)
        try listener.start(on: loop)
        listeners.append(listener)
        privateListeners.insert(listener.address)
        return listener.address
    }

    /// Accepts nothing more at an address.
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
                logger: shared.logger,
                owner: self
            )
            try listener.start(on: loop)
            listeners.append(listener)
            modes[listener.address] = .transparent(.tproxy)
        }
        try NameServer(taking: namespace.names, names).start(on: loop)
    }

    /// Where is listened, and what clients find there.
    var points: [ListeningPoint] {
        listeners.map { ListeningPoint($0.address, modes[$0.address] ?? .explicit) }
    }

    /// Uses another setup for tunnels that begin from now on.
    func adopt(_ setup: ProxySetup, on loop: isolated EventLoop) {
        policy = Shared(shared.policy(of: setup))
        environment = setup.environment
        minter = setup.minter
        pool.removeAll(on: loop)
    }

    /// Ends connections to hosts whose settings were changed, once they are idle.
    func retire(_ isMeant: (Authority) -> Bool, on loop: isolated EventLoop) {
        for driver in Array(drivers.values) { driver.retire(isMeant, on: loop) }
    }

    var mayAccept: Bool { shared.tunnels.load(ordering: .relaxed) < shared.limits.tunnels }

    func accepted(_ descriptor: Int32, at address: SocketAddress, on loop: isolated EventLoop) {
        let socket = Socket(taking: descriptor)
        guard let peer = socket.peerAddress else { return }
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
        }
    }

    /// Begins a tunnel whose client is a stream of HTTP/2 on another driver's connection.
    func accept(
        _ connect: RequestHead,
        in line: StreamLine,
        clientAddress: IPAddress,
        _ flow: FlowRecord,
        on loop: isolated EventLoop
    ) {
        makeDriver(flow, clientAddress: clientAddress).begin(line, with: connect, on: loop)
    }

    /// Both ends of a connection as its client has them, where that is on this machine and somebody wants to know it.
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

    /// Has the program found out that made a connection; it may be over by then.
    private func identify(
        _ flow: FlowID,
        of driver: TunnelDriver,
        by ends: ConnectionEnds,
        on loop: isolated EventLoop
    ) {
        let number = driver.number
        let loop = loop
        shared.clients.find(ends) { process in
            guard let process else { return }
            loop.post { loop in
                guard let shard = loop.tenant as? ProxyShard else { return }
                if let driver = shard.drivers[number] { return driver.identified(process, on: loop) }
                shard.sink.record([.clientProcess(flow, process)])
            }
        }
    }

    /// Where a connection to a transparent listener was going, or goes from a forwarded port.
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
            // Of a connection that was not rewritten the system knows this address, or none.
            found = socket.originalDestination.flatMap { $0 == local ? nil : $0 }
        case .tproxy:
            found = local.flatMap { $0.port == listener.port && isOwn($0) ? nil : $0 }
        }
        guard let found else { return .direct }
        let host = names.name(of: found.address).map { Host.name($0) } ?? .address(found.address)
        let destination = Authority(host: host, port: found.port)
        guard shared.outgoing.contains(from: peer, to: found) else { return .from(destination) }
        if !wasLoopTold {
            wasLoopTold = true
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
    ) -> TunnelDriver {
        nextNumber += 1
        var policy = policy
        if needsNoLogin {
            var open = policy.value
            open.access = AccessRules()
            policy = Shared(open)
        }
        let driver = TunnelDriver(
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

    /// Creates the stack that goes on where a tunnel turned out to speak HTTP/2.
    func multiplex(
        _ seed: MultiplexSeed,
        client: consuming PeerStack,
        server: consuming Boxed<PeerStack>?
    ) -> MultiplexStack {
        MultiplexStack(
            seed,
            client: client,
            server: server,
            environment: environment,
            sink: sink,
            keepsBodies: shared.keepsBodies
        )
    }

    /// Lets another driver take the place of the one with its number.
    func replace(with driver: any LoopDriver) { drivers[driver.number] = driver }

    func forget(_ driver: any LoopDriver) {
        guard drivers.removeValue(forKey: driver.number) != nil else { return }
        let left = shared.tunnels.subtract(1, ordering: .relaxed).newValue
        if left == 0 { shared.tellIdle() }
    }

    // MARK: What tunnels ask for

    func resolve(
        _ authority: Authority,
        for driver: any LoopDriver,
        tag: Int,
        on loop: isolated EventLoop
    ) {
        let number = driver.number
        let loop = loop
        shared.resolver.resolve(authority) { answer in
            loop.post { loop in
                (loop.tenant as? ProxyShard)?.drivers[number]?.resolved(answer, tag: tag, on: loop)
            }
        }
    }

    /// What connects to `target`, straight or through another proxy.
    func makeDialer(
        to target: DialTarget,
        for driver: any LoopDriver,
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

    /// Lets a dialer begin, once its driver knows it.
    func start(
        _ dialer: (any ServerDialing)?,
        to target: DialTarget,
        for driver: any LoopDriver,
        tag: Int,
        on loop: isolated EventLoop
    ) {
        guard let dialer = dialer as? HopDialer else {
            return resolve(target.place, for: driver, tag: tag, on: loop)
        }
        dialer.start(isSuspect: shared.isOwnPort(target.place.port), on: loop)
    }

    func mint(_ request: LeafRequest, for driver: any LoopDriver, on loop: isolated EventLoop) {
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
                (loop.tenant as? ProxyShard)?.drivers[number]?.minted(result, on: loop)
            }
        }
    }

    /// Verifies a login.
    func authenticate(
        _ check: LoginCheck,
        for driver: any LoopDriver,
        tag: Int,
        on loop: isolated EventLoop
    ) {
        let number = driver.number
        let loop = loop
        shared.logins.verify(check) { verdict in
            loop.post { loop in
                (loop.tenant as? ProxyShard)?.drivers[number]?.authenticated(verdict, tag: tag, on: loop)
            }
        }
    }

    /// Asks about an exchange that is held.
    ///
    /// - Returns: The question, which can be withdrawn.
    func consult(
        _ question: Consultation,
        for driver: any LoopDriver,
        tag: Int,
        on loop: isolated EventLoop
    ) -> OpenQuestion {
        let number = driver.number
        if case .wait(let duration) = question {
            return OpenQuestion(nil, number: number, tag: tag, for: duration, on: loop)
        }
        let interceptor = shared.interceptor
        let home = loop
        let inquiry = Inquiry(question) { decision in
            home.post { loop in
                (loop.tenant as? ProxyShard)?.decided(decision, number: number, tag: tag, on: loop)
            }
        }
        shared.consulting.async { interceptor.decide(inquiry) }
        return OpenQuestion(inquiry, number: number, tag: tag, for: question.timeout, on: loop)
    }

    /// Reads a piece of an answer, on a thread that may wait for a disk.
    func read(
        _ content: AnswerContent,
        _ range: Range<Int>,
        for driver: any LoopDriver,
        tag: Int,
        on loop: isolated EventLoop
    ) {
        let number = driver.number
        let loop = loop
        shared.consulting.async {
            let bytes = content.read(range)
            loop.post { loop in
                (loop.tenant as? ProxyShard)?.drivers[number]?
                    .contentRead(content, bytes, tag: tag, on: loop)
            }
        }
    }

    func decided(
        _ decision: Decision,
        number: UInt64,
        tag: Int,
        on loop: isolated EventLoop
    ) {
        drivers[number]?.decided(decision, tag: tag, on: loop)
    }

    /// Wakes the tunnels that pause because the capture cannot keep up, once it can.
    func awaitRelief(on loop: isolated EventLoop) {
        guard !awaitsRelief else { return }
        awaitsRelief = true
        let loop = loop
        sink.whenRelieved {
            loop.post { loop in
                guard let shard = loop.tenant as? ProxyShard else { return }
                shard.awaitsRelief = false
                for driver in Array(shard.drivers.values) where driver.isPaused { driver.resume(on: loop) }
            }
        }
    }

    /// Whether a connection in whose queues so many bytes wait may read more.
    func mayRead(holding held: Int) -> Bool {
        shared.queues.mayRead(holding: held, of: shared.tunnels.load(ordering: .relaxed))
    }

    /// Wakes the connections that stopped reading, once fewer bytes wait in all queues.
    func awaitRoom(on loop: isolated EventLoop) {
        guard !awaitsRoom else { return }
        awaitsRoom = true
        let loop = loop
        shared.queues.whenRelieved {
            loop.post { loop in
                guard let shard = loop.tenant as? ProxyShard else { return }
                shard.awaitsRoom = false
                for driver in Array(shard.drivers.values) where driver.isPaused { driver.resume(on: loop) }
            }
        }
    }

    /// Sends a message in a WebSocket, where that stands on this loop.
    func send(_ message: OwnMessage, on loop: isolated EventLoop) -> OwnMessage.Outcome {
        for driver in Array(drivers.values) {
            let outcome = driver.send(message, on: loop)
            if outcome != .notOpen { return outcome }
        }
        return .notOpen
    }

    /// Ends the exchange or flow with a number, where it goes on on this loop.
    func abort(_ id: Int64, on loop: isolated EventLoop) -> Bool {
        Array(drivers.values).contains { $0.abort(id, on: loop) }
    }

    // MARK: What takes long

    /// Whether what takes long is looked for soon.
    var looksForSlow: Bool { slowTimer != nil }

    /// Lets an exchange that has begun be recorded as it stands, if it takes long: who watches sees what is waited for.
    ///
    /// One timer does for all of them, and nothing ticks where nothing goes on.
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

    // MARK: The crowd

    /// Whether a connection that stands to the server at `place` is to find out whether that leads back here, since so
    /// many wait for its answers.
    ///
    /// That is counted for a few connections only, so that each of them costs the same however many clients there are.
    func isCrowded(_ place: Authority) -> Bool {
        guard drivers.count >= limits.crowd else { return false }
        connectionsToCensus -= 1
        guard connectionsToCensus <= 0 else { return false }
        connectionsToCensus = drivers.count / 4
        return drivers.values.count { $0.waits(for: place) } >= limits.crowd
    }

    /// Whether an address is one of our own listeners.
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

extension ListenerMode {
    /// What is recorded of clients that come so, until they say more.
    fileprivate var kind: ListenerKind {
        switch self {
        case .explicit: .http
        case .reverse, .forwarding: .reverse
        case .transparent: .transparent
        }
    }

    /// Whether the system leads connections to it.
    var isTransparent: Bool {
        if case .transparent = self { true } else { false }
    }
}
