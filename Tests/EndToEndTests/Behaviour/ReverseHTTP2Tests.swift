import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeTestKit
import Testing

/// Listeners that stand before a server that speaks HTTP/2 alone (nghttpd), with curl as its client.
@Suite("Reverse, before a server of HTTP/2", .serialized)
struct ReverseHTTP2Tests {
    /// Starts the server and a proxy before it.
    ///
    /// - Parameters:
    ///   - scheme: `h2c` or `https`.
    ///   - more: More of config.json.
    ///   - body: Gets the stage, and the port of the listener.
    /// - Throws: What stood in the way, or what `body` throws.
    private static func run(
        _ scheme: String,
        _ more: String = "",
        _ body: (Stage, UInt16) async throws -> Void
    ) async throws {
        let reserved = try RawServer.refusing()
        defer { reserved.stop() }
        let place = reserved.port
        var setup = Stage.Setup()
        setup.replacesListen = true
        setup.prepare = { _, directory in
            let listen = "reverse:\(scheme)://shop.example.test:\(place)@127.0.0.1:0"
            try directory.write(#"{"proxy": {"listen": ["\#(listen)"]}\#(more)}"#, to: "reverse.json")
            try directory.write("served", to: "file")
        }
        setup.arguments = ["--config", "reverse.json"]
        try await Stage.run(setup) { stage in
            let directory = stage.directory
            let now = LoopClock().now()
            let host = try #require(VirtualHost.standard(now: now).first { $0.name == VirtualHost.shop })
            let identity = try stage.origin.authority.identity(for: host, now: now)
            let words = [
                "-v", "-a", "127.0.0.1", "--echo-upload", "-d", directory.path,
                scheme == "https" ? "\(place)" : "--no-tls",
                scheme == "https"
                    ? try directory.write(try identity.key.pem, to: "server.key") : "\(place)",
            ]
            let chain = try directory.write(identity.chain.map(\.pem).joined(), to: "server.pem")
            let program = try #require(Executable.find("nghttpd"))
            try await SpawnedProcess.run(
                Invocation(program, words + (scheme == "https" ? [chain] : []))
            ) { server in
                _ = try await server.line { $0.contains("listen 127.0.0.1:") }
                try await body(stage, stage.port)
            }
        }
    }

    private static func ask(_ stage: Stage, _ port: UInt16, _ words: String...) async throws -> String {
        let fixed = [
            "-sS", "--noproxy", "*", "--max-time", "\(Patience.seconds)", "-w",
            " %{http_code} %{http_version}",
        ]
        let url = "http://127.0.0.1:\(port)/file"
        let result = try await ProcessRunner.run(Invocation("curl", fixed + words + [url]))
        return result.text + result.errorText
    }

    private static let isPossible = Executable.find("curl") != nil && Executable.find("nghttpd") != nil

    @Test(
        "serves clients of HTTP/1 and HTTP/2, and requests with bodies",
        .enabled(if: isPossible, "curl or nghttpd is not installed"),
        arguments: ["h2c", "https"]
    )
    func serves(scheme: String) async throws {
        try await Self.run(scheme) { stage, port in
            let versions = [
                ("--http1.1", "1.1"), ("--http1.0", "1.1"), ("--http2-prior-knowledge", "2"),
            ]
            for (version, spoken) in versions {
                #expect(try await Self.ask(stage, port, version) == "served 200 \(spoken)")
                let upload = try await Self.ask(stage, port, version, "-d", "an upload")
                #expect(upload == "an upload 200 \(spoken)")
            }
            let capture = try await stage.capture()
            #expect(try capture.exchanges(limit: 10).map(\.status) == Array(repeating: 200, count: 6))
            let flows = try capture.flows(limit: 10)
            #expect(flows.count == 6)
            let agreed = flows.map { $0.serverHandshake?.applicationProtocol }
            #expect(agreed == Array(repeating: scheme == "https" ? "h2" : nil, count: 6))
        }
    }

    @Test(
        "asks for HTTP/2 from the second request on where the first cannot be sent again",
        .enabled(if: isPossible, "curl or nghttpd is not installed")
    )
    func learns() async throws {
        try await Self.run("https") { stage, port in
            let first = try await Self.ask(stage, port, "--http1.1", "-d", "an upload")
            #expect(first.hasSuffix(" 502 1.1"), "\(first)")
            let second = try await Self.ask(stage, port, "--http1.1", "-d", "an upload")
            #expect(second == "an upload 200 1.1")
        }
    }

    @Test(
        "names the mode for a server that speaks HTTP/2 without TLS",
        .enabled(if: isPossible, "curl or nghttpd is not installed")
    )
    func tells() async throws {
        try await Self.run("http") { stage, port in
            let text = try await Self.ask(stage, port)
            #expect(text.contains("reverse:h2c://HOST") && text.hasSuffix(" 502 1.1"), "\(text)")
        }
    }
}
