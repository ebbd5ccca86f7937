import Foundation
import Logging
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeProxy
import PinholeRuntime
import PinholeStore

/// What the demo plays on: an origin, the proxy before it, a CA and a capture in a directory of their own.
struct DemoStage: Sendable {
    /// Where everything lies that the demo leaves behind.
    let directory: String
    /// The servers.
    let origin: Origin
    /// The proxy's CA.
    let authority: CertificateAuthority
    /// The certificates of the lab; its men in the middle use the proxy's CA, and its server is one of the origin's.
    let world: LabWorld
    /// Where the proxy listens.
    let proxyAddress: SocketAddress
    /// What the proxy records, as it happens.
    let watch: DemoWatch

    private let proxy: ProxyServer
    private let capture: CaptureStore

    /// The CA certificate that clients are to trust.
    var authorityPath: String { AuthorityDirectory(path: "\(directory)/ca").certificatePath }
    /// The capture.
    var capturePath: String { "\(directory)/capture.sqlite" }
    /// The lab's report.
    var reportPath: String { "\(directory)/lab.html" }
    /// The HAR that is exported.
    var archivePath: String { "\(directory)/demo.har" }

    /// Starts everything.
    ///
    /// - Parameter directory: Where to put the CA and the capture; `nil` for a new directory under `$TMPDIR`.
    /// - Returns: What runs now.
    /// - Throws: A failure that says which part could not be started.
    static func start(in directory: String?) async throws(DemoFailure) -> DemoStage {
        guard await DemoCurl.isInstalled() else {
            throw DemoFailure(
                description: "the demo sends its requests with curl, and there is none (apt install curl)"
            )
        }
        let progress = ProgressLine.waiting("the certificates and servers of the demo")
        defer { progress.end() }
        do {
            return try await make(in: try makeDirectory(directory))
        } catch {
            throw DemoFailure(description: "the demo could not be set up: \(error)")
        }
    }

    private static func make(in directory: String) async throws -> DemoStage {
        let now = LoopClock().now()
        let authority = try AuthorityDirectory(path: "\(directory)/ca").loadOrCreate(
            .init(machineName: AuthorityDirectory.machineName),
            now: now
        ).authority
        let world = try LabWorld(proxyAuthority: authority, now: now)
        let origin = try await Origin.start(
            hosts: VirtualHost.standard(now: now) + [VirtualHost(world.host, identity: world.identity)],
            now: now
        )
        let capture = try CaptureStore.open(.init(path: "\(directory)/capture.sqlite"), now: now)
        let watch = DemoWatch(capture)
        let proxy = try ProxyServer(
            setup: try setup(authority: authority, origin: origin, world: world, clientIdentity: nil),
            sink: watch,
            keepsBodies: true,
            // The names of the demo exist nowhere else; they all lead to the origin.
            overrides: [try Resolver.Override("*:*:127.0.0.1")],
            loopCount: 1,
            logger: Logger(label: "pinhole.demo") { StreamLogHandler.standardError(label: $0) }
        )
        let loopback = SocketAddress(origin.secureAddress.address, port: 0)
        let bound = try await proxy.start(on: [loopback])
        return DemoStage(
            directory: directory,
            origin: origin,
            authority: authority,
            world: world,
            proxyAddress: bound.first ?? loopback,
            watch: watch,
            proxy: proxy,
            capture: capture
        )
    }

    /// Makes a client certificate and has the proxy present it to the bank.
    func configureClientCertificate() throws {
        let identity = try origin.authority.clientIdentity(named: "Alice", now: LoopClock().now())
        proxy.adopt(
            try Self.setup(authority: authority, origin: origin, world: world, clientIdentity: identity)
        )
    }

    /// A reader of the capture, in which everything stands that was recorded so far.
    func reader() throws(CaptureFailure) -> CaptureReader {
        capture.flush()
        return try CaptureReader(path: capturePath)
    }

    /// Ends everything; the files stay.
    func stop() {
        proxy.stop()
        origin.stop()
        capture.close()
    }

    private static func setup(
        authority: CertificateAuthority,
        origin: Origin,
        world: LabWorld,
        clientIdentity: Identity?
    ) throws -> ProxySetup {
        let versions = TLSVersion.tls12 ... .tls13
        // The system's CAs are left out: nothing here leaves the machine.
        let trust = try TrustAnchors(
            system: false,
            additional: [origin.authority.root, world.honest.root.certificate]
        )
        var identities: [TunnelEnvironment.ClientIdentity] = []
        if let clientIdentity {
            let context = try TLSContext(
                connectingVersions: versions,
                trust: trust,
                clientIdentity: clientIdentity
            )
            identities = [.init(pattern: try HostPattern(VirtualHost.bank.description), context: context)]
        }
        let environment = TunnelEnvironment(
            accepting: try TLSContext(acceptingVersions: versions),
            connecting: try TLSContext(connectingVersions: versions, trust: trust),
            identities: identities,
            distrusted: [authority.root.spkiSHA256]
        )
        return ProxySetup(
            policy: ProxyPolicy(
                interception: InterceptionRules(passthrough: try HostRules()),
                onboarding: try Onboarding(authority)
            ),
            environment: environment,
            minter: LeafMinter(authority: authority)
        )
    }

    private static func makeDirectory(_ wanted: String?) throws(DemoFailure) -> String {
        if let wanted {
            guard mkdir(wanted, 0o700) == 0 || errno == EEXIST else {
                throw DemoFailure(
                    description: "cannot make the directory \(wanted): \(String(cString: strerror(errno)))"
                )
            }
            return wanted
        }
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/pinhole-demo-XXXXXX".utf8CString)
        // mkdtemp creates with mode 0700.
        guard mkdtemp(&template) != nil else {
            throw DemoFailure(
                description: "cannot make a directory in \(parent): \(String(cString: strerror(errno)))"
            )
        }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Why the demo cannot go on, in a sentence.
struct DemoFailure: Error, CustomStringConvertible {
    /// The sentence.
    let description: String
}
