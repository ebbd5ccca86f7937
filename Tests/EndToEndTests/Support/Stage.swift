import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeTestKit
import Testing

/// The built `pinhole proxy` before an origin, with a directory of its own for everything that it writes.
struct Stage: Sendable {
    /// How the proxy is started.
    struct Setup: Sendable {
        /// The content of config.json; `nil` for no file.
        var configuration: String?
        /// More arguments.
        var arguments: [String] = []
        /// `--resolve`; every name leads to 127.0.0.1 so that nothing leaves the machine.
        var overrides = ["*:*:127.0.0.1"]
        /// The CAs of servers, besides the origin's.
        var serverRoots: [Certificate] = []
        var environment: [String: String?] = [:]
        /// A shell command that runs before the proxy in the same process, such as `ulimit -n 64`.
        var preamble: String?
        var capturesNothing = false
        /// Whether the origin speaks HTTP/2, so that the proxy does with those of its clients who can.
        var speaksHTTP2 = false
        /// Whether ``arguments`` say where to listen.
        var replacesListen = false
        /// Writes more files into the directory before the proxy starts.
        var prepare: (@Sendable (Origin, TemporaryDirectory) throws -> Void)?
    }

    let process: SpawnedProcess
    let origin: Origin
    let directory: TemporaryDirectory
    /// Where the proxy listens on 127.0.0.1.
    let port: UInt16
    /// The CA that clients of the proxy have to trust.
    let root: Certificate

    /// Where the proxy's CA lies.
    var authorityPath: String { directory.file("ca/rootCA.pem") }
    /// Where the capture lies.
    var capturePath: String { directory.file("capture.sqlite") }
    /// Where the origin speaks HTTPS.
    let securePort: UInt16
    /// Where the origin speaks plain HTTP.
    var plainPort: UInt16 { origin.plainAddress.port }
    /// The authority of the origin's first host.
    var authority: String { "shop.example.test:\(securePort)" }

