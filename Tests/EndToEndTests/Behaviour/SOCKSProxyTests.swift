import Foundation
import PinholeFilter
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Clients that speak SOCKS to the proxy's port.
@Suite("SOCKS proxy", .serialized)
struct SOCKSProxyTests {
    private func curl(_ stage: Stage, _ url: String, _ proxy: [String]) async throws -> ProcessResult {
        try await ProcessRunner.run(
            Invocation(
                "curl",
                [
                    "-q", "-sS", "--max-time", "\(Patience.seconds)", "--cacert", stage.authorityPath, "-w",
                    "%{http_code} %{size_download}", "-o", stage.directory.file("body"),
                ] + proxy + [url],
                environment: ["NO_PROXY": "", "no_proxy": ""]
            )
        )
    }

    @Test("curl loads pages by SOCKS5, with names and addresses, and by SOCKS4a, in the clear and by TLS")
    func curl() async throws {
        try await Stage.run { stage in
            let proxy = "127.0.0.1:\(stage.port)"
            let ways = [
                ["--socks5-hostname", proxy], ["--socks4a", proxy], ["-x", "socks5h://any:word@\(proxy)"],
                ["--socks5", proxy, "--resolve", "shop.example.test:\(stage.securePort):127.0.0.1"],
            ]
            for way in ways {
                let secure = try await curl(stage, "https://\(stage.authority)/bytes/300000", way)
                #expect(secure.text == "200 300000", "\(way) \(secure)")
            }
            for way in ways.prefix(3) {
                let plain = try await curl(
                    stage,
                    "http://shop.example.test:\(stage.plainPort)/bytes/300000",
                    way
                )
                #expect(plain.text == "200 300000", "\(way) \(plain)")
            }
            let reader = try await stage.capture()
            let exchanges = try reader.exchanges(ExchangeFilter(), limit: 20)
            #expect(exchanges.count == 7)
            let kinds = try exchanges.map { try reader.flow($0.flow)?.listenerKind }
            #expect(kinds.allSatisfy { $0 == .socks5 || $0 == .socks4 } && kinds.contains(.socks4))
        }
    }

