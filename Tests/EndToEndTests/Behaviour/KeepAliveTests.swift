import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeStore
import Testing

@Suite("Keep-alive", .serialized)
struct KeepAliveTests {
    private static func ask(_ client: Connection, _ path: String) throws -> Response {
        try client.send("GET \(path) HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
        return try client.readResponse()
    }

    @Test("requests of one client connection share one server connection")
    func keepAlive() async throws {
        try await Stage.run { stage in
            try await blocking {
                let client = try stage.tunnel()
                for number in 1...5 {
                    let response = try Self.ask(client, "/bytes/\(number)")
                    #expect(response.status == 200)
                    #expect(response.body.count == number)
                }
            }
            #expect(stage.origin.acceptedCount == 1)
            let reader = try await stage.capture()
            let exchanges = try reader.exchanges(order: .oldestFirst, limit: 100)
            #expect(exchanges.map(\.path) == (1...5).map { "/bytes/\($0)" })
            #expect(
                exchanges.map { $0.notes.contains(.connectionReused) } == [false, true, true, true, true]
            )
        }
    }

    @Test("tunnels one after another share the server connections of the pool")
    func pooling() async throws {
        try await Stage.run { stage in
            try await blocking {
                for _ in 1...12 {
                    let client = try stage.tunnel()
                    #expect(try Self.ask(client, "/json").status == 200)
                    client.finishSending()
                    // The end of the stream says that the tunnel was closed, so its server connection lies in the pool.
                    #expect(try client.readToEnd() == [])
                }
            }
            // There is one pool for each event loop, and one loop for each core.
            #expect(stage.origin.acceptedCount <= ProcessInfo.processInfo.activeProcessorCount)
            await stage.stop()
        }
    }

