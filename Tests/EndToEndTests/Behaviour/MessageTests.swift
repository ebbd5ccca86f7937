import Foundation
import PinholeModel
import PinholeStore
import Testing

@Suite("Messages", .serialized)
struct MessageTests {
    private static func start(_ request: String, _ stage: Stage) throws -> Connection {
        let client = try stage.tunnel()
        try client.send(request)
        return client
    }

    @Test("pipelined requests are answered in order")
    func pipelining() async throws {
        try await Stage.run { stage in
            try await blocking {
                let request = (1...20).map { "GET /bytes/\($0) HTTP/1.1\r\nHost: shop.example.test\r\n\r\n" }
                let client = try Self.start(request.joined(), stage)
                for number in 1...20 { #expect(try client.readResponse().body.count == number) }
            }
            #expect(try await stage.capture().exchanges(limit: 100).count == 20)
        }
    }

    @Test("chunks, their extensions and trailers pass in both directions")
    func chunked() async throws {
        try await Stage.run { stage in
            try await blocking {
                let client = try Self.start("GET /chunked HTTP/1.1\r\nHost: shop.example.test\r\n\r\n", stage)
                let response = try client.readResponse()
                #expect(response.text == "Each line came in a chunk of its own.\n")
                #expect(response.trailers == "X-Checksum: 1234abcd\r\nX-Lines: 1\r\n")
                try client.send(
                    """
                    POST /echo HTTP/1.1\r\nHost: shop.example.test\r\nTransfer-Encoding: chunked\r\n\
                    Trailer: X-Sum\r\n\r\n5;a="b"\r\nhello\r\n6\r\n world\r\n0\r\nX-Sum: 11\r\n\r\n
                    """
                )
                let echo = try Echo(client.readResponse())
                #expect(echo.bodyLength == 11)
                #expect(echo.trailers.contains(["X-Sum", "11"]))
            }
            let reader = try await stage.capture()
            let exchange = try #require(try reader.exchanges(order: .newestFirst, limit: 1).first)
            let record = try #require(try reader.exchange(exchange.id))
            #expect(try reader.body(of: record, .request) == Array("hello world".utf8))
            #expect(String(decoding: record.request.trailers, as: UTF8.self).contains("X-Sum: 11"))
        }
    }

    @Test("Expect: 100-continue is left to the server")
    func expectContinue() async throws {
        try await Stage.run { stage in
            try await blocking {
                let head = "POST /continue HTTP/1.1\r\nHost: shop.example.test\r\nContent-Length: 5\r\n"
                let client = try Self.start(head + "Expect: 100-continue\r\n\r\n", stage)
                #expect(try client.readHead().status == 100)
                try client.send("hello")
                #expect(try client.readResponse().text == "Got 5 bytes.\n")
            }
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test("a refusal before the body reaches the client, which may stop sending")
    func refusedEarly() async throws {
        try await Stage.run { stage in
            try await blocking {
                let head =
                    "POST /refuse-early HTTP/1.1\r\nHost: shop.example.test\r\nContent-Length: 500000\r\n\r\n"
                let client = try Self.start(head, stage)
                #expect(try client.readResponse().status == 413)
            }
            try await stage.event { $0.status == 413 && $0.notes?.contains("answeredEarly") == true }
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test("interim responses pass and are recorded")
    func interim() async throws {
        try await Stage.run { stage in
            try await blocking {
                let client = try Self.start(
                    "GET /early-hints HTTP/1.1\r\nHost: shop.example.test\r\n\r\n",
                    stage
                )
                let hint = try client.readHead()
                #expect(hint.status == 103)
                #expect(hint.field("link") == "</style.css>; rel=preload; as=style")
                #expect(try client.readResponse().text.contains("Teapots"))
            }
            let reader = try await stage.capture()
            let exchange = try #require(try reader.exchanges(limit: 1).first)
            #expect(try reader.exchange(exchange.id)?.informational.count == 1)
        }
    }

    @Test("responses without a body leave the connection in step", arguments: ["/status/204", "/status/304"])
    func bodiless(path: String) async throws {
        try await Stage.run { stage in
            try await blocking {
                let host = "Host: shop.example.test\r\n\r\n"
                let client = try Self.start("GET \(path) HTTP/1.1\r\n\(host)", stage)
                #expect(try client.readResponse().status == Int(path.suffix(3)))
                try client.send("HEAD /1mb HTTP/1.1\r\n\(host)")
                #expect(try client.readHead().field("content-length") == "1048576")
                try client.send("GET /json HTTP/1.1\r\n\(host)")
                #expect(try client.readResponse().text.contains("teapot"))
            }
            await stage.stop()
        }
    }

    @Test("a body that ends with the connection, and an HTTP/1.0 client")
    func untilClose() async throws {
        try await Stage.run { stage in
            try await blocking {
                let client = try Self.start("GET /close HTTP/1.1\r\nHost: shop.example.test\r\n\r\n", stage)
                #expect(try client.readResponse().text == "This body ends where the connection ends.\n")
                let old = try Self.start("GET /chunked HTTP/1.0\r\nHost: shop.example.test\r\n\r\n", stage)
                let response = try old.readResponse()
                #expect(response.field("transfer-encoding") == nil)
                #expect(response.text == "Each line came in a chunk of its own.\n")
            }
            let exchanges = try await stage.capture().exchanges(limit: 10)
            #expect(exchanges.allSatisfy { $0.outcome == .completed && $0.response?.body.isComplete == true })
        }
    }

    @Test("plain HTTP in absolute form is forwarded in origin form")
    func absoluteForm() async throws {
        try await Stage.run { stage in
            try await blocking {
                let client = try Connection(to: stage.port)
                let port = stage.plainPort
                for method in ["GET", "POST"] {
                    try client.send(
                        """
                        \(method) http://shop.example.test:\(port)/echo?a=b HTTP/1.1\r\n\
                        Host: shop.example.test:\(port)\r\nProxy-Connection: keep-alive\r\nX-Odd:  two  blanks\r\n\
                        Content-Length: 3\r\n\r\nabc
                        """
                    )
                    let echo = try Echo(client.readResponse())
                    #expect(echo.method == method)
                    #expect(echo.target == "/echo?a=b")
                    #expect(echo.bodyLength == 3)
                    #expect(echo.headText.contains("X-Odd:  two  blanks\r\n"))
                    #expect(!echo.headText.lowercased().contains("proxy-connection"))
                }
            }
            let exchanges = try await stage.capture().exchanges(limit: 10)
            #expect(exchanges.map(\.scheme) == [.http, .http])
        }
    }

    @Test("the server gets names, order and bytes of the fields as the client sent them")
    func fieldsAreKept() async throws {
        try await Stage.run { stage in
            try await blocking {
                let lines = "hOsT: shop.example.test\r\nX-b: 1\r\nx-A:\t2 \r\nX-b: 3\r\nX-Empty:\r\n"
                let client = try Self.start("GET /echo HTTP/1.1\r\n\(lines)\r\n", stage)
                #expect(try Echo(client.readResponse()).headText == "GET /echo HTTP/1.1\r\n\(lines)\r\n")
            }
            await stage.stop()
        }
    }

    @Test("a client that closes its half after the request still reads the answer", arguments: [true, false])
    func halfClose(isSecure: Bool) async throws {
        try await Stage.run { stage in
            try await blocking {
                let port = stage.plainPort
                let client = try isSecure ? stage.tunnel() : Connection(to: stage.port)
                let target = isSecure ? "/slow/3" : "http://shop.example.test:\(port)/slow/3"
                let host = isSecure ? "shop.example.test" : "shop.example.test:\(port)"
                try client.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                client.finishSending()
                #expect(try client.readResponse().text == "line 1\nline 2\nline 3\n")
                #expect(try client.readToEnd() == [])
            }
            let exchanges = try await stage.capture().exchanges(limit: 10)
            #expect(exchanges.map(\.outcome) == [.completed])
        }
    }

    @Test("a client that hung up before the answer came got none", arguments: [true, false])
    func hungUp(isSecure: Bool) async throws {
        let server = try ServerTLS()
        let (asked, gone) = (Mailbox<Bool>(), Mailbox<Bool>())
        let raw = try RawServer { connection, _ in
            if isSecure { try server.accept(connection) }
            _ = try connection.read(through: "\r\n\r\n")
            asked.put(true)
            guard try gone.take() else { return }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        var setup = Stage.Setup()
        setup.serverRoots = [server.root]
        try await Stage.run(setup) { stage in
            try await blocking {
                let name = "shop.example.test:\(raw.port)"
                let client = try isSecure ? stage.tunnel(name) : Connection(to: stage.port)
                let target = isSecure ? "/" : "http://\(name)/"
                try client.send("GET \(target) HTTP/1.1\r\nHost: \(name)\r\n\r\n")
                _ = try asked.take()
                client.close()
                // A loop that answers one of these has seen what came before: one of them goes to each loop.
                for _ in 0..<16 * ProcessInfo.processInfo.activeProcessorCount {
                    let other = try Connection(to: stage.port)
                    try other.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(stage.port)\r\n\r\n")
                    _ = try other.readHead()
                }
                gone.put(true)
            }
            let exchanges = try await stage.capture().exchanges(limit: 1000)
                .filter { $0.authority.port == raw.port }
            #expect(exchanges.count == 1)
            guard case .aborted(by: .client, _)? = exchanges.first?.outcome else {
                Issue.record("expected a client that is gone, found \(exchanges.map(\.outcome))")
                return
            }
        }
    }
}

/// What the origin's `/echo` answers.
struct Echo: Decodable {
    let method: String
    let target: String
    let head: String
    let trailers: [[String]]
    let bodyLength: Int
    let bodySHA256: String
    let clientCertificate: String?

    init(_ response: Response) throws {
        do {
            self = try JSONDecoder().decode(Echo.self, from: Data(response.body))
        } catch {
            throw ConnectionFailure.unreadable("\(response)")
        }
    }

    /// The head of the request as the origin got it.
    var headText: String { Data(base64Encoded: head).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
