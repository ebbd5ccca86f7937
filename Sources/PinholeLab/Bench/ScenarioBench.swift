import Logging
package import PinholeClient
import PinholeCrypto
import PinholeLock
package import PinholeModel
import PinholeProxy
package import PinholeRuntime
import PinholeSession
import PinholeTrust
import PinholeWire

/// A scenario that is set up on loopback: the server, and the proxy that is the man in the middle or a mere tunnel.
package final class ScenarioBench: Sendable {
    /// The certificates of the run.
    package let world: LabWorld
    /// The stage that is set up.
    package let staging: Staging
    /// The server of the stage, with its certificates and routes.
    package let origin: Origin
    /// The address on which the proxy listens.
    package let proxyAddress: SocketAddress

    private let proxy: ProxyServer
    /// The identities of the man in the middle; `nil` if the proxy mints them.
    private let identities: FixedIdentity?
    /// The records of the proxy.
    let sink: LabSink
    private let hostileProxy: Origin?
    private let relay: TamperingRelay?
    /// The visits that further clients judge in memory.
    let memory = VisitCache()
    /// Whether every client judges in memory; otherwise only those whose row says so.
    let judgesAllInMemory: Bool

    /// The time that one visit may take; a longer one is inconclusive.
    private let patience: Duration

    private init(
        world: LabWorld,
        staging: Staging,
        origin: Origin,
        proxyAddress: SocketAddress,
        proxy: ProxyServer,
        identities: FixedIdentity?,
        sink: LabSink,
        hostileProxy: Origin?,
        relay: TamperingRelay?,
        judgesAllInMemory: Bool,
        patience: Duration
    ) {
        self.world = world
        self.staging = staging
        self.origin = origin
        self.proxyAddress = proxyAddress
        self.proxy = proxy
        self.identities = identities
        self.sink = sink
        self.hostileProxy = hostileProxy
        self.relay = relay
        self.judgesAllInMemory = judgesAllInMemory
        self.patience = patience
    }

    /// Sets a stage.
    ///
    /// - Parameters:
    ///   - staging: The stage to set up.
    ///   - world: The certificates.
    ///   - patience: The time that one visit may take; a longer one is inconclusive.
    ///   - keepsBodies: Whether the records of the man in the middle contain the bodies.
    ///   - judgesInMemory: Whether clients judge servers in memory that another client has met; for tests of policies.
    /// - Returns: The stage; the proxy listens already.
    /// - Throws: ``LabFailure`` when a part cannot be started.
    package static func start(
        _ staging: Staging,
        _ world: LabWorld,
        patience: Duration = .seconds(60),
        keepsBodies: Bool = false,
        judgesInMemory: Bool = false
    ) async throws(LabFailure) -> ScenarioBench {
        do {
            var host = VirtualHost(world.host, identity: staging.identity, options: staging.options)
            host.alternative = staging.alternative
            let origin = try await Origin.start(
                hosts: [staging.defaultHost, host].compactMap { $0 } + staging.otherHosts,
                routes: staging.routes
            )
            var hostileProxy: Origin?
            if let routes = staging.hostileProxy {
                hostileProxy = try await Origin.start(hosts: [host], routes: routes)
            }
            var relay: TamperingRelay?
            if !staging.tampersBeforeProxy {
                relay = try await Self.relay(staging, before: origin.secureAddress)
            }
            let sink = LabSink()
            var identities: FixedIdentity?
            if case .presenting(let identity) = staging.impostor {
                identities = FixedIdentity(identity, others: staging.otherHosts, honest: world)
                identities?.letPass(staging.patience)
            }
            let proxy = try ProxyServer(
                setup: try setup(staging, world, patience, identities),
                sink: sink,
                keepsBodies: keepsBodies,
                // The names of the lab exist nowhere; they all lead to its server.
                overrides: [try Resolver.Override("*:*:127.0.0.1")],
                loopCount: 1,
                logger: Logger(label: "pinhole.lab") { _ in SwiftLogNoOpLogHandler() }
            )
            let wanted = SocketAddress(origin.secureAddress.address, port: 0)
            let bound = try await proxy.start(on: [wanted])
            var entrance = hostileProxy?.plainAddress ?? bound.first ?? wanted
            if staging.tampersBeforeProxy {
                let ports = [origin.secureAddress.port, origin.plainAddress.port]
                relay = try await Self.relay(staging, before: entrance, ports: ports)
                entrance = relay?.address ?? entrance
            }
            return ScenarioBench(
                world: world,
                staging: staging,
                origin: origin,
                proxyAddress: entrance,
                proxy: proxy,
                identities: identities,
                sink: sink,
                hostileProxy: hostileProxy,
                relay: relay,
                judgesAllInMemory: judgesInMemory,
                patience: patience
            )
        } catch {
            throw LabFailure("the scenario could not be set up: \(error)")
        }
    }

    /// Starts the relay that tampers with bytes; `nil` if the stage has no tampering.
    private static func relay(
        _ staging: Staging,
        before server: SocketAddress,
        ports: [UInt16] = []
    ) async throws(SystemFailure) -> TamperingRelay? {
        guard let tampering = staging.tampering else { return nil }
        return try await TamperingRelay.start(tampering, before: server, staging.journal, ports: ports)
    }

    /// Lets the next connections meet the honest server.
    ///
    /// - Parameter count: The number of connections; the man in the middle intercepts later ones.
    func letPass(_ count: Int) { identities?.letPass(count) }

    /// Takes the stage down.
    package func stop() {
        proxy.shutDown()
        hostileProxy?.stop()
        relay?.stop()
        origin.stop()
    }

    private static func setup(
        _ staging: Staging,
        _ world: LabWorld,
        _ patience: Duration,
        _ identities: FixedIdentity?
    ) throws -> ProxySetup {
        let trust = try TrustAnchors(
            system: false,
            additional: [world.honest.root.certificate, world.rogue.root.certificate]
        )
        // A busy machine must not look like a client that gave up.
        var configuration = Configuration()
        configuration.limits.connectTimeout = patience
        configuration.limits.handshakeTimeout = patience
        configuration.limits.headTimeout = patience
        configuration.tls.passthrough = staging.impostor == nil ? ["*"] : []
        var assembly = Assembly(configuration, world.proxyAuthority)
        assembly.anchors = trust
        assembly.accepting = staging.impostorOptions
        assembly.provider = identities
        assembly.page = Onboarding(downloads: [], subject: "", fingerprint: "", expiry: "")
        return try assembly.setup()
    }
}

