import Foundation
import PinholeFilter
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Whose traffic it is where several users share a proxy, through the built proxy with curl.
@Suite("Proxy users", .serialized)
struct ProxyUserTests {
    /// A password that was made up, as htpasswd writes it by bcrypt and by apr1.
    private static let users = """
        anna:$2y$04$9xxNH7cs5plUZDqAf.k8vuvSANPsmcjAvrnyh8E062tHwUEXXOrFK
        ben:$apr1$JeHv5ans$d/pKFfD26rnoooOUmfHw7.

        """

    private static func setup(_ rules: String = "[]") -> Stage.Setup {
        var setup = Stage.Setup()
        setup.prepare = { _, directory in try directory.write(users, to: "users") }
        setup.configuration = #"{"proxy": {"users": "users"}, "rules": \#(rules)}"#
        setup.speaksHTTP2 = true
        return setup
    }

    private static func curl(
        _ stage: Stage,
        _ scheme: String,
        _ pair: String,
        _ arguments: [String]
    ) async throws -> ProcessResult {
        try await ProcessRunner.run(
            Invocation(
                "curl",
                [
                    "-q", "-sS", "--max-time", "\(Patience.seconds)", "--cacert", stage.authorityPath,
                    "--proxy-cacert",
                    stage.authorityPath, "-x", "\(scheme)://\(pair)@127.0.0.1:\(stage.port)", "-w",
                    "%{http_code} ", "-o", "/dev/null",
                ] + arguments,
                environment: ["NO_PROXY": "", "no_proxy": ""]
            )
        )
    }

    @Test(
        "each exchange, and each relayed tunnel, has the user who logged in for it",
        arguments: ["http", "https", "socks5h"]
    )
    func ways(scheme: String) async throws {
        try await Stage.run(Self.setup()) { stage in
            let plain = "http://shop.example.test:\(stage.plainPort)/status/200"
            let secure = "https://\(stage.authority)/status/200"
            for pair in ["anna:open-sesame", "ben:open-sesame", "anna:open-sesame"] {
                for arguments in [[plain], [secure, "--http1.1"], [secure, "--http2"]] {
                    let result = try await Self.curl(stage, scheme, pair, arguments)
                    #expect(result.text == "200 ", "\(arguments) \(result)")
                }
            }
            // Who was not let in is nobody.
            _ = try await Self.curl(stage, scheme, "ben:sesame", [secure])
            let reader = try await stage.capture()
            func users(_ filter: String) throws -> [String?] {
                try reader.exchanges(ExchangeFilter(try Filter(filter)), order: .oldestFirst, limit: 99)
                    .map(\.proxyUser)
            }
            let three = ["anna", "ben", "anna"]
            #expect(try users("") == three.flatMap { [$0, $0, $0] })
            #expect(try users("proxy.user == BEN") == ["ben", "ben", "ben"])
            #expect(try users("proxy.user ~ b* & ~u ^http:") == ["ben"])
            #expect(try users("proxy.user != anna & !(proxy.user contains e)") == [])
            let refused = try reader.flows(FlowFilter(try Filter("outcome == refused")), limit: 9)
            #expect(refused.map(\.proxyUser) == [nil])
            let content = try Data(contentsOf: URL(fileURLWithPath: stage.capturePath))
            #expect(content.range(of: Data("sesame".utf8)) == nil)
        }
    }

    /// A server that reads no content of a GET, so that such content begins the next request, and answers with the path.
    private static func deaf() throws -> RawServer {
        try RawServer { connection, number in
            while true {
                let head = String(decoding: try connection.read(through: "\r\n\r\n"), as: UTF8.self)
                let path = head.split(separator: " ").dropFirst().first ?? ""
                let body = "\(number) \(path)"
                try connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
            }
        }
    }

    /// Asks as a user, on a connection of its own that stays open.
    private static func ask(
        _ stage: Stage,
        _ pair: String,
        _ authority: String,
        _ path: String,
        content: String = ""
    ) throws -> String {
        let client = try Connection(to: stage.port)
        let login = Data(pair.utf8).base64EncodedString()
        let length = content.isEmpty ? "" : "Content-Length: \(content.utf8.count)\r\n"
        try client.send(
            "GET http://\(authority)\(path) HTTP/1.1\r\nHost: \(authority)\r\n"
                + "Proxy-Authorization: Basic \(login)\r\n\(length)\r\n\(content)"
        )
        let text = try client.readResponse().text
        client.close()
        return text
    }

