import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeTestKit
import Testing

/// Each way in with each way on: docs/LISTENERS.md says that each goes with each.
///
/// Transparent listeners are in Tests/Network/transparent.py, since they need a network of their own.
@Suite("Ways in and on", .serialized, .enabled(if: Executable.find("curl") != nil, "curl is not installed"))
struct WayMatrixTests {
    /// How servers are reached.
    enum WayOn: String, CaseIterable {
        case directly
        case http
        case https
        case socks5
        case bypassed
    }

    private static let secret = "alice:secret"

    /// Runs a next hop that asks for a password.
    private static func withHop(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Stage) async throws -> Void
    ) async throws {
        var setup = Stage.Setup()
        setup.configuration = #"{"tls": {"passthrough": ["*"]}, "console": "none"}"#
        setup.arguments = ["--proxy-auth", secret]
        try await Stage.run(setup) { hop in
            try await body(hop)
            await hop.stop()
        }
    }

    /// A proxy that asks for a password, and stands before the origin twice, too.
    private static func setup(_ way: WayOn, _ hop: Stage) -> Stage.Setup {
        var setup = Stage.Setup()
        setup.replacesListen = true
        setup.serverRoots = [hop.root]
        setup.prepare = { origin, directory in
            let listen = [
                "127.0.0.1:0", "reverse:https://shop.example.test:\(origin.secureAddress.port)@127.0.0.1:0",
                "reverse:http://shop.example.test:\(origin.plainAddress.port)@127.0.0.1:0",
            ]
            let words = listen.map { "\"\($0)\"" }.joined(separator: ", ")
            try directory.write(#"{"proxy": {"listen": [\#(words)]}, "console": "none"}"#, to: "ways.json")
        }
        setup.arguments = ["--config", "ways.json", "--proxy-auth", secret]
        switch way {
        case .directly: break
        case .http, .https, .socks5:
            setup.arguments += [
                "--upstream-proxy", "\(way)://127.0.0.1:\(hop.port)", "--upstream-auth", secret,
            ]
        case .bypassed:
            // Whoever asks there gets no answer: the password is missing.
            setup.arguments += [
                "--upstream-proxy", "http://127.0.0.1:\(hop.port)", "--bypass", "*.example.test",
            ]
        }
        return setup
    }

    /// The words for curl, by the way in.
    private static func waysIn(_ stage: Stage, _ ports: [String]) -> [(name: String, words: [String])] {
        let user = ["--proxy-user", secret]
        let authority = ["--proxy-cacert", stage.authorityPath]
        var ways: [(String, [String])] = []
        for version in ["--http1.1", "--http2"] {
            let secure = [version, "https://shop.example.test:\(stage.securePort)/json"]
            let plain = ["--http1.1", "http://shop.example.test:\(stage.plainPort)/json"]
            for target in [secure, plain] {
                ways += [
                    ("explicit", ["-x", "http://127.0.0.1:\(stage.port)"] + user + target),
                    (
                        "TLS to the proxy",
                        ["-x", "https://127.0.0.1:\(stage.port)"] + user + authority + target
                    ),
                    ("SOCKS5", ["-x", "socks5h://127.0.0.1:\(stage.port)"] + user + target),
                ]
            }
            for port in ports {
                ways += [
                    ("reverse, by TLS", [version, "https://127.0.0.1:\(port)/json"]),
                    ("reverse", [version, "http://127.0.0.1:\(port)/json"]),
                ]
            }
        }
        return ways
    }

    @Test("every listener mode works with every next hop", arguments: WayOn.allCases)
    func matrix(way: WayOn) async throws {
        try await Self.withHop { hop in
            try await Stage.run(Self.setup(way, hop)) { stage in
                let ports = try await Self.reversePorts(stage)
                let waysIn = Self.waysIn(stage, ports)
                for (name, words) in waysIn {
                    let fixed = [
                        "-sS", "--max-time", "\(Patience.seconds)", "--cacert", stage.authorityPath, "-w",
                        " %{http_code}",
                    ]
                    let isReverse = name.hasPrefix("reverse")
                    let result = try await ProcessRunner.run(
                        Invocation(
                            "curl",
                            fixed + ["--noproxy", isReverse ? "*" : ""] + words,
                            environment: ["NO_PROXY": nil, "no_proxy": nil]
                        )
                    )
                    #expect(
                        result.text.contains("teapot") && result.text.hasSuffix(" 200"),
                        "\(name), \(way): \(words): \(result)"
                    )
                }
                let flows = try await stage.capture().flows(limit: 200)
                #expect(flows.count >= waysIn.count)
                let isLed = way != .directly && way != .bypassed
                #expect(flows.filter { $0.nextHop != nil }.isEmpty == !isLed)
            }
        }
    }

    @Test("every listener with a password refuses clients without it")
    func passwords() async throws {
        try await Self.withHop { hop in
            for scheme in ["http", "https", "socks5h"] {
                for user in [[], ["--proxy-user", "alice:wrong"]] {
                    let words = [
                        "-sS", "--proxy-insecure", "-x", "\(scheme)://127.0.0.1:\(hop.port)", "-w",
                        " %{http_connect}",
                        "https://\(hop.authority)/json",
                    ]
                    let result = try await ProcessRunner.run(
                        Invocation("curl", words + user + ["--noproxy", ""])
                    )
                    #expect(!result.isSuccess && !result.text.contains("teapot"), "\(result)")
                }
            }
        }
    }

    /// Where the listeners before the origin are, the one that speaks TLS with it first.
    private static func reversePorts(_ stage: Stage) async throws -> [String] {
        var ports: [String] = []
        for scheme in ["https", "http"] {
            let line = try await stage.process.line { $0.contains("\"origin\":\"\(scheme):") }
            let address = try #require(TrafficLine(line)?.address)
            ports.append(String(try #require(address.split(separator: ":").last)))
        }
        return ports
    }
}
