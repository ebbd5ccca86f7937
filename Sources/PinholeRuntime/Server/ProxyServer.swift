import Dispatch
import Glibc
package import Logging
package import PinholeCrypto
import PinholeLock
package import PinholeModel
package import PinholeProxy
import Synchronization

/// The settings that a new tunnel starts with.
///
/// A changed configuration makes a new setup.
package struct ProxySetup: Sendable {
    /// The policy, which decisions depend on.
    package var policy: ProxyPolicy
    /// The TLS contexts and the caches.
    package var environment: TunnelEnvironment
    /// Provides the certificate chains that the proxy presents for intercepted hosts.
    package var minter: any IdentityProvider
    /// The mark of connections to servers for the firewall (SO_MARK); `nil` for none.
    package var mark: UInt32?
    /// The source addresses of connections to servers.
    package var sources = SourceAddresses()

    /// Creates a setup.
    package init(policy: ProxyPolicy, environment: TunnelEnvironment, minter: any IdentityProvider) {
        self.policy = policy
        self.environment = environment
        self.minter = minter
    }
}

/// The state that all shards share.
final class ProxyShared: Sendable {
    /// The addresses that no connection may reach, and the addresses of this machine.
    private struct Own {
        var listeners: [SocketAddress] = []
        var protected: [SocketAddress] = []
        var interfaces: [IPAddress] = []
    }

