import Foundation
import PinholeCrypto
import PinholeModel
import Testing

@Suite("Resets", .serialized)
struct ResetTests {
    /// Calls `body` for every number below `count`, on four threads.
    private static func forEach(
        below count: Int,
        _ body: @escaping @Sendable (Int) throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            for lane in 0..<4 {
                group.addTask {
                    try await blocking {
                        for number in stride(from: lane, to: count, by: 4) { try body(number) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The bytes between two resets of a server: every record is longer.
    private static let step = 5

    private static let response = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n01234567890123456789"

    @Test(
        "a server's reset in any record of handshake and response does not affect other connections",
        arguments: [TLSVersion.tls12, .tls13]
    )
    func server(version: TLSVersion) async throws {
        let server = try ServerTLS(VirtualHostName.shop, version...version)
        let total = Mailbox<Int>()
        let count = Mailbox<Int>()
        let raw = try RawServer { connection, number in
            // The first connection counts the bytes that there are. A request may cost two connections, hence the
            // remainder.
            if let count = count.contents.first { connection.sendBudget = number * Self.step % count }
            // No session is resumed, so that each connection has about the same bytes.
            try server.accept(connection, scope: "\(number)")
            _ = try connection.read(through: "\r\n\r\n")
            try connection.send(Self.response)
            total.put(connection.sentCount)
            _ = try connection.readToEnd()
        }
        var setup = Stage.Setup()
        setup.serverRoots = [server.root]
        setup.capturesNothing = true
        setup.configuration = #"{"limits": {"pooledConnections": 0}}"#
        try await Stage.run(setup) { stage in
            let authority = "shop.example.test:\(raw.port)"
            let whole = try await blocking { try stage.get("/", authority: authority) }
            #expect(whole.status == 200)
            // ECDSA signatures differ in length by some bytes, so the very last ones may be those of a whole response.
            let limit = try await blocking { try total.take() } - 8
            #expect(limit > 1000)
            count.put(limit)
            let statuses = Mailbox<Int>()
            try await Self.forEach(below: limit / Self.step) { number in
                let client = try stage.tunnel(authority)
                try client.send("GET /\(number) HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                let status = (try? client.readResponse().status) ?? 0
                statuses.put(status)
            }
            // Either the page, or, where the response had begun, an end without a whole response.
            #expect(Set(statuses.contents).isSubset(of: [502, 0]), "\(Set(statuses.contents))")
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test(
        "a server that closes while the client still shakes hands is not waited for",
        arguments: [true, false]
    )
    func betweenHandshakes(resets: Bool) async throws {
        let server = try ServerTLS()
        let gone = Mailbox<Bool>()
        let raw = try RawServer { connection, number in
            try server.accept(connection)
            if number == 0 {
                if resets { connection.reset() } else { connection.close() }
                return gone.put(true)
            }
            _ = try connection.read(through: "\r\n\r\n")
            try connection.send(Self.response)
        }
        var setup = Stage.Setup()
        setup.serverRoots = [server.root]
        try await Stage.run(setup) { stage in
            try await blocking {
                let client = try Connection(to: stage.port)
                try client.connectTunnel("shop.example.test:\(raw.port)")
                try client.secure(stage.tls) { _ = try gone.take() }
                try client.send("GET / HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                // It is dialed again where that was noticed in time.
                let status = try client.readResponse().status
                #expect([200, 502].contains(status))
            }
            await stage.stop()
        }
    }

    @Test("a plain body until the close that breaks off ends in a reset, not in a proper end")
    func brokenPlainBody() async throws {
        let raw = try RawServer { connection, _ in
            _ = try connection.read(through: "\r\n\r\n")
            try connection.send("HTTP/1.1 200 OK\r\n\r\nabc")
            // The client has it, so it is the reset that comes next.
            _ = try connection.read(1)
            connection.reset()
        }
        try await Stage.run { stage in
            try await blocking {
                let client = try Connection(to: stage.port)
                let authority = "127.0.0.1:\(raw.port)"
                try client.send(
                    "PUT http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: 2\r\n\r\n"
                )
                _ = try client.read(through: "\r\n\r\nabc")
                try client.send("x")
                #expect(throws: ConnectionFailure.self) { try client.receive() }
            }
            await stage.stop()
        }
    }

    @Test("a client's reset at any byte affects no other connection", arguments: [TLSVersion.tls12, .tls13])
    func client(version: TLSVersion) async throws {
        var setup = Stage.Setup()
        setup.capturesNothing = true
        try await Stage.run(setup) { stage in
            let run: @Sendable (Int?) throws -> Int = { budget in
                let client = try Connection(to: stage.port)
                client.sendBudget = budget
                try client.connectTunnel(stage.authority)
                var tls = stage.tls
                tls.versions = version...version
                try client.secure(tls)
                try client.send(
                    "POST /echo HTTP/1.1\r\nHost: shop.example.test\r\nContent-Length: 20\r\n\r\n"
                )
                try client.send("01234567890123456789")
                #expect(try client.readResponse().status == 200)
                return client.sentCount
            }
            let count = try await blocking { try run(nil) }
            try await Self.forEach(below: count) { offset in
                #expect(throws: ConnectionFailure.budgetSpent) { try run(offset) }
            }
            try await stage.expectAlive()
            await stage.stop()
        }
    }
}