    @Test("the content of a user's GET does not answer another user's request")
    func smuggled() async throws {
        let server = try Self.deaf()
        var setup = Self.setup()
        setup.overrides = ["a.example.test:\(server.port):127.0.0.1"]
        setup.speaksHTTP2 = false
        try await Stage.run(setup) { stage in
            let server = "a.example.test:\(server.port)"
            try await blocking {
                let anna = "anna:open-sesame"
                // It ends inside a head, which the next request on this connection would complete.
                let hidden = "GET /hidden HTTP/1.1\r\nX: "
                let first = try Self.ask(stage, anna, server, "/first", content: hidden)
                // Her next request, and that of another user, come on connections of their own.
                let second = try Self.ask(stage, anna, server, "/second")
                let third = try Self.ask(stage, "ben:open-sesame", server, "/ben")
                #expect([first, second, third] == ["0 /first", "1 /second", "2 /ben"])
            }
            await stage.stop()
        }
    }

    @Test("a connection to a server is reused for the user whose request opened it, and for no other user")
    func pool() async throws {
        let server = try Self.deaf()
        var setup = Self.setup()
        setup.overrides = ["a.example.test:\(server.port):127.0.0.1"]
        setup.speaksHTTP2 = false
        try await Stage.run(setup) { stage in
            let server = "a.example.test:\(server.port)"
            try await blocking {
                // Connections are kept by each loop, so that there are several of them.
                func connections(_ user: String) throws -> Set<String> {
                    let answers = try (0..<8).map { _ in
                        try Self.ask(stage, "\(user):open-sesame", server, "/")
                    }
                    return Set(answers)
                }
                let anna = try connections("anna")
                let ben = try connections("ben")
                #expect(anna.isDisjoint(with: ben) && anna.count < 8 && ben.count < 8, "\(anna) \(ben)")
            }
            await stage.stop()
        }
    }

    @Test(
        "in streams of HTTP/2 to the proxy each request and each tunnel has its own",
        .enabled(if: Executable.testPython != nil, "make test prepares the packages for Python")
    )
    func streams() async throws {
        let clients = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Clients").path
        try await Stage.run(Self.setup()) { stage in
            let result = try await ProcessRunner.run(
                Invocation(
                    try #require(Executable.testPython),
                    [
                        "\(clients)/http2/tunnels.py", "--proxy-port", "\(stage.port)", "--ca",
                        stage.authorityPath, "--origin", stage.authority, "--plain",
                        "shop.example.test:\(stage.plainPort)", "--users", "anna:open-sesame",
                        "ben:open-sesame",
                    ],
                    environment: ["PYTHONDONTWRITEBYTECODE": "1"],
                    directory: stage.directory.path
                )
            )
            #expect(result.isSuccess, "\(result)")
            let reader = try await stage.capture()
            let exchanges = try reader.exchanges(order: .oldestFirst, limit: 99)
            let told = exchanges.map { "\($0.path) \($0.proxyUser ?? "nobody")" }.sorted()
            #expect(
                told
                    == ["/anna anna", "/ben ben", "/tunnel/anna anna", "/tunnel/ben ben"].flatMap {
                        [$0, $0]
                    }
            )
            // All of them came by one connection, which is nobody's; a tunnel is one user's.
            let flows = try reader.flows(limit: 99)
            let tunnels = flows.filter { $0.inbound?.stream != nil }
            #expect(Set(tunnels.map(\.proxyUser)) == ["anna", "ben"])
            #expect(Set(tunnels.map { $0.inbound?.connection }).count == 1)
            #expect(
                flows.first { $0.id == tunnels.first?.inbound?.connection }.map(\.proxyUser) == .some(nil)
            )
        }
    }

    @Test("rules and the capture's filter can mean one of them, and the list and the exports name them")
    func meant() async throws {
        let rules = #"[{"do": "mock", "status": 418, "when": "proxy.user == ben"}]"#
        var setup = Self.setup(rules)
        setup.arguments = ["--capture-filter", "proxy.user == ben"]
        try await Stage.run(setup) { stage in
            let secure = "https://\(stage.authority)/status/200"
            for (pair, status) in [("anna:open-sesame", "200 "), ("ben:open-sesame", "418 ")] {
                let result = try await Self.curl(stage, "http", pair, [secure])
                #expect(result.text == status, "\(result)")
            }
            let api = try await RunningConsole(of: stage)
            let list = try await blocking {
                _ = try api.item("proxy.user == ben & status == 418")
                return try api.ask("GET /api/traffic?limit=9").text
                    + api.ask("GET /api/export?format=csv").text
                    + api.ask("GET /api/export?format=har").text
            }
            #expect(list.contains(#""proxyUser":"ben""#) && list.contains(#""_proxyUser":"ben""#))
            #expect(list.contains(",clientProcess,proxyUser") && list.contains(",ben\r\n"))
            #expect(!list.contains("anna"))
            let shown = try await ProcessRunner.run(
                Invocation(
                    try #require(Executable.pinhole),
                    ["flows", "show", "--capture", stage.capturePath, "proxy.user == ben"]
                )
            )
            #expect(
                shown.text.split(separator: "\n").count { $0.hasPrefix("user") && $0.hasSuffix(" ben") } == 2
            )
            await stage.stop()
        }
    }
}