// MARK: Visits

extension ScenarioBench {
    /// Makes the URL that the app requests.
    ///
    /// - Parameters:
    ///   - host: The host as the app writes it; `nil` for the stage's.
    ///   - path: The path; `nil` for the stage's.
    /// - Returns: The URL.
    /// - Throws: ``LabFailure`` if they make no valid URL.
    package func url(writing host: String? = nil, path: String? = nil) throws(LabFailure) -> ClientURL {
        let host = host ?? staging.writtenHost ?? world.host.uriText
        let path = path ?? staging.path
        let address = staging.scheme == .https ? secureAddress : origin.plainAddress
        return try LabFailure.wrapping {
            try ClientURL("\(staging.scheme.rawValue)://\(host):\(address.port)\(path)")
        }
    }

    /// The host and port that policies are made for.
    package var authority: Authority {
        Authority(host: world.host, port: secureAddress.port)
    }

    /// The address at which the server is reached, or the relay that tampers with bytes before it.
    private var secureAddress: SocketAddress {
        staging.tampersBeforeProxy ? origin.secureAddress : relay?.address ?? origin.secureAddress
    }

    /// The target that policies are made for: this stage's server and world.
    var target: LabPolicy.Target {
        LabPolicy.Target(world: world, authority: authority, isFirstContact: staging.isFirstContact)
    }

    /// The settings of a client on this stage's device.
    package func settings(for policy: LabPolicy) -> ClientSettings {
        var settings = ClientSettings(
            anchors: staging.roots(in: world),
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(),
            reading: .whole(atMost: 1 << 20)
        )
        if staging.installsProxyAuthority { settings.userAnchors = [world.proxyRoot.sha256] }
        settings.proxy = ClientSettings.Proxy(
            Authority(host: .address(proxyAddress.address), port: proxyAddress.port)
        )
        settings.verifier = policy.verifier
        settings.logs = world.logs.list
        settings.patience = patience
        settings.limits.connectTimeout = patience
        settings.limits.handshakeTimeout = patience
        if staging.knowsLogin, let url = try? url() {
            let login = LabWorld.login
            settings.logins = [(url, Credential(user: login.user, password: login.password))]
        }
        if staging.collectsReports {
            let host = Authority(host: LabWorld.reportHost, port: secureAddress.port)
            settings.reportCollector = try? ClientURL("https://\(host)\(LabWorld.reportPath)")
        }
        policy.adapt(&settings, target)
        staging.adapt?(&settings)
        return settings
    }

