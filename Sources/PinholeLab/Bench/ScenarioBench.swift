import Logging
import PinholeCrypto
package import PinholeModel
import PinholeProxy
package import PinholeRuntime
import PinholeTrust

/// One scenario, set up on loopback: the server, and the proxy that is the man in the middle or a mere tunnel.
package final class ScenarioBench: Sendable {
    /// The certificates.
    package let world: LabWorld
    /// What is set up.
    package let staging: Staging
    /// The server.
    package let origin: Origin
    /// Where the proxy listens.
    package let proxyAddress: SocketAddress

    private let proxy: ProxyServer
    /// What the proxy saw.
    let sink: LabSink

    /// How long one visit may take until it is inconclusive.
    package static let patience = Duration.seconds(20)

    private init(
        world: LabWorld,
        staging: Staging,
        origin: Origin,
        proxyAddress: SocketAddress,
        proxy: ProxyServer,
        sink: LabSink
    ) {
        self.world = world
        self.staging = staging
        self.origin = origin
        self.proxyAddress = proxyAddress
        self.proxy = proxy
        self.sink = sink
    }

    /// Sets a stage.
    ///
    /// - Parameters:
    ///   - staging: What is set up.
    ///   - world: The certificates.
    /// - Returns: The stage; the proxy listens already.
    /// - Throws: ``LabFailure`` when a part cannot be started.
    package static func start(_ staging: Staging, _ world: LabWorld) async throws(LabFailure) -> ScenarioBench
    {
        do {
            let host = VirtualHost(world.host, identity: staging.identity)
            let origin = try await Origin.start(hosts: [host] + staging.otherHosts, routes: staging.routes)
            let sink = LabSink()
            let proxy = try ProxyServer(
                setup: try setup(staging, world),
                sink: sink,
                keepsBodies: false,
                // The names of the lab exist nowhere; they all lead to its server.
                overrides: [try Resolver.Override("*:*:127.0.0.1")],
                loopCount: 1,
                logger: Logger(label: "pinhole.lab") { _ in SwiftLogNoOpLogHandler() }
            )
            let wanted = SocketAddress(origin.secureAddress.address, port: 0)
            let bound = try await proxy.start(on: [wanted])
            return ScenarioBench(
                world: world,
                staging: staging,
                origin: origin,
                proxyAddress: bound.first ?? wanted,
                proxy: proxy,
                sink: sink
            )
        } catch {
            throw LabFailure("the scenario could not be set up: \(error)")
        }
    }

    /// Takes the stage down.
    package func stop() {
        proxy.shutDown()
        origin.stop()
    }

    private static func setup(_ staging: Staging, _ world: LabWorld) throws -> ProxySetup {
        let trust = try TrustAnchors(
            system: false,
            additional: [world.honest.root.certificate, world.rogue.root.certificate]
        )
        let versions = TLSVersion.tls12 ... .tls13
        let environment = TunnelEnvironment(
            accepting: try TLSContext(acceptingVersions: staging.impostorVersions),
            connecting: try TLSContext(connectingVersions: versions, trust: trust),
            identities: [],
            distrusted: [world.proxyAuthority.root.spkiSHA256]
        )
        let minter = LeafMinter(authority: world.proxyAuthority)
        let provider: any IdentityProvider =
            switch staging.impostor {
            case .presenting(let identity): FixedIdentity(identity)
            case .minted, nil: minter
            }
        let policy = ProxyPolicy(
            interception: InterceptionRules(
                passthrough: try HostRules(staging.impostor == nil ? ["*"] : [])
            ),
            onboarding: Onboarding(downloads: [], subject: "", fingerprint: "", expiry: "")
        )
        return ProxySetup(policy: policy, environment: environment, minter: provider)
    }
}

// MARK: Visits

extension ScenarioBench {
    /// What the app asks for.
    package func url() throws(LabFailure) -> ClientURL {
        let host = staging.writtenHost ?? world.host.uriText
        let address = staging.scheme == .https ? origin.secureAddress : origin.plainAddress
        do {
            return try ClientURL("\(staging.scheme.rawValue)://\(host):\(address.port)\(staging.path)")
        } catch {
            throw LabFailure("\(error)")
        }
    }

    /// The host and port that policies are made for.
    package var authority: Authority {
        Authority(host: world.host, port: origin.secureAddress.port)
    }

    /// The settings of a client on this stage's device.
    package func settings(for policy: LabPolicy) -> ClientSettings {
        var settings = ClientSettings(
            anchors: world.deviceRoots + staging.moreRoots,
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy()
        )
        if staging.installsProxyAuthority {
            settings.anchors.append(world.proxyRoot)
            settings.userAnchors = [world.proxyRoot.sha256]
        }
        settings.proxy = ClientSettings.Proxy(
            Authority(host: .address(proxyAddress.address), port: proxyAddress.port)
        )
        settings.patience = Self.patience
        settings.limits.connectTimeout = Self.patience
        settings.limits.handshakeTimeout = Self.patience
        policy.adapt(&settings, LabPolicy.Target(world: world, authority: authority))
        staging.adapt?(&settings)
        return settings
    }

    /// A client of a policy fetches once.
    package func visit(_ policy: LabPolicy) async throws(LabFailure) -> Observation {
        let trust = try policy.make(LabPolicy.Target(world: world, authority: authority))
        let client: PinholeClient
        var settings = settings(for: policy)
        settings.cleartextPolicy = trust
        do throws(ClientFailure) {
            client = try PinholeClient(settings, delegate: .judging(by: trust))
        } catch {
            throw LabFailure("\(error)")
        }
        var observation = Observation(await client.fetch(try url()))
        observation.wire = await sink.collect(within: Self.patience)
        return observation
    }
}

/// Presents one identity for every host.
private final class FixedIdentity: IdentityProvider {
    private let identity: Identity

    init(_ identity: Identity) { self.identity = identity }

    func cached(_ request: LeafRequest, now: Timestamp) -> Identity? { identity }

    func mint(_ request: LeafRequest, now: Timestamp) throws(CryptoFailure) -> Identity { identity }
}
