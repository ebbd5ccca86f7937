import Foundation
import Testing

@Suite("Slow and huge heads")
struct SlowTests {
    /// Long enough for a client that sends at once, on a busy machine.
    private static let impatient = #"{"limits": {"headTimeoutSeconds": 2}}"#

    @Test(
        "a head that never ends is given up, and recorded",
        arguments: ["", "G", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n"]
    )
    func stalled(beginning: String) async throws {
        var setup = Stage.Setup()
        setup.configuration = Self.impatient
        try await Stage.run(setup) { stage in
            let (answer, port) = try await blocking {
                let client = try Connection(to: stage.port)
                try client.send(beginning)
                return (String(decoding: try client.readToEnd(), as: UTF8.self), client.localPort)
            }
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
            #expect(beginning.isEmpty || !answer.isEmpty, "a client that began should be told")
            #expect(try await stage.flow(from: port).outcome == "timedOut")
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test("a head that trickles in is given up too")
    func trickling() async throws {
        var setup = Stage.Setup()
        setup.configuration = Self.impatient
        try await Stage.run(setup) { stage in
            let port = try await blocking {
                let client = try Connection(to: stage.port)
                try client.send("GET http://shop.example.test/ HTTP/1.1\r\nHost: shop.example.test\r\n")
                Self.trickle("X-Field: y\r\n", to: client)
                return client.localPort
            }
            #expect(try await stage.flow(from: port).outcome == "timedOut")
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    /// Beginnings of chunked content, and what goes on for ever behind them.
    private static let drips = [
        ["", "0"], ["5;", "x"], ["0\r\n", "X-Trailer: y\r\n"], ["1\r\na\r\n", "0"],
    ]

    @Test("a chunk-size line or a trailer that trickles in is given up", arguments: drips)
    func tricklingRequest(drip: [String]) async throws {
        var setup = Stage.Setup()
        setup.configuration = Self.impatient
        try await Stage.run(setup) { stage in
            let text = try await blocking {
                let client = try Connection(to: stage.port)
                try client.send(
                    "POST http://shop.example.test:\(stage.plainPort)/echo HTTP/1.1\r\n"
                        + "Host: shop.example.test:\(stage.plainPort)\r\nTransfer-Encoding: chunked\r\n\r\n\(drip[0])"
                )
                Self.trickle(drip[1], to: client)
                return String(decoding: try client.readToEnd(), as: UTF8.self)
            }
            #expect(text.hasPrefix("HTTP/1.1 408 "), "\(text)")
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test("a chunk-size line or a trailer that trickles in from a server is given up", arguments: drips)
    func tricklingResponse(drip: [String]) async throws {
        let server = try RawServer { connection, _ in
            _ = try connection.read(through: "\r\n\r\n")
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(drip[0])")
            Self.trickle(drip[1], to: connection)
        }
        var setup = Stage.Setup()
        setup.configuration = Self.impatient
        try await Stage.run(setup) { stage in
            _ = try await blocking {
                let client = try Connection(to: stage.port)
                let url = "http://127.0.0.1:\(server.port)"
                try client.send("GET \(url)/ HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
                return try? client.readToEnd()
            }
            let exchange = try await stage.event { $0.type == "exchange" }
            #expect(exchange.outcome == "abortedByServer", "\(exchange)")
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    /// Sends a little again and again until the other side has had enough; the test would time out otherwise.
    private static func trickle(_ text: String, to connection: Connection) {
        var count = 0
        while count < 2000, (try? connection.send(text)) != nil {
            count += 1
            usleep(10_000)
        }
        #expect(count < 2000)
    }

    @Test(
        "a handshake that the client does not finish is recorded as timed out",
        arguments: ["in the ClientHello", "after the ClientHello"]
    )
    func stalledHandshake(place: String) async throws {
        var setup = Stage.Setup()
        // Long enough for the handshakes of those that do finish, on a busy machine.
        setup.configuration = #"{"limits": {"handshakeTimeoutSeconds": 2}}"#
        try await Stage.run(setup) { stage in
            let port = try await blocking {
                let client = try Connection(to: stage.port)
                try client.connectTunnel(stage.authority)
                let hello = try ClientHelloBytes.make(for: "shop.example.test")
                try client.sendRaw(place == "in the ClientHello" ? Array(hello.prefix(7)) : hello)
                _ = try client.readToEnd()
                return client.localPort
            }
            let flow = try await stage.flow(from: port)
            #expect(flow.outcome == "handshakeFailed")
            #expect(flow.handshakeFailure?.peer == "client")
            #expect(flow.handshakeFailure?.cause == "timedOut")
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test("a head of 1 MB is answered with 431", arguments: ["one field", "many fields", "the target"])
    func huge(kind: String) async throws {
        try await Stage.run { stage in
            for isSecure in [false, true] {
                let response = try await blocking {
                    let client = try isSecure ? stage.tunnel() : Connection(to: stage.port)
                    let host = "shop.example.test:\(isSecure ? stage.securePort : stage.plainPort)"
                    let target = isSecure ? "/echo" : "http://\(host)/echo"
                    let filler = String(repeating: "a", count: 1 << 20)
                    let head =
                        switch kind {
                        case "one field": "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nX: \(filler)\r\n\r\n"
                        case "many fields":
                            "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n"
                                + String(repeating: "X-Field: some value or other\r\n", count: 33_000)
                                + "\r\n"
                        default: "GET \(target)?\(filler) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
                        }
                    // The proxy may stop reading before the end.
                    try? client.send(head)
                    return try client.readResponse()
                }
                #expect(
                    kind == "the target" ? [414, 431].contains(response.status) : response.status == 431,
                    "\(response)"
                )
            }
            try await stage.expectAlive()
            await stage.stop()
        }
    }
}