    @Test("tunnels whose clients ask for nothing share the server connections of the pool")
    func resting() async throws {
        var setup = Stage.Setup()
        setup.configuration = #"{"limits": {"pooledAfterSeconds": 0.1}}"#
        try await Stage.run(setup) { stage in
            try await blocking {
                var clients: [Connection] = []
                // Each takes its time, so one of them comes after the first has rested.
                while stage.origin.acceptedCount == clients.count, clients.count < 500 {
                    let client = try stage.tunnel()
                    #expect(try Self.ask(client, "/json").status == 200)
                    clients.append(client)
                }
                #expect(stage.origin.acceptedCount < clients.count)
                for client in clients { #expect(try Self.ask(client, "/json").status == 200) }
            }
            await stage.stop()
        }
    }

    @Test("a tunnel that the pool opened gets a status when its server refuses new connections")
    func refusedLater() async throws {
        let server = try ServerTLS()
        let isOver = DispatchSemaphore(value: 0)
        let raw = try RawServer { connection, _ in
            try server.accept(connection)
            _ = try connection.read(through: "\r\n\r\n")
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            isOver.wait()
        }
        var setup = Stage.Setup()
        setup.serverRoots = [server.root]
        try await Stage.run(setup) { stage in
            let authority = "shop.example.test:\(raw.port)"
            try await blocking {
                let client = try stage.tunnel(authority)
                #expect(try Self.ask(client, "/").status == 200)
                client.finishSending()
                #expect(try client.readToEnd() == [])
                raw.stop()
                // Each loop has a pool of its own, and a loop with an empty pool refuses the CONNECT.
                var late: Connection?
                for _ in 0..<40 where late == nil {
                    let tunnel = try Connection(to: stage.port)
                    if (try? tunnel.connectTunnel(authority)) != nil { late = tunnel }
                }
                isOver.signal()
                let tunnel = try #require(late, "no loop opened a tunnel")
                try tunnel.secure(stage.tls)
                let response = try Self.ask(tunnel, "/late")
                #expect(response.status == 502 && response.text.contains("cannot be reached"))
            }
            let exchange = try await stage.capture().exchanges(limit: 100).first { $0.path == "/late" }
            #expect(exchange?.outcome?.kind == .answeredByProxy)
            #expect(exchange?.outcome?.detail?.contains("cannot be reached") == true)
        }
    }

    @Test("a connection that authenticates its client is used by this client only")
    func boundConnection() async throws {
        let server = try ServerTLS()
        let raw = try RawServer { connection, number in
            try server.accept(connection)
            var steps = 0
            while true {
                let head = String(decoding: try connection.read(through: "\r\n\r\n"), as: UTF8.self)
                let isStep = head.contains("Authorization: NTLM \(steps)\r\n")
                if steps < 2, isStep { steps += 1 }
                let answer =
                    steps == 2
                    ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM \(steps)\r\n"
                try connection.send("\(answer)Content-Length: 1\r\n\r\n\(number)")
            }
        }
        var setup = Stage.Setup()
        setup.serverRoots = [server.root]
        try await Stage.run(setup) { stage in
            try await blocking {
                func ask(_ client: Connection, _ line: String = "") throws -> Response {
                    try client.send("GET / HTTP/1.1\r\nHost: shop.example.test\r\n\(line)\r\n")
                    return try client.readResponse()
                }
                let first = try stage.tunnel("shop.example.test:\(raw.port)")
                #expect(try ask(first).status == 401)
                #expect(try ask(first, "Authorization: NTLM 0\r\n").status == 401)
                #expect(try ask(first, "Authorization: NTLM 1\r\n").status == 200)
                #expect(try ask(first).text == "0")
                for number in 1...4 {
                    let other = try stage.tunnel("shop.example.test:\(raw.port)")
                    let response = try ask(other)
                    #expect(response.status == 401 && response.text == "\(number)")
                }
                first.finishSending()
                #expect(try first.readToEnd() == [])
                #expect(try ask(try stage.tunnel("shop.example.test:\(raw.port)")).status == 401)
            }
            await stage.stop()
        }
    }

    @Test("sessions are resumed on both sides", arguments: [TLSVersion.tls12, .tls13])
    func resumption(version: TLSVersion) async throws {
        var setup = Stage.Setup()
        setup.configuration = #"{"limits": {"pooledConnections": 0}}"#
        try await Stage.run(setup) { stage in
            try await blocking {
                var tls = stage.tls
                tls.versions = version...version
                for number in 1...8 {
                    let client = try stage.tunnel(nil, tls)
                    #expect(try Self.ask(client, "/json").status == 200)
                    #expect(client.engine?.isResumed == (number > 1))
                    tls.session = client.engine?.takeSession() ?? tls.session
                    client.finishSending()
                    _ = try client.readToEnd()
                }
            }
            let flows = try await stage.capture().flows(order: .oldestFirst, limit: 100)
            #expect(flows.count == 8)
            #expect(flows.map { $0.clientHandshake?.isResumed } == [false] + Array(repeating: true, count: 7))
            #expect(flows.map { $0.serverHandshake?.isResumed } == [false] + Array(repeating: true, count: 7))
        }
    }

    @Test("a request on a connection that the server closed meanwhile is sent again on a new one")
    func staleConnection() async throws {
        let server = try ServerTLS()
        let raw = try RawServer { connection, number in
            try server.accept(connection)
            _ = try connection.read(through: "\r\n\r\n")
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
            // The first connection is closed when the second request has come, without a response.
            if number == 0 { _ = try connection.read(through: "\r\n\r\n") }
        }
        var setup = Stage.Setup()
        setup.serverRoots = [server.root]
        try await Stage.run(setup) { stage in
            try await blocking {
                let client = try stage.tunnel("shop.example.test:\(raw.port)")
                #expect(try Self.ask(client, "/").text == "0")
                #expect(try Self.ask(client, "/").text == "1")
            }
            let exchanges = try await stage.capture().exchanges(order: .oldestFirst, limit: 10)
            #expect(exchanges.map { $0.notes.contains(.retried) } == [false, true])
        }
    }
}
