import Logging
import PinholeCrypto
import PinholeFiles
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeStore

/// The servers of the demo, and the proxy before them with its files in a separate directory.
struct DemoWorld: Sendable {
    /// The records of a step.
    struct Records: Sendable {
        /// The flows, in the order of their numbers.
        var flows: [FlowRecord] = []
        /// The exchanges, in the order of their numbers.
        var exchanges: [ExchangeRecord] = []
    }

    /// The directory with the files of the demo, which are kept.
    let directory: String
    /// The servers.
    let origin: Origin
    /// The certificates of the lab, whose attackers use the proxy's CA and whose server is one of the origin's.
    let lab: LabWorld
    let proxyAddress: SocketAddress

    private let proxy: ProxySession
    private let control: any ProxyControl

    /// The path of the CA certificate that clients are to trust.
    var authorityPath: String { AuthorityDirectory(path: "\(directory)/ca").certificatePath }
    var capturePath: String { "\(directory)/capture.sqlite" }
    /// The path of the lab's report.
    var reportPath: String { "\(directory)/lab.html" }
    /// The path of the exported HAR.
    var archivePath: String { "\(directory)/demo.har" }

    /// Starts the servers and the proxy.
    ///
    /// - Parameter directory: The directory for the CA and the capture; `nil` for a new directory under `$TMPDIR`.
    /// - Returns: The running demo.
    /// - Throws: ``CommandFailure`` that names the part that could not be started.
    static func start(in directory: String?) async throws(CommandFailure) -> DemoWorld {
        guard ExecutableSearch.path(of: "curl") != nil else {
            throw CommandFailure(
                "the demo sends its requests with curl, and there is none",
                remedy: "apt install curl"
            )
        }
        let progress = ProgressLine.waiting("the certificates and servers of the demo")
        defer { progress.end() }
        do {
            return try await make(in: try makeDirectory(directory))
        } catch {
            throw CommandFailure("the demo could not be set up: \(error)")
        }
    }

    private static func make(in directory: String) async throws -> DemoWorld {
        let now = LoopClock().now()
        var configuration = Configuration()
        configuration.authority.directory = "\(directory)/ca"
        configuration.capture.file = "\(directory)/capture.sqlite"
        configuration.console = .nowhere
        configuration.tls.upstreamCAs = ["\(directory)/servers.pem"]
        // The names of the demo exist nowhere else; all of them lead to the origin.
        configuration.resolve = [try Resolver.Override("*:*:127.0.0.1")]
        configuration.proxy.listen = [ListeningPoint(SocketAddress(.loopback, port: 0))]
        let authority = try AuthorityDirectory(path: configuration.authority.directory)
            .loadOrCreate(configuration.authority.options, now: now).authority
        let lab = try LabWorld(proxyAuthority: authority, now: now)
        let origin = try await Origin.start(
            hosts: VirtualHost.standard(now: now) + [VirtualHost(lab.host, identity: lab.identity)],
            now: now
        )
        let roots = origin.authority.root.pem + lab.honest.root.certificate.pem
        try ReportFile.write(roots, to: "\(directory)/servers.pem")
        let proxy = try ProxySession(configuration, logger: StandardErrorLog.logger(.error), watcher: nil)
        let bound = try await proxy.start(on: configuration.proxy.listen)
        return DemoWorld(
            directory: directory,
            origin: origin,
            lab: lab,
            proxyAddress: bound.first?.address ?? SocketAddress(.loopback, port: 0),
            proxy: proxy,
            control: proxy.control(of: bound, file: nil, ConsoleJournal())
        )
    }

    /// Creates a client certificate, which the proxy presents to the bank.
    func configureClientCertificate() async throws {
        let identity = try origin.authority.clientIdentity(named: "Alice", now: LoopClock().now())
        let bank = VirtualHost.bank.description
        try await control.presentCertificate(Array(identity.pem.utf8), password: "", to: bank)
    }

    /// Returns a reader of the capture, after all records so far have been written.
    func reader() throws(CaptureFailure) -> CaptureReader {
        proxy.settle()
        proxy.store?.flush()
        return try CaptureReader(path: capturePath)
    }

    /// Returns the records with numbers above `last`, when all of their flows are over.
    func records(after last: Int64) async throws -> Records {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let reader = try reader()
            let flows = try reader.flows(order: .oldestFirst, limit: 1000).filter { $0.id.rawValue > last }
            let isOver = !flows.isEmpty && flows.allSatisfy { $0.closed != nil }
            guard isOver || ContinuousClock.now > deadline else {
                try await Task.sleep(for: Self.interval)
                continue
            }
            let exchanges = try reader.exchanges(order: .oldestFirst, limit: 1000)
                .filter { $0.id.rawValue > last }
            return Records(flows: flows, exchanges: try exchanges.compactMap { try reader.exchange($0.id) })
        }
    }

    /// The longest time that flows take to end after curl has ended.
    private static let patience = Duration.seconds(5)
    private static let interval = Duration.milliseconds(20)

    /// Stops the servers and the proxy; the files are kept.
    func stop() {
        proxy.stop()
        origin.stop()
        proxy.close()
    }

    private static func makeDirectory(_ wanted: String?) throws(CommandFailure) -> String {
        guard let wanted else { return try PrivateDirectory(named: "pinhole-demo").path }
        try CommandFailure.wrapping("cannot make the directory \(wanted)") { try Folder.make(at: wanted) }
        return wanted
    }
}