    /// Starts everything, runs `body`, ends everything.
    static func run<Result>(
        _ setup: Setup = Setup(),
        hosts: [VirtualHost]? = nil,
        routes: OriginRoutes = .standard,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Stage) async throws -> Result
    ) async throws -> Result {
        let origin = try await Origin.start(hosts: hosts, routes: routes)
        defer { origin.stop() }
        let directory = try TemporaryDirectory(prefix: "pinhole-e2e")
        let roots = [origin.authority.root] + setup.serverRoots
        try directory.write(roots.map(\.pem).joined(), to: "servers.pem")
        try setup.prepare?(origin, directory)
        guard setup.speaksHTTP2 else {
            return try await run(setup, origin, on: origin.secureAddress.port, in: directory, body)
        }
        return try await HTTP2Front.run(before: origin, in: directory) { port in
            try await run(setup, origin, on: port, in: directory, body)
        }
    }

    private static func run<Result>(
        _ setup: Setup,
        _ origin: Origin,
        on securePort: UInt16,
        in directory: TemporaryDirectory,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Stage) async throws -> Result
    ) async throws -> Result {
        let invocation = try invocation(setup, in: directory)
        // The limits that `patient` adds need no consent, so a proxy starts without a second process for it.
        let isOwn = setup.configuration != nil || setup.arguments.contains("--config") || setup.prepare != nil
        if isOwn { try await trustConfiguration(of: invocation) }
        return try await SpawnedProcess.run(invocation) { process in
            let line = try await process.line { TrafficLine($0)?.type == "listening" }
            let port = try #require(
                TrafficLine(line)?.address?.split(separator: ":").last.flatMap { UInt16($0) }
            )
            let pem = String(decoding: try directory.read("ca/rootCA.pem"), as: UTF8.self)
            let root = try #require(TrustBundle(pem: Array(pem.utf8)).certificates.first)
            let stage = Stage(
                process: process,
                origin: origin,
                directory: directory,
                port: port,
                root: root,
                securePort: securePort
            )
            return try await body(stage)
        }
    }

    /// Writes another content of config.json, and confirms it.
    func configure(_ text: String) async throws {
        let path = try directory.write(text, to: "config.json")
        try await Self.trustConfiguration(
            of: Invocation("pinhole", ["--config", path], directory: directory.path)
        )
    }

    /// Confirms what the configuration of a test does.
    private static func trustConfiguration(of invocation: Invocation) async throws {
        let named = invocation.arguments.firstIndex(of: "--config").map { invocation.arguments[$0 + 1] }
        let found = invocation.directory.map { "\($0)/config.json" } ?? "config.json"
        // A file that is named must be there; a folder may have none.
        guard named != nil || FileManager.default.fileExists(atPath: found) else { return }
        let path = named ?? found
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let result = try await ProcessRunner.run(
            Invocation(
                binary,
                ["config", "trust", path],
                directory: invocation.directory
            )
        )
        try #require(result.isSuccess, "\(result)")
    }

    /// The command line of the proxy.
    static func invocation(_ setup: Setup, in directory: TemporaryDirectory) throws -> Invocation {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        var words = [
            "proxy", "--json", "--ca-dir", directory.file("ca"), "--upstream-ca",
            directory.file("servers.pem"), "--capture",
            setup.capturesNothing ? "none" : directory.file("capture.sqlite"),
        ]
        if !setup.replacesListen { words += ["--listen", "127.0.0.1:0"] }
        words += setup.overrides.flatMap { ["--resolve", $0] }
        // A test that names or writes a configuration itself gets no other.
        let hasOwn =
            setup.arguments.contains("--config")
            || FileManager.default.fileExists(atPath: directory.file("config.json"))
        if !hasOwn {
            words += ["--config", try directory.write(patient(setup.configuration), to: "config.json")]
        }
        words += setup.arguments
        var environment = setup.environment
        for name in ["SSLKEYLOGFILE", "PINHOLE_PROXY_AUTH"] where environment[name] == nil {
            environment[name] = .some(nil)
        }
        guard let preamble = setup.preamble else {
            return Invocation(binary, words, environment: environment, directory: directory.path)
        }
        return Invocation(
            "sh",
            ["-c", "\(preamble); exec \"$0\" \"$@\"", binary] + words,
            environment: environment,
            directory: directory.path
        )
    }

    /// Returns a configuration whose limits no busy machine reaches, except for the limits that the test sets itself.
    private static func patient(_ configuration: String?) throws -> String {
        let text = configuration ?? "{}"
        guard var object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            return text
        }
        var limits = object["limits"] as? [String: Any] ?? [:]
        for name in ["connectTimeoutSeconds", "handshakeTimeoutSeconds", "headTimeoutSeconds"] {
            limits[name] = limits[name] ?? Patience.seconds
        }
        object["limits"] = limits
        return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    // MARK: Watching

    /// Waits for a line of traffic that `isMeant` accepts.
    @discardableResult
    func event(_ isMeant: @escaping @Sendable (TrafficLine) -> Bool) async throws -> TrafficLine {
        let line = try await process.line { TrafficLine($0).map(isMeant) ?? false }
        return try #require(TrafficLine(line))
    }

    /// Waits for the line of the flow that came from a port.
    func flow(from port: UInt16) async throws -> TrafficLine {
        try await event { $0.type == "flow" && $0.client == "127.0.0.1:\(port)" }
    }

    /// Every line of traffic so far.
    var events: [TrafficLine] {
        String(decoding: process.written(to: .output), as: UTF8.self).split(separator: "\n")
            .compactMap { TrafficLine(String($0)) }
    }

    /// Returns whether the proxy listens on a port.
    ///
    /// Sockets are compared by their inodes, because another process may listen on a port as soon as it is free.
    func listens(on port: UInt16) throws -> Bool {
        let rows = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: " ") }
        let listening = rows.filter {
            $0.count > 9 && $0[1].hasSuffix(String(format: ":%04X", port)) && $0[3] == "0A"
        }
        let sockets = Set(listening.map { "socket:[\($0[9])]" })
        let folder = "/proc/\(process.identifier)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            return target.map(sockets.contains) ?? false
        }
    }

    // MARK: Speaking

    /// What a good client trusts.
    var tls: ClientTLS { ClientTLS(anchors: [root]) }

    /// Opens a tunnel to the origin's first host and shakes hands.
    func tunnel(_ authority: String? = nil, _ tls: ClientTLS? = nil) throws -> Connection {
        let connection = try Connection(to: port)
        try connection.connectTunnel(authority ?? self.authority)
        try connection.secure(tls ?? self.tls)
        return connection
    }

    /// Sends a GET through a tunnel of its own.
    func get(_ path: String, authority: String? = nil) throws -> Response {
        let connection = try tunnel(authority)
        try connection.send("GET \(path) HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
        return try connection.readResponse()
    }

    /// Requires that the proxy is alive and serves a good request.
    func expectAlive(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let response = try await blocking { try get("/json") }
        #expect(response.status == 200, sourceLocation: sourceLocation)
        #expect(response.text.contains("teapot"), sourceLocation: sourceLocation)
    }

    // MARK: Ending

    /// Ends the proxy in order.
    @discardableResult
    func stop(sourceLocation: SourceLocation = #_sourceLocation) async -> ProcessResult {
        process.send(signal: SIGTERM)
        let result = await process.result()
        #expect(result.exit == .code(0), "\(result)", sourceLocation: sourceLocation)
        #expect(!result.errorText.contains("were not captured"), "\(result)", sourceLocation: sourceLocation)
        return result
    }

    /// Ends the proxy in order and opens what it captured.
    func capture() async throws -> CaptureReader {
        await stop()
        return try CaptureReader(path: capturePath)
    }

    /// The same, of clients who spoke the version of HTTP that curl calls `version`.
    func capture(
        in version: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> CaptureReader {
        let capture = try await capture()
        let spoken = try capture.flows(limit: 200).filter { $0.exchanges > 0 }
            .contains { $0.clientHandshake?.applicationProtocol == "h2" }
        #expect(spoken == (version == "--http2"), sourceLocation: sourceLocation)
        return capture
    }
}
