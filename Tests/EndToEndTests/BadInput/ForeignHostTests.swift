import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// A Host that names another server than the target (`curl -H 'Host: shop.test' http://127.0.0.1/`).
@Suite("Foreign Host", .serialized)
struct ForeignHostTests {
    /// A server that answers with the Host fields of the request.
    private static func server() throws -> RawServer {
        try RawServer { connection, _ in
            let head = String(decoding: try connection.read(through: "\r\n\r\n"), as: UTF8.self)
            let hosts = head.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("host:") }
            let text = hosts.joined(separator: "|")
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n\(text)"
            )
        }
    }

    private static func ask(_ stage: Stage, _ target: String, _ fields: String) async throws -> Response {
        try await blocking {
            let client = try Connection(to: stage.port)
            try client.send("GET \(target) HTTP/1.1\r\n\(fields)\r\n\r\n")
            return try client.readResponse()
        }
    }

    @Test("the target decides where a request goes, and its server gets the Host of the client")
    func target() async throws {
        let server = try Self.server()
        let authority = "127.0.0.1:\(server.port)"
        try await Stage.run { stage in
            for host in ["shop.example.test", "localhost:\(server.port)", "127.0.0.1", authority] {
                let response = try await Self.ask(stage, "http://\(authority)/\(host)", "Host: \(host)")
                #expect(response.text == "Host: \(host)")
            }
            let inside = try await blocking {
                let client = try Connection(to: stage.port)
                try client.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                _ = try client.readHead()
                try client.send("GET /inside HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                return try client.readResponse()
            }
            #expect(inside.text == "Host: shop.example.test")
            for fields in ["Host: a\r\nHost: \(authority)", "Host: a b", "X: y"] {
                #expect(try await Self.ask(stage, "http://\(authority)/", fields).status == 400, "\(fields)")
            }
            #expect(server.accepted == 5, "a refused request reaches no server")
            let exchanges = try await stage.capture().exchanges(limit: 100)
            #expect(exchanges.count == 5)
            for exchange in exchanges where exchange.path != "/inside" {
                #expect(exchange.authority.description == authority)
                let isSame = exchange.path == "/\(authority)"
                #expect(exchange.notes.contains(.hostDiffers) == !isSame, "\(exchange.path)")
            }
            #expect(exchanges.first { $0.path == "/inside" }?.notes.contains(.hostDiffers) == true)
        }
    }

    @Test("a Host that names the proxy or its console leads to neither")
    func own() async throws {
        let server = try Self.server()
        var setup = Stage.Setup()
        setup.arguments = ["--console", "127.0.0.1:0"]
        try await Stage.run(setup) { stage in
            let line = try await stage.process.line(from: .errorOutput) {
                $0.contains("pinhole: console http://")
            }
            let console = try #require(line.firstMatch(of: /http:\/\/(127\.0\.0\.1:\d+)\//)).1
            for host in ["127.0.0.1:\(stage.port)", String(console), "pinhole.test"] {
                let response = try await Self.ask(
                    stage,
                    "http://127.0.0.1:\(server.port)/api/state",
                    "Host: \(host)"
                )
                #expect(response.text == "Host: \(host)")
                let loop = try await Self.ask(stage, "http://127.0.0.1:\(stage.port)/", "Host: \(host)")
                #expect(loop.status == 508, "\(host)")
                let page = try await Self.ask(stage, "http://\(console)/api/state", "Host: \(host)")
                #expect(page.status == 508, "\(host)")
            }
            let direct = try await blocking {
                let client = try Connection(to: UInt16(console.split(separator: ":")[1]) ?? 0)
                try client.send("GET http://\(console)/api/state HTTP/1.1\r\nHost: evil.example\r\n\r\n")
                return try client.readResponse()
            }
            #expect(direct.status == 421)
            await stage.stop()
        }
    }
}
