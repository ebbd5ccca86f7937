import Dispatch
import Glibc
package import Logging
package import PinholeCrypto
import PinholeLock
package import PinholeModel
package import PinholeProxy
import Synchronization

/// What tunnels begin with; a changed configuration makes a new one.
package struct ProxySetup: Sendable {
    /// What decisions depend on.
    package var policy: ProxyPolicy
    /// TLS contexts and what is remembered.
    package var environment: TunnelEnvironment
    /// Provides what intercepted hosts are shown under.
    package var minter: any IdentityProvider
    /// What marks connections to servers for the firewall (SO_MARK); `nil` for nothing.
    package var mark: UInt32?
    /// Where connections to servers come from.
    package var sources = SourceAddresses()

    /// Creates a setup.
    package init(policy: ProxyPolicy, environment: TunnelEnvironment, minter: any IdentityProvider) {
        self.policy = policy
        self.environment = environment
        self.minter = minter
    }
}

/// What the shards share.
final class ProxyShared: Sendable {
    /// Where no connection may go, and the addresses that lead there.
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
    /// What this run of the proxy is called toward other proxies.
    private let pseudonym = Pseudonym.random()
    let tunnels = Atomic<Int>(0)
    /// The number of accepted connections of clients, the closed ones included.
    let connections = Atomic<Int>(0)
    /// Leaves are signed off the loops: a signature takes as long as a hundred small requests.
    let minting = DispatchQueue(label: "pinhole.minting", attributes: .concurrent)
    /// Passwords are verified off the loops, too.
    let logins = LoginDesk(cores: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// What is asked about exchanges waits for files.
    let consulting = DispatchQueue(label: "pinhole.consulting", attributes: .concurrent)
    /// Answers it.
    let interceptor: any Interceptor
    private let own = Lock(Own())
    private let whenIdle = Lock<(@Sendable () -> Void)?>(nil)

    init(
        setup: ProxySetup,
        sink: any FlowSink,
        keepsBodies: Bool,
        interceptor: any Interceptor,
        resolver: Resolver,
        clients: ClientFinder,
        logger: Logger
    ) {
        self.interceptor = interceptor
        limits = setup.policy.limits
        unanswered = UnansweredDials(limit: limits.unansweredDials)
        queues = QueueBudget(limit: limits.queued)
        self.setup = Lock(setup)
        outgoing.use(mark: setup.mark, from: setup.sources)
        self.sink = sink
        self.keepsBodies = keepsBodies
        self.resolver = resolver
        self.clients = clients
        self.logger = logger
    }

    /// The policy of `setup`, with what this proxy is called.
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

    /// Whether connecting to `address` would reach one of our listeners, or what is protected: a request
    /// would go round in circles, or reach what only the local user may reach.
    func isOwn(_ address: SocketAddress) -> Bool {
        let host = address.address.unmapped
        return own.withLock { own in
            (own.listeners + own.protected).contains { listener in
                guard listener.port == address.port else { return false }
                let bound = listener.address.unmapped
                if bound == host { return true }
                if bound.isUnspecified { return host.isLoopback || own.interfaces.contains(host) }
                // 0.0.0.0 and :: connect to this machine's loopback address.
                return host.isUnspecified && bound.isLoopback
            }
        }
    }

    /// Whether whoever has this address is on this machine.
    func isOfThisMachine(_ address: IPAddress) -> Bool {
        address.isLoopback || own.withLock { $0.interfaces.contains(address.unmapped) }
    }

    /// Whether one of our listeners, or what is protected, has this port on some address.
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

/// The proxy: listeners and tunnels on as many loops as there are cores.
package final class ProxyServer: Sendable {
    private let shared: ProxyShared
    private let loops: [EventLoop]

    /// Creates a proxy; nothing listens yet.
    ///
    /// - Parameters:
    ///   - setup: What tunnels begin with.
    ///   - sink: Receives what is recorded.
    ///   - keepsBodies: Whether bodies are captured.
    ///   - overrides: Addresses that are used without asking (`--resolve`).
    ///   - interceptor: Answers what is asked about exchanges.
    ///   - loopCount: The number of event loops; one per core.
    ///   - logger: For what people should know.
    /// - Throws: ``SystemFailure`` when the system gives no descriptors.
    package init(
        setup: ProxySetup,
        sink: any FlowSink,
        keepsBodies: Bool,
        overrides: [Resolver.Override] = [],
        interceptor: any Interceptor = RuleWorker(),
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
        let memoryKeeper = MemoryKeeper(loopCount: loopCount)
        for number in 0..<loopCount {
            loops.append(try EventLoop(number: number, clock: clock, memoryKeeper: memoryKeeper))
        }
        self.loops = loops
    }

    /// Listens and accepts.
    ///
    /// - Parameter addresses: Where; port 0 lets the kernel choose.
    /// - Returns: Where it listens, in the same order.
    /// - Throws: ``SystemFailure`` when an address cannot be used.
    package func start(on addresses: [SocketAddress]) async throws(SystemFailure) -> [SocketAddress] {
        try await start(on: addresses.map { ListeningPoint($0) }).map(\.address)
    }

    /// Listens and accepts, each listener in a mode of its own.
    ///
    /// - Parameter points: Where, and what clients find there; port 0 lets the kernel choose.
    /// - Returns: Where it listens, in the same order.
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
                loop.tenant = shard
                continuation.resume(
                    returning: Result { () throws(SystemFailure) in
                        try shard.listen(on: points, on: loop)
                        return shard.points
                    }
                )
            }
        }
    }

    /// Listens at one more loopback address without a login, for one program of the user.
    ///
    /// - Parameter address: The address; the kernel chooses the port in place of port 0.
    /// - Returns: The address with its actual port.
    /// - Throws: ``SystemFailure`` when the address cannot be used.
    package func openPrivateListener(on address: SocketAddress) async throws(SystemFailure) -> SocketAddress {
        var bound = address
        for loop in loops {
            bound = try await withCheckedContinuation { continuation in
                loop.post { [bound] loop in
                    let shard = loop.tenant as? ProxyShard
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

    /// Closes a listener that ``openPrivateListener(on:)`` opened; its connections stay.
    package func closePrivateListener(_ address: SocketAddress) {
        tellShards { shard, loop in shard.stopListening(at: address, on: loop) }
        shared.removeOwn(address)
    }

    /// Serves a network namespace, all of whose connections are led to its listeners.
    ///
    /// - Parameter namespace: Its sockets, which are taken over.
    /// - Throws: ``SystemFailure`` when the sockets cannot be used.
    package func serve(_ namespace: IsolatedSockets) async throws(SystemFailure) {
        // One loop suffices for one program, and each socket belongs to one loop.
        guard let loop = loops.first else { return }
        let result: Result<Void, SystemFailure> = await withCheckedContinuation { continuation in
            loop.post { loop in
                continuation.resume(
                    returning: Result { () throws(SystemFailure) in
                        try (loop.tenant as? ProxyShard)?.serve(namespace, on: loop)
                    }
                )
            }
        }
        try result.get()
    }

    /// Refuses to connect to `addresses`, under any spelling, as to its own listeners.
    ///
    /// What listens there, as a control API does, trusts whoever can connect to loopback, and whoever can use
    /// the proxy could.
    package func protect(_ addresses: [SocketAddress]) { shared.setProtected(addresses) }

    /// Uses another setup for tunnels that begin from now on.
    package func adopt(_ setup: ProxySetup) {
        shared.setup.withLock { $0 = setup }
        shared.outgoing.use(mark: setup.mark, from: setup.sources)
        tellShards { shard, loop in shard.adopt(setup, on: loop) }
    }

    /// Ends connections to hosts whose settings were changed, once they are idle: the next ones follow ``adopt(_:)``.
    ///
    /// - Parameter isMeant: Whether the settings of a server have changed.
    package func retire(_ isMeant: @escaping @Sendable (Authority) -> Bool) {
        tellShards { shard, loop in shard.retire(isMeant, on: loop) }
    }

    /// Accepts nothing more and lets open tunnels finish; those that do not by the deadline are cut.
    ///
    /// - Parameter deadline: How long open tunnels get.
    package func drain(within deadline: Duration) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let ending = Lock<CheckedContinuation<Void, Never>?>(continuation)
            let end: @Sendable () -> Void = { ending.withLock { $0.take() }?.resume() }
            let left = Lock<Int>(loops.count)
            // It is over when every loop has cut its tunnels: only then all is recorded.
            let cut: @Sendable () -> Void = { [loops] in
                for loop in loops {
                    loop.post { loop in
                        (loop.tenant as? ProxyShard)?.stop(on: loop)
                        let isLast = left.withLock { count in
                            count -= 1
                            return count == 0
                        }
                        if isLast { end() }
                    }
                }
            }
            shared.setWhenIdle(end)
            tellShards { shard, loop in shard.drain(on: loop) }
            for loop in loops {
                loop.post { [shared] _ in if shared.tunnels.load(ordering: .relaxed) == 0 { end() } }
            }
            let seconds = Double(deadline.milliseconds) / 1000
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: cut)
        }
        shared.setWhenIdle(nil)
    }

    /// Sends a message in a WebSocket that stands.
    ///
    /// - Parameter message: The message.
    /// - Returns: What became of it.
    package func send(_ message: OwnMessage) async -> OwnMessage.Outcome {
        for loop in loops {
            let outcome = await withCheckedContinuation { continuation in
                loop.post { loop in
                    continuation.resume(
                        returning: (loop.tenant as? ProxyShard)?.send(message, on: loop) ?? .notOpen
                    )
                }
            }
            if outcome != .notOpen { return outcome }
        }
        return .notOpen
    }

    /// Ends an exchange, or the relay or connection of a flow, toward both sides.
    ///
    /// - Parameter id: Its number.
    /// - Returns: Whether it went on here.
    package func abort(_ id: Int64) async -> Bool {
        for loop in loops {
            let wasFound = await withCheckedContinuation { continuation in
                loop.post { loop in
                    continuation.resume(
                        returning: (loop.tenant as? ProxyShard)?.abort(id, on: loop) ?? false
                    )
                }
            }
            if wasFound { return true }
        }
        return false
    }

    /// Cuts every tunnel.
    package func stop() {
        tellShards { shard, loop in shard.stop(on: loop) }
    }

    /// Cuts every tunnel and ends the loops: nothing is left of the proxy.
    package func shutDown() {
        for loop in loops {
            loop.post { loop in
                (loop.tenant as? ProxyShard)?.stop(on: loop)
                loop.tenant = nil
                loop.stop()
            }
        }
    }

    /// The number of open tunnels.
    package var tunnelCount: Int { shared.tunnels.load(ordering: .relaxed) }

    /// The number of connections that clients have made so far.
    package var connectionCount: Int { shared.connections.load(ordering: .relaxed) }

    private func tellShards(_ action: @escaping @Sendable (ProxyShard, isolated EventLoop) -> Void) {
        for loop in loops {
            loop.post { loop in
                guard let shard = loop.tenant as? ProxyShard else { return }
                action(shard, loop)
            }
        }
    }
}
