import Glibc
import Logging
import PinholeCrypto
import PinholeFiles
import PinholeLab
import PinholeModel
import PinholeProxy
import PinholeRuntime
import PinholeSession
import PinholeStore

/// The environment of the demo: an origin, a proxy, a CA and a capture in a separate directory.
struct DemoStage: Sendable {
    /// The directory with the files of the demo, which are kept.
    let directory: String
    /// The servers.
    let origin: Origin
    /// The proxy's CA.
    let authority: CertificateAuthority
    /// The certificates of the lab, whose attackers use the proxy's CA and whose server is one of the origin's.
    let world: LabWorld
    /// The address of the proxy.
    let proxyAddress: SocketAddress
    /// The records of the proxy as they are written.
    let watch: DemoWatch

    private let proxy: ProxyServer
    private let capture: CaptureStore

    /// The path of the CA certificate that clients are to trust.
    var authorityPath: String { AuthorityDirectory(path: "\(directory)/ca").certificatePath }
    /// The path of the capture.
    var capturePath: String { "\(directory)/capture.sqlite" }
    /// The path of the lab's report.
    var reportPath: String { "\(directory)/lab.html" }
    /// The path of the exported HAR.
    var archivePath: String { "\(directory)/demo.har" }

    /// Starts the origin and the proxy.
    ///
    /// - Parameter directory: The directory for the CA and the capture; `nil` for a new directory under `$TMPDIR`.
    /// - Returns: The running demo.
    /// - Throws: ``DemoFailure`` that names the part that could not be started.
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
            // The names of the demo exist nowhere else; all of them lead to the origin.
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

    /// Creates a client certificate, which the proxy presents to the bank.
    func configureClientCertificate() throws {
        let identity = try origin.authority.clientIdentity(named: "Alice", now: LoopClock().now())
        proxy.adopt(
            try Self.setup(authority: authority, origin: origin, world: world, clientIdentity: identity)
        )
    }

    /// Returns a reader of the capture, after all records so far have been written.
    func reader() throws(CaptureFailure) -> CaptureReader {
        capture.flush()
        return try CaptureReader(path: capturePath)
    }

    /// Stops the origin and the proxy; the files are kept.
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
        // The system's CAs are left out, since no connection leaves the machine.
        let anchors = try TrustAnchors(
            system: false,
            additional: [origin.authority.root, world.honest.root.certificate]
        )
        var parts = SessionParts(authority, policy: try ProxyPolicy(authority), anchors: anchors)
        if let clientIdentity {
            let bank = try HostPattern(VirtualHost.bank.description)
            parts.clientIdentities = [.init(hosts: [bank], identity: clientIdentity)]
        }
        return try parts.setup()
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
        let parent = ProcessEnvironment.variables["TMPDIR"] ?? "/tmp"
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

/// The reason why the demo cannot continue.
struct DemoFailure: Error, CustomStringConvertible {
    /// The reason in a sentence.
    let description: String
}