    /// Makes a client of a policy.
    ///
    /// - Parameters:
    ///   - policy: The policy that it decides by.
    ///   - sessions: TLS sessions that it shares with other clients.
    /// - Returns: The client.
    /// - Throws: ``LabFailure`` if it cannot be made.
    package func client(
        of policy: LabPolicy,
        sharing sessions: SessionCache = SessionCache()
    ) throws(LabFailure) -> PinholeClient {
        let (settings, delegate) = try clientParts(of: policy)
        return try LabFailure.wrapping { try PinholeClient(settings, delegate: delegate, sessions: sessions) }
    }

    /// The settings and the delegate of a client of a policy.
    func clientParts(
        of policy: LabPolicy
    ) throws(LabFailure) -> (settings: ClientSettings, delegate: ClientDelegate) {
        let trust = try policy.make(target)
        var settings = settings(for: policy)
        settings.cleartextPolicy = trust
        settings.defaultPolicy = trust.defaultHandling(of: authority)
        return (settings, ClientDelegate.judging(by: trust, answer: policy.answer))
    }

    /// Lets a client fetch once.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - url: The URL of the request; `nil` for the stage's.
    /// - Returns: The behaviour of the client, seen from both ends.
    /// - Throws: ``LabFailure`` if the stage has no valid URL.
    package func visit(_ client: PinholeClient, _ url: ClientURL? = nil) async throws(LabFailure) -> Visit {
        let wanted: ClientURL
        if let url { wanted = url } else { wanted = try self.url() }
        return await visit(client, ClientRequest(wanted))
    }

    /// Lets a client send a request.
    ///
    /// - Returns: The behaviour of the client, seen from both ends.
    package func visit(_ client: PinholeClient, _ request: ClientRequest) async -> Visit {
        let outcome = await client.fetch(request)
        var observation = Observation(outcome)
        observation.wire = await sink.collect(within: patience)
        return Visit(outcome: outcome, observation: observation)
    }

    /// A client of a policy fetches once.
    package func visit(_ policy: LabPolicy) async throws(LabFailure) -> Observation {
        try await visitOnce(policy).observation
    }

    /// A fetch on a stage, and the observation that follows from it.
    package struct Visit: Sendable {
        /// The outcome of the fetch, as the client tells it.
        package let outcome: FetchOutcome
        /// The observation that follows from the outcome.
        package var observation: Observation

        /// The status of the answer; `nil` for none.
        package var status: Int? { (try? outcome.result.get())?.head.status }

        /// The notes of the client during the fetch.
        var notes: [String] {
            outcome.story.steps.compactMap { if case .note(let note) = $0 { note } else { nil } }
        }

        /// Whether the client timed out or did not reach the stage, so that its failure is no refusal.
        package var isLost: Bool {
            switch observation.failure?.code {
            case .timedOut, .cannotConnectToHost, .cannotFindHost: true
            default: false
            }
        }

        /// The observation with another decision.
        package func decided(_ decision: Observation.Decision, _ summary: String) -> Observation {
            var observation = observation
            observation.decision = decision
            observation.summary = summary
            return observation
        }
    }
}

/// Presents one identity for every host, except for hosts with an identity of their own.
///
/// The first connections may get the honest server's identity: a man in the middle who lets them pass.
private final class FixedIdentity: IdentityProvider {
    private let identity: Identity
    private let others: [Host: Identity]
    private let honest: LabWorld
    private let passing = Lock(0)

    init(_ identity: Identity, others: [VirtualHost], honest: LabWorld) {
        self.identity = identity
        self.others = Dictionary(others.compactMap { host in host.identity.map { (host.name, $0) } }) { $1 }
        self.honest = honest
    }

    func letPass(_ count: Int) { passing.withLock { $0 = count } }

    /// Asked once for each connection.
    func cached(_ request: LeafRequest, now: Timestamp) -> Identity? {
        if let other = request.names.first.flatMap({ others[$0] }) { return other }
        guard request.names.contains(honest.host) else { return identity }
        let passes = passing.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
        return passes ? honest.identity : identity
    }

    func mint(_ request: LeafRequest, now: Timestamp) throws(CryptoFailure) -> Identity {
        cached(request, now: now) ?? identity
    }
}
