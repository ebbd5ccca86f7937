import Foundation
import PinholeCrypto
import PinholeFilter
import PinholeLab
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Clients that speak TLS and HTTP/2 to the proxy itself.
@Suite("HTTPS proxy", .serialized)
struct HTTPSProxyTests {
    /// What Tests/Clients/http2/tunnels.py tells of a case.
    private struct Case: Decodable {
        var `case`: String
        var isWell: Bool
        var detail: String?
    }

    private static let clients = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Clients").path

    /// Runs every case of the script.
    private func play(_ stage: Stage, credentials: String? = nil) async throws -> [Case] {
        var words = [
            "\(Self.clients)/http2/tunnels.py", "--proxy-port", "\(stage.port)", "--ca", stage.authorityPath,
            "--origin", stage.authority, "--plain", "shop.example.test:\(stage.plainPort)",
        ]
        if let credentials { words += ["--credentials", Data(credentials.utf8).base64EncodedString()] }
        let result = try await ProcessRunner.run(
            Invocation(
                try #require(Executable.testPython),
                words,
                environment: ["PYTHONDONTWRITEBYTECODE": "1"],
                directory: stage.directory.path
            )
        )
        return try result.text.split(separator: "\n")
            .map { try JSONDecoder().decode(Case.self, from: Data($0.utf8)) }
    }

    private func curl(_ stage: Stage, _ url: String, _ more: [String] = []) async throws -> ProcessResult {
        try await ProcessRunner.run(
            Invocation(
                "curl",
                [
                    "-sS", "--max-time", "\(Patience.seconds)", "--cacert", stage.authorityPath,
                    "--proxy-cacert",
                    stage.authorityPath, "-x", "https://127.0.0.1:\(stage.port)", "-w",
                    "%{http_code} %{size_download}", "-o", stage.directory.file("body"),
                ] + more + [url],
                environment: ["NO_PROXY": "", "no_proxy": ""]
            )
        )
    }

    @Test(
        "tunnels and requests in streams of HTTP/2, and their failures",
        .enabled(if: Executable.testPython != nil, "make test prepares the packages for Python")
    )
    func streams() async throws {
        try await Stage.run { stage in
            let cases = try await play(stage)
            #expect(cases.count == 23)
            for result in cases { #expect(result.isWell, "\(result.case): \(result.detail ?? "")") }
            try await stage.expectAlive()
            await stage.stop()
            let reader = try CaptureReader(path: stage.capturePath)
            // Two clients break tunnels: that of the case client_resets its only one, and that of too_many all
            // that it has, by breaking a rule of the connection.
            let broken = try reader.flows(limit: .max).filter {
                $0.outcome?.kind == .aborted && $0.outcome?.detail.contains("the client broke") == true
            }
            let clients = Dictionary(grouping: broken) { $0.inbound?.connection }
            #expect(clients.values.map(\.count).sorted() == [1, 128])
            let filter = ExchangeFilter(try Filter("host ~ shop.example.test"))
            let exchange = try #require(
                try reader.exchanges(filter, limit: 1000).last { $0.path == "/bytes/300000" }
            )
            let inbound = try #require(try reader.flow(exchange.flow)?.inbound)
            #expect(inbound.version == "TLSv1.3" && inbound.applicationProtocol == "h2")
            let connection = try #require(inbound.connection)
            #expect(inbound.stream == 1)
            let carrier = try #require(try reader.flow(connection))
            #expect(carrier.inbound?.applicationProtocol == "h2" && carrier.inbound?.stream == nil)
            #expect(carrier.treatment == .plain && carrier.authority == nil)
        }
    }