    @Test("SOCKS clients must send the password; a wrong one is refused, and none is recorded")
    func passwords() async throws {
        var setup = Stage.Setup()
        setup.arguments = ["--proxy-auth", "alice:se:cret"]
        try await Stage.run(setup) { stage in
            let url = "https://\(stage.authority)/bytes/1000"
            let right = try await curl(
                stage,
                url,
                ["-x", "socks5h://alice:se%3Acret@127.0.0.1:\(stage.port)"]
            )
            #expect(right.text == "200 1000", "\(right)")
            for user in ["alice:wrongword@", "alice:@", ""] {
                let wrong = try await curl(stage, url, ["-x", "socks5h://\(user)127.0.0.1:\(stage.port)"])
                #expect(!wrong.isSuccess)
                try await stage.event { $0.type == "flow" && $0.outcome == "refused" }
            }
            let older = try await curl(stage, url, ["--socks4a", "127.0.0.1:\(stage.port)"])
            #expect(!older.isSuccess)
            await stage.stop()
            let capture = try Data(contentsOf: URL(fileURLWithPath: stage.capturePath))
            for secret in ["se:cret", "wrongword"] { #expect(capture.range(of: Data(secret.utf8)) == nil) }
        }
    }

    @Test("asks for the password of a user of a file")
    func users() async throws {
        var setup = Stage.Setup()
        let users = "anna:$2y$04$9xxNH7cs5plUZDqAf.k8vuvSANPsmcjAvrnyh8E062tHwUEXXOrFK\n"
        setup.prepare = { _, directory in try directory.write(users, to: "users") }
        setup.arguments = ["--proxy-users", "users"]
        try await Stage.run(setup) { stage in
            let url = "https://\(stage.authority)/bytes/1000"
            let proxy = { (pair: String) in ["-x", "socks5h://\(pair)@127.0.0.1:\(stage.port)"] }
            for _ in 0..<2 {
                let right = try await curl(stage, url, proxy("anna:open-sesame"))
                #expect(right.text == "200 1000", "\(right)")
            }
            for pair in ["anna:sesame", "ben:open-sesame"] {
                let wrong = try await curl(stage, url, proxy(pair))
                #expect(!wrong.isSuccess)
                try await stage.event { $0.type == "flow" && $0.outcome == "refused" }
            }
            await stage.stop()
        }
    }

    /// Sends `bytes` and reads to the end.
    private static func say(_ bytes: [UInt8], _ stage: Stage) async throws -> [UInt8] {
        try await blocking {
            let client = try Connection(to: stage.port)
            try client.send(bytes)
            return try client.readToEnd()
        }
    }

    private static func request(_ host: [UInt8], _ port: UInt16) -> [UInt8] {
        [5, 1, 0, 5, 1, 0, 3, UInt8(host.count)] + host + [UInt8(port >> 8), UInt8(port & 0xff)]
    }

    private static func reply(_ code: UInt8) -> [UInt8] { [5, 0, 5, code, 0, 1, 0, 0, 0, 0, 0, 0] }

    @Test("answers an impossible request by its code: refused, unknown name, a loop, no CONNECT, no name")
    func codes() async throws {
        try await Stage.run(Stage.Setup(overrides: ["shop.example.test:*:127.0.0.1"])) { stage in
            let closed = try RawServer { _, _ in }.port
            let cases: [(String, UInt16, UInt8)] = [
                ("127.0.0.1", closed, 5), ("no-such-host.invalid", 80, 4), ("127.0.0.1", stage.port, 2),
                ("localhost", stage.port, 2), ("a b", 80, 1), (String(repeating: "a", count: 255), 80, 1),
            ]
            for (host, port, code) in cases {
                let answer = try await Self.say(Self.request(Array(host.utf8), port), stage)
                #expect(answer == Self.reply(code), "\(host):\(port)")
            }
            for command: UInt8 in [0, 2, 3, 255] {
                #expect(try await Self.say([5, 1, 0, 5, command, 0, 1], stage) == Self.reply(7))
            }
            #expect(try await Self.say([5, 1, 0, 5, 1, 0, 9], stage) == Self.reply(8))
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test("closes the connection of a client that never finishes its request")
    func slow() async throws {
        var setup = Stage.Setup()
        setup.configuration = """
            {"limits": {"headTimeoutSeconds": 1}}
            """
        try await Stage.run(setup) { stage in
            // Each answer shows that the proxy still serves. A good request could be late, too, under load.
            for bytes: [UInt8] in [
                [5], [5, 1, 0], [5, 1, 0, 5, 1, 0, 3, 200, 0x61], [4, 1, 0, 80, 0, 0, 0, 1],
            ] {
                let answer = try await Self.say(bytes, stage)
                #expect(answer == (bytes.count > 2 && bytes.first == 5 ? [5, 0] : []))
            }
            try await stage.event { $0.type == "flow" && $0.outcome == "timedOut" }
            await stage.stop()
        }
    }

    @Test("CVE-2025-23217: SOCKS does not lead to the console either, under any spelling")
    func console() async throws {
        let setup = Stage.Setup(overrides: [
            "shop.example.test:*:127.0.0.1", "console.example.test:*:127.0.0.1",
        ])
        try await Stage.run(setup) { stage in
            let line = try await stage.process.line(from: .errorOutput) {
                $0.contains("pinhole: console http://")
            }
            let match = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//))
            let port = try #require(UInt16(match.1))
            for host in [
                "127.0.0.1", "localhost", "LOCALHOST.", "console.example.test", "0.0.0.0", "::ffff:127.0.0.1",
            ] {
                let answer = try await Self.say(Self.request(Array(host.utf8), port), stage)
                #expect(answer == Self.reply(2), "\(host)")
            }
            let portBytes = [UInt8(port >> 8), UInt8(port & 0xff)]
            for address in [[127, 0, 0, 1], [0, 0, 0, 0]] as [[UInt8]] {
                #expect(
                    try await Self.say([5, 1, 0, 5, 1, 0, 1] + address + portBytes, stage) == Self.reply(2)
                )
                let older = try await Self.say([4, 1] + portBytes + address + [0], stage)
                #expect(older.prefix(2) == [0, 0x5b])
            }
            let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 127, 0, 0, 1]
            #expect(try await Self.say([5, 1, 0, 5, 1, 0, 4] + mapped + portBytes, stage) == Self.reply(2))
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
            let clients = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Clients")
                .path
            let result = try await ProcessRunner.run(
                Invocation(
                    "\(clients)/chromium.sh",
                    ["https://\(stage.authority)/html", "Teapots"],
                    environment: [
                        "HTTPS_PROXY": "socks5://127.0.0.1:\(stage.port)",
                        "PINHOLE_CLIENT_CA": stage.authorityPath,
                    ]
                )
            )
            try #require(result.isSuccess, "\(result)")
            let reader = try await stage.capture()
            let filter = ExchangeFilter(try Filter("host ~ shop.example.test"))
            let exchange = try #require(try reader.exchanges(filter, limit: 10).first { $0.path == "/html" })
            #expect(try reader.flow(exchange.flow)?.listenerKind == .socks5)
        }
    }
}
