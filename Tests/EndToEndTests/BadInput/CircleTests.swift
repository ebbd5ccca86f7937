import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Proxies that lead to each other: the request comes back by a detour, which no address tells.
@Suite("Circle", .serialized)
struct CircleTests {
    /// Runs a proxy that is led to a second one by what `lead` says of their ports, and that one back to it.
    private static func run(
        _ lead: (UInt16, UInt16) -> [String],
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Stage) async throws -> Void
    ) async throws {
        let (first, second) = (try RawServer.refusing(), try RawServer.refusing())
        defer { for reserved in [first, second] { reserved.stop() } }
        var setups = (Stage.Setup(), Stage.Setup())
        setups.0.arguments = lead(first.port, second.port)
        setups.1.arguments = lead(second.port, first.port)
        setups.0.replacesListen = true
        setups.1.replacesListen = true
        try await Stage.run(setups.1) { far in
            try await Stage.run(setups.0, body)
            await far.stop()
        }
    }

    private static func ask(_ request: String, _ stage: Stage) async throws -> Response {
        try await blocking {
            let client = try Connection(to: stage.port)
            try client.send("\(request) HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
            return try client.readResponse()
        }
    }

    @Test(
        "next hops that are each other's answer 508, before many connections are open",
        arguments: ["http", "socks5"]
    )
    func nextHops(kind: String) async throws {
        let lead = { (own: UInt16, other: UInt16) in
            ["--listen", "127.0.0.1:\(own)", "--upstream-proxy", "\(kind)://127.0.0.1:\(other)"]
        }
        try await Self.run(lead) { stage in
            let tunnel = try await Self.ask("CONNECT shop.example.test:443", stage)
            #expect(tunnel.status == 508 && tunnel.text.contains("leads back to this one"), "\(tunnel.text)")
            let plain = try await Self.ask("GET http://shop.example.test/x", stage)
            #expect(plain.status == 508 && plain.text.contains("--upstream-proxy"), "\(plain.text)")
            let flows = try await stage.capture().flows(limit: 1000)
            // By HTTP the first CONNECT that comes back is known, and by SOCKS the 129th that nobody answers.
            let tunnels = flows.count { $0.authority == "shop.example.test:443" }
            #expect(kind == "http" ? tunnels == 2 : tunnels <= 129, "\(tunnels)")
            #expect(flows.count < 700, "\(flows.count)")
        }
    }

    @Test("listeners before each other answer 508")
    func reverse() async throws {
        let lead = { (own: UInt16, other: UInt16) in
            ["--listen", "reverse:http://127.0.0.1:\(other)@127.0.0.1:\(own)"]
        }
        try await Self.run(lead) { stage in
            let response = try await Self.ask("GET /x", stage)
            #expect(
                response.status == 508 && response.text.contains("goes round in a circle"),
                "\(response.text)"
            )
            let exchanges = try await stage.capture().exchanges(ExchangeFilter(), limit: 1000)
            #expect(exchanges.count < 700 && exchanges.allSatisfy { $0.status == 508 })
        }
    }

    @Test("a server that lets a hundred clients wait is none, and answers them all")
    func slowServer() async throws {
        let clients = 100
        let (heads, turns) = (Mailbox<String>(), Mailbox<Void>())
        let server = try RawServer { connection, _ in
            heads.put(String(decoding: try connection.read(through: "\r\n\r\n"), as: UTF8.self))
            if heads.contents.count == clients { for _ in 0..<clients { turns.put(()) } }
            try turns.take()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        }
        try await Stage.run { stage in
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<clients {
                    group.addTask {
                        try await blocking {
                            let client = try Connection(to: stage.port)
                            let host = "slow.example.test:\(server.port)"
                            try client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                            return try client.readResponse().status
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers == Array(repeating: 200, count: clients))
            // Of the connections that each loop makes, one in eight at most is asked about (a crowd is 32).
            #expect(heads.contents.count { $0.contains("Via: 1.1 pinhole-") } < clients / 6)
            await stage.stop()
        }
    }
}