    @Test(
        "asks for the password in each stream, for one user and for users of a file",
        .enabled(if: Executable.testPython != nil, "make test prepares the packages for Python"),
        arguments: [["--proxy-auth", "alice:secret"], ["--proxy-users", "users"]]
    )
    func credentials(arguments: [String]) async throws {
        var setup = Stage.Setup()
        let users = "alice:$2y$04$.AECPgE0s.AbjwlkjvP/deeOQa2sfbKMaew/5jnOqARWvH6dVnciq\n"
        setup.prepare = { _, directory in try directory.write(users, to: "users") }
        setup.arguments = arguments
        try await Stage.run(setup) { stage in
            let cases = try await play(stage, credentials: "alice:secret")
            #expect(cases.count == 1)
            for result in cases { #expect(result.isWell, "\(result.detail ?? "")") }
            await stage.stop()
            let capture = try Data(contentsOf: URL(fileURLWithPath: stage.capturePath))
            #expect(capture.range(of: Data("YWxpY2U6c2VjcmV0".utf8)) == nil)
        }
    }

    @Test("curl loads pages through TLS to the proxy, in tunnels and without")
    func curl() async throws {
        try await Stage.run { stage in
            for url in [
                "https://\(stage.authority)/bytes/300000",
                "http://shop.example.test:\(stage.plainPort)/bytes/300000",
            ] {
                let result = try await curl(stage, url)
                #expect(result.text == "200 300000", "\(result)")
            }
            let tunnelled = try await curl(
                stage,
                "http://shop.example.test:\(stage.plainPort)/bytes/300000",
                ["--proxytunnel"]
            )
            #expect(tunnelled.text == "200 300000", "\(tunnelled)")
            let reader = try await stage.capture()
            let exchanges = try reader.exchanges(ExchangeFilter(), limit: 10)
            #expect(exchanges.count == 3)
            for exchange in exchanges {
                let inbound = try reader.flow(exchange.flow)?.inbound
                #expect(inbound?.applicationProtocol == "http/1.1" && inbound?.version == "TLSv1.3")
            }
        }
    }

    @Test("groups in openssl.cnf hold toward clients and servers")
    func configuredGroups() async throws {
        var setup = Stage.Setup()
        setup.prepare = { _, directory in
            let sections = "openssl_conf = a\n[a]\nssl_conf = b\n[b]\nsystem_default = c\n[c]\n"
            try directory.write(sections + "Groups = secp384r1\n", to: "openssl.cnf")
        }
        setup.environment = ["OPENSSL_CONF": "openssl.cnf"]
        try await Stage.run(setup) { stage in
            let result = try await curl(stage, "https://\(stage.authority)/bytes/3")
            #expect(result.text == "200 3", "\(result)")
            let reader = try await stage.capture()
            let exchange = try #require(try reader.exchanges(ExchangeFilter(), limit: 10).first)
            let flow = try #require(try reader.flow(exchange.flow))
            #expect(flow.serverHandshake?.offeredGroups == [24])
            #expect(flow.serverHandshake?.offeredShares == [24])
            for handshake in [flow.clientHandshake, flow.serverHandshake] {
                #expect(handshake?.group == "secp384r1")
            }
        }
    }

    private func fetch(_ stage: Stage, _ words: [String]) async throws -> ProcessResult {
        try await ProcessRunner.run(
            Invocation(
                try #require(Executable.pinhole),
                ["fetch", "--proxy", "https://127.0.0.1:\(stage.port)", "--cacert", stage.authorityPath]
                    + words
            )
        )
    }

    @Test("pinhole fetch goes through TLS to the proxy, and trusts it by CAs of its own")
    func companion() async throws {
        try await Stage.run { stage in
            let trusted = ["--proxy-cacert", stage.authorityPath]
            for (url, version) in [
                ("https://\(stage.authority)/status/200", []),
                ("https://\(stage.authority)/bytes/300000", ["--http2"]),
                ("http://shop.example.test:\(stage.plainPort)/status/200", []),
            ] {
                let result = try await fetch(stage, trusted + version + ["--explain", url])
                #expect(result.isSuccess && result.text.contains("fetched: 200 OK"), "\(result.text)")
                let note = "TLS with the proxy 127.0.0.1:\(stage.port): TLSv1.3"
                #expect(result.text.contains(note), "\(result.text)")
            }
            // The CA of the server says nothing of the proxy.
            let refused = try await fetch(stage, ["https://\(stage.authority)/status/200"])
            #expect(
                refused.exit == .code(1) && refused.errorText.contains("--proxy-cacert"),
                "\(refused.errorText)"
            )
            let plain =
                ["fetch", "--proxy", "http://127.0.0.1:\(stage.port)"] + trusted + [
                    "https://\(stage.authority)/"
                ]
            let usage = try await ProcessRunner.run(
                Invocation(try #require(Executable.pinhole), plain)
            )
            #expect(
                usage.exit == .code(2) && usage.errorText.contains("--proxy-cacert"),
                "\(usage.errorText)"
            )
            let capture = try await stage.capture()
            let flows = try capture.flows(limit: 100).filter { $0.treatment == .intercepted }
            #expect(flows.count == 2 && flows.allSatisfy { $0.inbound?.version == "TLSv1.3" })
        }
    }

