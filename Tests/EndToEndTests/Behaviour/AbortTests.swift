import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Exchanges and tunnels of a running proxy that somebody ends by its API.
@Suite("Ending open exchanges and tunnels", .serialized)
struct AbortTests {
    /// What a server of ours saw of its connection's end.
    private static func end(of connection: Connection) -> String {
        do {
            while try connection.receive() != nil {}
            return "end"
        } catch ConnectionFailure.broken {
            return "reset"
        } catch {
            return "\(error)"
        }
    }

    @Test("an unanswered request is listed, and can be ended toward both sides")
    func waiting() async throws {
        let ends = Mailbox<String>()
        let server = try RawServer { connection, _ in
            _ = try connection.read(through: "\r\n\r\n")
            ends.put(Self.end(of: connection))
        }
        try await Stage.run { stage in
            let api = try await RunningConsole(of: stage)
            let id = try await blocking {
                let client = try Connection(to: stage.port)
                let host = "slow.example.test:\(server.port)"
                try client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                let id = try api.item("running & host == slow.example.test")
                #expect(try api.ask("POST /api/traffic/\(id)/abort").status == 204)
                #expect(Self.end(of: client) == "reset")
                let again = try api.ask("POST /api/traffic/\(id)/abort")
                #expect(again.status == 409, "\(again.text)")
                #expect(try api.ask("POST /api/traffic/999999/abort").status == 404)
                return id
            }
            #expect(try await blocking { try ends.take() } == "reset")
            let exchange = try #require(try await stage.capture().exchange(ExchangeID(rawValue: id)))
            #expect(exchange.outcome == .abortedByUser && exchange.response == nil)
        }
    }

    @Test("aborting an open stream over TLS ends it, and the received part is recorded")
    func stream() async throws {
        try await Stage.run { stage in
            let api = try await RunningConsole(of: stage)
            let id = try await blocking {
                let client = try stage.tunnel()
                try client.send("GET /slow/1000000 HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                _ = try client.readHead()
                let id = try api.item("running & path contains slow")
                #expect(try api.ask("POST /api/traffic/\(id)/abort").status == 204)
                #expect(throws: ConnectionFailure.self) {
                    while try client.receive() != nil {}
                }
                return id
            }
            let exchange = try #require(try await stage.capture().exchange(ExchangeID(rawValue: id)))
            #expect(exchange.outcome == .abortedByUser && exchange.status == 200)
            #expect(exchange.response?.body.isComplete == false)
        }
    }

    @Test("a stream of HTTP/2 is cancelled, and the next request uses its connection")
    func http2() async throws {
        var setup = Stage.Setup()
        setup.speaksHTTP2 = true
        try await Stage.run(setup) { stage in
            let api = try await RunningConsole(of: stage)
            async let told = ProcessRunner.run(
                Invocation(
                    "curl",
                    [
                        "-sS", "--http2", "--max-time", "\(Patience.seconds)", "--cacert",
                        stage.authorityPath, "-x",
                        "http://127.0.0.1:\(stage.port)", "-o", "/dev/null", "-o", "/dev/null", "-w",
                        "%{http_version} %{http_code} %{num_connects} %{exitcode}\n",
                        "https://\(stage.authority)/never", "https://\(stage.authority)/json",
                    ],
                    environment: ["NO_PROXY": "", "no_proxy": ""]
                )
            )
            let id = try await blocking {
                let id = try api.item("running & path == /never")
                #expect(try api.ask("POST /api/traffic/\(id)/abort").status == 204)
                return id
            }
            // 92 is CURLE_HTTP2_STREAM; the second one made no connection.
            let lines = try await told.text.split(separator: "\n").map(String.init)
            #expect(
                lines.count == 2 && lines[0].hasSuffix(" 000 1 92") && lines[1] == "2 200 0 0",
                "\(lines)"
            )
            let reader = try await stage.capture()
            #expect(try reader.exchange(ExchangeID(rawValue: id))?.outcome == .abortedByUser)
        }
    }

    @Test("aborting a relayed tunnel ends it, and its flow has the reason")
    func relay() async throws {
        let ends = Mailbox<String>()
        let server = try RawServer { connection, _ in
            try connection.send("220 ready\r\n")
            ends.put(Self.end(of: connection))
        }
        try await Stage.run { stage in
            let api = try await RunningConsole(of: stage)
            let id = try await blocking {
                let client = try Connection(to: stage.port)
                try client.connectTunnel("mail.example.test:\(server.port)")
                _ = try client.read(through: "\r\n")
                let id = try api.item("running & treatment == opaque")
                #expect(try api.ask("POST /api/traffic/\(id)/abort").status == 204)
                #expect(Self.end(of: client) == "reset")
                return id
            }
            #expect(try await blocking { try ends.take() } == "reset")
            let flow = try #require(try await stage.capture().flow(FlowID(rawValue: id)))
            #expect(flow.outcome == Outcome(.aborted, detail: "the user ended it"))
        }
    }
}
