import Foundation
import PinholeFilter
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Servers that are reached through another proxy: a second pinhole, which hands TLS on untouched.
@Suite("Next hop", .serialized)
struct NextHopTests {
    /// Runs a hop that takes HTTP, TLS and SOCKS on its port, and asks for a password where one is given.
    private static func withHop(
        password: String? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Stage) async throws -> Void
    ) async throws {
        var setup = Stage.Setup()
        setup.configuration = """
            {"tls": {"passthrough": ["*"]}, "console": "none"}
            """
        if let password { setup.arguments = ["--proxy-auth", password] }
        try await Stage.run(setup, body)
    }

    /// A proxy whose servers are reached through `url`.
    private static func setup(_ url: String, _ more: [String] = [], hop: Stage? = nil) -> Stage.Setup {
        var setup = Stage.Setup()
        setup.arguments = ["--upstream-proxy", url] + more
        if let hop { setup.serverRoots = [hop.root] }
        return setup
    }

    /// A plain request, and what is answered.
    private static func getPlain(_ stage: Stage, _ path: String = "/json") async throws -> Response {
        try await blocking {
            let client = try Connection(to: stage.port)
            let host = "shop.example.test:\(stage.plainPort)"
            try client.send("GET http://\(host)\(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            return try client.readResponse()
        }
    }

    /// What a CONNECT is answered.
    private static func connect(_ authority: String, _ stage: Stage) async throws -> Response {
        try await blocking {
            let client = try Connection(to: stage.port)
            try client.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            return try client.readResponse()
        }
    }

    @Test(
        "reaches servers by TLS and in the clear through each kind of proxy",
        arguments: ["http", "https", "socks5"]
    )
    func kinds(kind: String) async throws {
        try await Self.withHop { hop in
            let url = "\(kind)://127.0.0.1:\(hop.port)"
            try await Stage.run(Self.setup(url, hop: hop)) { stage in
                for _ in 0..<2 {
                    #expect(try await blocking { try stage.get("/bytes/300000").body.count } == 300_000)
                    #expect(try await Self.getPlain(stage, "/bytes/300000").body.count == 300_000)
                }
                let reader = try await stage.capture()
                // Connections that were kept for the next request end with the proxy.
                try await hop.event { $0.type == "exchange" || $0.type == "flow" }
                let exchanges = try reader.exchanges(ExchangeFilter(), limit: 10)
                #expect(exchanges.count == 4)
                for exchange in exchanges {
                    let flow = try #require(try reader.flow(exchange.flow))
                    #expect(flow.nextHop == url && flow.isFailed == false)
                }
            }
            await hop.stop()
        }
    }

    @Test(
        "sends the password, tells a wrong or a missing one, and shows none",
        arguments: ["http", "socks5"]
    )
    func passwords(kind: String) async throws {
        try await Self.withHop(password: "alice:se:cret") { hop in
            let place = "127.0.0.1:\(hop.port)"
            let ways = [
                Self.setup("\(kind)://alice:se%3Acret@\(place)"),
                Self.setup("\(kind)://\(place)", ["--upstream-auth", "alice:se:cret"]),
            ]
            for way in ways {
                try await Stage.run(way) { stage in
                    try await stage.expectAlive()
                    #expect(try await Self.getPlain(stage).status == 200)
                    await stage.stop()
                }
            }
            for url in ["\(kind)://alice:wrongword@\(place)", "\(kind)://\(place)"] {
                try await Stage.run(Self.setup(url)) { stage in
                    for response in [
                        try await Self.connect(stage.authority, stage), try await Self.getPlain(stage),
                    ] {
                        #expect(response.status == 502)
                        #expect(
                            response.text.contains("The next proxy refuses the credentials"),
                            "\(response.text)"
                        )
                        #expect(!response.text.contains("wrongword"))
                    }
                    try await stage.event { $0.type == "flow" && $0.outcome == "dialFailed" }
                    let result = await stage.stop()
                    #expect(!"\(result)".contains("wrongword"))
                    let capture = try Data(contentsOf: URL(fileURLWithPath: stage.capturePath))
                    #expect(capture.range(of: Data("wrongword".utf8)) == nil)
                }
            }
            await hop.stop()
        }
    }

    @Test("says that the proxy cannot be reached, or gave no connection to the named server")
    func failures() async throws {
        let closed = try RawServer { _, _ in }.port
        try await Stage.run(Self.setup("http://127.0.0.1:\(closed)")) { stage in
            let response = try await Self.connect(stage.authority, stage)
            #expect(response.status == 502 && response.text.contains("The next proxy cannot be reached"))
            await stage.stop()
        }
        let forbidding = try RawServer { connection, _ in
            _ = try connection.read(through: "\r\n\r\n")
            try connection.send("HTTP/1.1 403 Not here\r\nContent-Length: 0\r\n\r\n")
        }
        try await Stage.run(Self.setup("http://127.0.0.1:\(forbidding.port)")) { stage in
            let response = try await Self.connect(stage.authority, stage)
            #expect(
                response.status == 502 && response.text.contains("it answered 403 Not here"),
                "\(response.text)"
            )
            await stage.stop()
        }
        let silent = try RawServer { connection, _ in _ = try connection.readToEnd() }
        var setup = Self.setup("socks5://127.0.0.1:\(silent.port)")
        setup.configuration = """
            {"limits": {"connectTimeoutSeconds": 1}}
            """
        try await Stage.run(setup) { stage in
            let status = try await Self.connect(stage.authority, stage).status
            #expect(status == 504)
            await stage.stop()
        }
    }

    @Test("connects directly to bypassed hosts")
    func bypass() async throws {
        let closed = try RawServer { _, _ in }.port
        let setup = Self.setup("http://127.0.0.1:\(closed)", ["--bypass", "*.example.test"])
        try await Stage.run(setup) { stage in
            try await stage.expectAlive()
            #expect(try await Self.connect("elsewhere.test:443", stage).status == 502)
            await stage.stop()
        }
    }

    @Test("is never the proxy itself, and does not lead back to it or to its console, under any spelling")
    func loops() async throws {
        let port = try RawServer { _, _ in }.port
        // The plain spellings are refused when it starts.
        for host in ["0.0.0.0", "[::ffff:127.0.0.1]", "loop.example.test"] {
            for kind in ["http", "socks5"] {
                var setup = Self.setup("\(kind)://\(host):\(port)", ["--listen", "127.0.0.1:\(port)"])
                setup.replacesListen = true
                setup.overrides = ["loop.example.test:*:127.0.0.1"]
                try await Stage.run(setup) { stage in
                    let status = try await Self.connect("a.example.test:443", stage).status
                    #expect(status == 508, "\(host)")
                    await stage.stop()
                }
            }
        }
        try await Self.withHop { hop in
            try await Stage.run(Self.setup("http://127.0.0.1:\(hop.port)")) { stage in
                let line = try await stage.process.line(from: .errorOutput) {
                    $0.contains("pinhole: console http://")
                }
                let match = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//))
                for port in ["\(match.1)", "\(stage.port)"] {
                    for host in [
                        "127.0.0.1", "localhost", "console.example.test", "0.0.0.0", "[::ffff:7f00:1]",
                    ] {
                        #expect(
                            try await Self.connect("\(host):\(port)", stage).status == 508,
                            "\(host):\(port)"
                        )
                    }
                }
                try await stage.expectAlive()
                await stage.stop()
            }
            await hop.stop()
        }
    }

    @Test("takes the next hops from the environment, one for plain http and one for the rest")
    func environment() async throws {
        try await Self.withHop { secure in
            try await Self.withHop(password: "me:pass word") { plain in
                var setup = Self.setup("environment")
                setup.environment = [
                    "https_proxy": "http://127.0.0.1:\(secure.port)",
                    "http_proxy": "socks5h://me:pass%20word@127.0.0.1:\(plain.port)",
                    "no_proxy": ".else.test",
                ]
                try await Stage.run(setup) { stage in
                    #expect(try await blocking { try stage.get("/bytes/1000").body.count } == 1000)
                    #expect(try await Self.getPlain(stage, "/bytes/1000").body.count == 1000)
                    let reader = try await stage.capture()
                    let hops = try reader.flows(limit: 9).map {
                        "\($0.authority ?? "plain") \($0.nextHop ?? "none")"
                    }
                    #expect(
                        Set(hops) == [
                            "\(stage.authority) http://127.0.0.1:\(secure.port)",
                            "plain socks5://127.0.0.1:\(plain.port)",
                        ]
                    )
                }
                try await plain.event { $0.type == "exchange" || $0.type == "flow" }
            }
            try await secure.event { $0.type == "exchange" || $0.type == "flow" }
        }
    }

    @Test(
        "an environment variable that is invalid or names this proxy is reported at the start, without its password"
    )
    func badEnvironment() async throws {
        let binary = try #require(Executable.pinhole)
        for (value, expected) in [
            (
                "http://me:hunter2@127.0.0.1:8099",
                "the next proxy http://127.0.0.1:8099 is this proxy itself, by https_proxy"
            ),
            (
                "socks4://me:hunter2@127.0.0.1:1",
                "--upstream-proxy: expected in the variable https_proxy: http://HOST:PORT"
            ),
        ] {
            let result = try await ProcessRunner.run(
                Invocation(
                    binary,
                    ["proxy", "--listen", "127.0.0.1:8099", "--upstream-proxy", "environment"],
                    environment: ["https_proxy": value, "HTTPS_PROXY": nil, "NO_PROXY": nil, "no_proxy": nil]
                )
            )
            #expect(result.exit == .code(2) && result.errorText.contains(expected), "\(result)")
            #expect(!result.errorText.contains("hunter2"))
        }
    }
}