    @Test("a client that does not trust the CA is recorded as a failed handshake with the proxy")
    func distrusting() async throws {
        try await Stage.run { stage in
            let other = try stage.directory.write(stage.origin.authority.root.pem, to: "other.pem")
            let result = try await curl(stage, "https://\(stage.authority)/json", ["--proxy-cacert", other])
            #expect(!result.isSuccess)
            let line = try await stage.event { $0.type == "flow" && $0.handshakeFailure != nil }
            #expect(line.handshakeFailure?.cause == "authorityNotTrusted")
            #expect(line.authority == nil && line.handshakeFailure?.peer == "client")
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test(
        "Chromium loads a page through it",
        .enabled(if: Executable.find("chromium") != nil && Executable.find("certutil") != nil)
    )
    func chromium() async throws {
        try await Stage.run { stage in
            let result = try await ProcessRunner.run(
                Invocation(
                    "\(Self.clients)/chromium.sh",
                    ["https://\(stage.authority)/html", "Teapots"],
                    environment: [
                        "HTTPS_PROXY": "https://127.0.0.1:\(stage.port)",
                        "PINHOLE_CLIENT_CA": stage.authorityPath,
                    ]
                )
            )
            try #require(result.isSuccess, "\(result)")
            let reader = try await stage.capture()
            let filter = ExchangeFilter(try Filter("host ~ shop.example.test"))
            let exchange = try #require(try reader.exchanges(filter, limit: 10).first { $0.path == "/html" })
            let inbound = try #require(try reader.flow(exchange.flow)?.inbound)
            #expect(inbound.applicationProtocol == "h2" && inbound.stream != nil)
        }
    }

    @Test("a ClientHello that stays incomplete is given up")
    func incomplete() async throws {
        var setup = Stage.Setup()
        setup.configuration = """
            {"limits": {"headTimeoutSeconds": 1}}
            """
        try await Stage.run(setup) { stage in
            // The second answer shows that the proxy still serves. A good request could be late, too, under load.
            for _ in 0..<2 {
                let response = try await blocking {
                    let client = try Connection(to: stage.port)
                    try client.send("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{fc}\u{3}\u{3}\r\n\r\n")
                    return try client.readResponse()
                }
                #expect(response.status == 408)
            }
            await stage.stop()
        }
    }

    @Test("bytes that only begin like TLS are refused, and nothing else suffers")
    func garbage() async throws {
        try await Stage.run { stage in
            for bytes: [UInt8] in [
                [0x16, 3, 1, 0, 4, 2, 0, 0, 0], [0x16] + [UInt8](repeating: 0x0a, count: 100),
                [0x16, 3, 1, 0xff, 0xff] + [UInt8](repeating: 1, count: 70_000),
            ] {
                let response = try await blocking {
                    let client = try Connection(to: stage.port)
                    try client.send(bytes)
                    return try client.readResponse()
                }
                #expect(response.status == 400)
            }
            try await stage.expectAlive()
            await stage.stop()
        }
    }
}