    let setup: Lock<ProxySetup>
    let limits: Limits
    let sink: any FlowSink
    let keepsBodies: Bool
    let resolver: Resolver
    let logger: Logger
    let outgoing = OutgoingConnections()
    let clients: ClientFinder
    let unanswered: UnansweredDials
    let queues: QueueBudget
    /// The name of this run of the proxy toward other proxies.
    private let pseudonym = Pseudonym.random()
    /// The places of all listeners.
    let limiter: ConnectionLimiter
    let tunnels = Atomic<Int>(0)
    /// The number of accepted client connections, including closed ones.
    let connections = Atomic<Int>(0)
    /// Leaves are signed outside of the loops: a signature takes as long as a hundred small requests.
    let minting = DispatchQueue(label: "pinhole.minting", attributes: .concurrent)
    /// Passwords are verified outside of the loops, too.
    let logins = LoginVerifier(cores: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// The queue for questions about exchanges, whose answers may wait for files.
    let consulting = DispatchQueue(label: "pinhole.consulting", attributes: .concurrent)
    /// Answers questions about exchanges.
    let interceptor: any ExchangeInterceptor
    private let own = Lock(Own())
    private let whenIdle = Lock<(@Sendable () -> Void)?>(nil)

    init(
        setup: ProxySetup,
        sink: any FlowSink,
        keepsBodies: Bool,
        interceptor: any ExchangeInterceptor,
        resolver: Resolver,
        clients: ClientFinder,
        logger: Logger
    ) {
        self.interceptor = interceptor
        limits = setup.policy.limits
        unanswered = UnansweredDials(limit: limits.unansweredDials)
        queues = QueueBudget(limit: limits.queued)
        limiter = ConnectionLimiter(limits.admission)
        self.setup = Lock(setup)
        outgoing.use(mark: setup.mark, from: setup.sources)
        self.sink = sink
        self.keepsBodies = keepsBodies
        self.resolver = resolver
        self.clients = clients
        self.logger = logger
    }

    /// The policy of `setup` with the name of this proxy.
    func policy(of setup: ProxySetup) -> ProxyPolicy {
        var policy = setup.policy
        policy.pseudonym = pseudonym
        return policy
    }

    func setOwn(_ listeners: [SocketAddress]) {
        let interfaces = LocalInterfaces.addresses()
        own.withLock { own in
            own.listeners = listeners
            own.interfaces = interfaces
        }
    }

    func addOwn(_ listener: SocketAddress) { own.withLock { $0.listeners.append(listener) } }

    func removeOwn(_ listener: SocketAddress) { own.withLock { $0.listeners.removeAll { $0 == listener } } }

    func setProtected(_ addresses: [SocketAddress]) {
        own.withLock { $0.protected = addresses }
    }

    /// Whether a connection to `address` would reach one of the proxy's listeners or a protected address.
    ///
    /// Such a request would go round in a loop, or reach a service that only the local user may use.
    func isOwn(_ address: SocketAddress) -> Bool {
        let host = address.address.unmapped
        return own.withLock { own in
            (own.listeners + own.protected).contains { listener in
                guard listener.port == address.port else { return false }
                let bound = listener.address.unmapped
                if bound == host { return true }
                if bound.isUnspecified { return host.isLoopback || own.interfaces.contains(host) }
                // A connection to 0.0.0.0 or :: reaches this machine's loopback address.
                return host.isUnspecified && bound.isLoopback
            }
        }
    }

    /// Whether this address belongs to this machine.
    func isOfThisMachine(_ address: IPAddress) -> Bool {
        address.isLoopback || own.withLock { $0.interfaces.contains(address.unmapped) }
    }

    /// Whether one of the proxy's listeners or protected addresses has this port.
    func isOwnPort(_ port: UInt16) -> Bool {
        own.withLock { own in (own.listeners + own.protected).contains { $0.port == port } }
    }

    func setWhenIdle(_ action: (@Sendable () -> Void)?) {
        whenIdle.withLock { $0 = action }
    }

    func tellIdle() {
        whenIdle.withLock { $0 }?()
    }
}

/// The proxy: listeners and tunnels on one loop per core.
package final class ProxyServer: Sendable {
    private let shared: ProxyShared
    private let loops: [EventLoop]

    /// Creates a proxy that does not listen yet.
    ///
    /// - Parameters:
    ///   - setup: The settings of new tunnels.
    ///   - sink: Receives the records.
    ///   - keepsBodies: Whether bodies are captured.
    ///   - overrides: Fixed answers in place of the resolver's (`--resolve`).
    ///   - interceptor: Answers questions about exchanges.
    ///   - loopCount: The number of event loops; one per core.
    ///   - logger: Receives messages for the user.
    /// - Throws: ``SystemFailure`` when the system gives no descriptors.
    package init(
        setup: ProxySetup,
        sink: any FlowSink,
        keepsBodies: Bool,
        overrides: [Resolver.Override] = [],
        interceptor: any ExchangeInterceptor = RuleWorker(),
        loopCount: Int = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))),
        logger: Logger
    ) throws(SystemFailure) {
        let clock = LoopClock()
        shared = ProxyShared(
            setup: setup,
            sink: sink,
            keepsBodies: keepsBodies,
            interceptor: interceptor,
            resolver: Resolver(
                overrides: overrides,
                lifetime: setup.policy.limits.resolutionLifetime,
                clock: clock
            ),
            clients: ClientFinder(clock: clock),
            logger: logger
        )
        var loops: [EventLoop] = []
        let memoryTrimmer = MemoryTrimmer(loopCount: loopCount)
        for number in 0..<loopCount {
            loops.append(try EventLoop(number: number, clock: clock, memoryTrimmer: memoryTrimmer))
        }
        self.loops = loops
    }

    /// Starts to listen and accept.
    ///
    /// - Parameter addresses: The addresses; with port 0 the kernel chooses a port.
    /// - Returns: The actual addresses, in the same order.
    /// - Throws: ``SystemFailure`` when an address cannot be used.
    package func start(on addresses: [SocketAddress]) async throws(SystemFailure) -> [SocketAddress] {
        try await start(on: addresses.map { ListeningPoint($0) }).map(\.address)
    }

    /// Starts to listen and accept, with a mode for each listener.
    ///
    /// - Parameter points: The addresses and modes; with port 0 the kernel chooses a port.
    /// - Returns: The actual addresses, in the same order.
    /// - Throws: ``SystemFailure`` when an address cannot be used.
    package func start(on points: [ListeningPoint]) async throws(SystemFailure) -> [ListeningPoint] {
        for point in points { try Listener.checkIsFree(point.address) }
        if points.contains(where: \.mode.isTransparent) { shared.outgoing.remember() }
        var bound = points
        for loop in loops {
            loop.start()
            bound = try await open(bound, on: loop).get()
        }
        shared.setOwn(bound.map(\.address))
        return bound
    }

    private func open(
        _ points: [ListeningPoint],
        on loop: EventLoop
    ) async -> Result<[ListeningPoint], SystemFailure> {
        await withCheckedContinuation { continuation in
            loop.post { [shared] loop in
                let shard = ProxyShard(shared)
                loop.owner = shard
                continuation.resume(
                    returning: Result { () throws(SystemFailure) in
                        try shard.listen(on: points, on: loop)
                        return shard.points
                    }
                )
            }
        }
    }

    /// Opens another listener at a loopback address, without a login, for one program of the user.
    ///
    /// - Parameter address: The address; with port 0 the kernel chooses a port.
    /// - Returns: The address with its actual port.
    /// - Throws: ``SystemFailure`` when the address cannot be used.
    package func openPrivateListener(on address: SocketAddress) async throws(SystemFailure) -> SocketAddress {
        var bound = address
        for loop in loops {
            bound = try await withCheckedContinuation { continuation in
                loop.post { [bound] loop in
                    let shard = loop.owner as? ProxyShard
                    let result = Result { () throws(SystemFailure) in
                        try shard?.listenPrivately(on: bound, on: loop) ?? bound
                    }
                    continuation.resume(returning: result)
                }
            }.get()
        }
        shared.addOwn(bound)
        return bound
    }

    /// Closes a listener that ``openPrivateListener(on:)`` opened.
    ///
    /// Its connections stay open.
    package func closePrivateListener(_ address: SocketAddress) {
        tellShards { shard, loop in shard.stopListening(at: address, on: loop) }
        shared.removeOwn(address)
    }

    /// Serves a network namespace whose connections all lead to its listeners.
    ///
    /// - Parameter namespace: The sockets, which the proxy takes over.
    /// - Throws: ``SystemFailure`` when the sockets cannot be used.
    package func serve(_ namespace: IsolatedSockets) async throws(SystemFailure) {
        // One loop is enough for one program, and each socket belongs to one loop.
        guard let loop = loops.first else { return }
        let result: Result<Void, SystemFailure> = await withCheckedContinuation { continuation in
            loop.post { loop in
                continuation.resume(
                    returning: Result { () throws(SystemFailure) in
                        try (loop.owner as? ProxyShard)?.serve(namespace, on: loop)
                    }
                )
            }
        }
        try result.get()
    }

    /// Refuses connections to `addresses`, in any notation, as if they were the proxy's own listeners.
    ///
    /// A service there, such as a control API, trusts every client on the loopback address. Without this,
    /// every user of the proxy could reach it.
    package func protect(_ addresses: [SocketAddress]) { shared.setProtected(addresses) }

    /// Uses another setup for new tunnels.
    package func adopt(_ setup: ProxySetup) {
        shared.setup.withLock { $0 = setup }
        shared.outgoing.use(mark: setup.mark, from: setup.sources)
        tellShards { shard, loop in shard.adopt(setup, on: loop) }
    }

    /// Ends connections to hosts whose settings were changed, as soon as they are idle.
    ///
    /// The next connections follow ``adopt(_:)``.
    ///
    /// - Parameter isSelected: Whether the settings of a server have changed.
    package func retire(_ isSelected: @escaping @Sendable (Authority) -> Bool) {
        tellShards { shard, loop in shard.retire(isSelected, on: loop) }
    }

    /// Stops accepting and lets open tunnels finish.
    ///
    /// Tunnels that are open at the deadline are closed.
    ///
    /// - Parameter deadline: The time for open tunnels to finish.
    package func drain(within deadline: Duration) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let ending = Lock<CheckedContinuation<Void, Never>?>(continuation)
            // The drain ends when each loop has closed its tunnels and its idle connections to servers, and knows the
            // programs of their clients as far as they are found: only then everything is recorded.
            let cut: @Sendable () -> Void = { [self] in
                guard let continuation = ending.withLock({ $0.take() }) else { return }
                tellShards { shard, loop in
                    shard.stop(on: loop)
                } then: { [self] in
                    shared.clients.finish { [self] in
                        tellShards { _, _ in
                        } then: {
                            continuation.resume()
                        }
                    }
                }
            }
            shared.setWhenIdle(cut)
            tellShards { shard, loop in shard.drain(on: loop) }
            for loop in loops {
                loop.post { [shared] _ in if shared.tunnels.load(ordering: .relaxed) == 0 { cut() } }
            }
            let seconds = Double(deadline.milliseconds) / 1000
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: cut)
        }
        shared.setWhenIdle(nil)
    }

    /// Sends a message in an open WebSocket.
    ///
    /// - Returns: The result.
    package func send(_ message: OwnMessage) async -> OwnMessage.Outcome {
        for loop in loops {
            let outcome = await withCheckedContinuation { continuation in
                loop.post { loop in
                    continuation.resume(
                        returning: (loop.owner as? ProxyShard)?.send(message, on: loop) ?? .notOpen
                    )
                }
            }
            if outcome != .notOpen { return outcome }
        }
        return .notOpen
    }

    /// Ends an exchange, or the relay or connection of a flow, toward both sides.
    ///
    /// - Parameter id: The number of the exchange or flow.
    /// - Returns: Whether it was found.
    package func abort(_ id: Int64) async -> Bool {
        for loop in loops {
            let wasFound = await withCheckedContinuation { continuation in
                loop.post { loop in
                    continuation.resume(
                        returning: (loop.owner as? ProxyShard)?.abort(id, on: loop) ?? false
                    )
                }
            }
            if wasFound { return true }
        }
        return false
    }

    /// Closes every tunnel.
    package func stop() {
        tellShards { shard, loop in shard.stop(on: loop) }
    }

    /// Closes every tunnel and ends the loops.
    package func shutDown() {
        for loop in loops {
            loop.post { loop in
                (loop.owner as? ProxyShard)?.stop(on: loop)
                loop.owner = nil
                loop.stop()
            }
        }
    }

    /// The number of open tunnels.
    package var tunnelCount: Int { shared.tunnels.load(ordering: .relaxed) }

    /// The number of connections that clients have made so far.
    package var connectionCount: Int { shared.connections.load(ordering: .relaxed) }

    /// Runs `action` on each loop, and then `then` on the loop that is last.
    private func tellShards(
        _ action: @escaping @Sendable (ProxyShard, isolated EventLoop) -> Void,
        then: @escaping @Sendable () -> Void = {}
    ) {
        let left = Lock(loops.count)
        for loop in loops {
            loop.post { loop in
                if let shard = loop.owner as? ProxyShard { action(shard, loop) }
                let isLast = left.withLock { count in
                    count -= 1
                    return count == 0
                }
                if isLast { then() }
            }
        }
    }
}
