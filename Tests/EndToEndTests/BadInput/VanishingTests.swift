import PinholeCrypto
import PinholeModel
import Testing

@Suite("Vanishing clients", .serialized)
struct VanishingTests {
    private static func run(
        _ script: @escaping @Sendable (Connection) throws -> Void,
        _ body: (Stage, RawServer) async throws -> Void
    ) async throws {
        let server = try ServerTLS()
        let raw = try RawServer { connection, _ in
            try server.accept(connection)
            try script(connection)
        }
        var setup = Stage.Setup()
        setup.serverRoots = [server.root]
        try await Stage.run(setup) { stage in
            try await body(stage, raw)
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test(
        "the upload of a client that vanishes ends at the server, before its announced length",
        arguments: [true, false]
    )
    func upload(resets: Bool) async throws {
        let received = Mailbox<Int>()
        try await Self.run { connection in
            _ = try connection.read(through: "\r\n\r\n")
            received.put(try connection.read(100_000).count)
            received.put(try connection.readToEnd().count)
        } _: { stage, raw in
            try await blocking {
                let client = try stage.tunnel("shop.example.test:\(raw.port)")
                try client.send(
                    "POST /up HTTP/1.1\r\nHost: shop.example.test\r\nContent-Length: 10000000\r\n\r\n"
                )
                try client.send([UInt8](repeating: 0x61, count: 100_000))
                // Bytes that wait in the proxy when a client leaves need not reach the server, so all arrive first.
                #expect(try received.take() == 100_000)
                // A close would be a reset, too, since the session ticket is unread: its FIN alone is what is meant.
                if resets { client.reset() } else { client.vanish() }
                #expect(try received.take() == 0)
                client.close()
            }
            try await stage.event { $0.url?.hasSuffix("/up") == true && $0.outcome == "abortedByClient" }
        }
    }

    @Test("the download of a client that vanishes stops at the server", arguments: [true, false])
    func download(resets: Bool) async throws {
        let sent = Mailbox<Int>()
        let length = 500_000_000
        try await Self.run { connection in
            _ = try connection.read(through: "\r\n\r\n")
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
            let block = [UInt8](repeating: 0x62, count: 64 << 10)
            var count = 0
            defer { sent.put(count) }
            while count < length {
                try connection.send(block)
                count += block.count
            }
        } _: { stage, raw in
            try await blocking {
                let client = try stage.tunnel("shop.example.test:\(raw.port)")
                try client.send("GET /down HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                _ = try client.read(300_000)
                if resets { client.reset() } else { client.close() }
                // What lies in the buffers of four sockets and of the proxy, not the whole body.
                #expect(try sent.take() < length / 4)
            }
            try await stage.event { $0.url?.hasSuffix("/down") == true && $0.outcome == "abortedByClient" }
        }
    }
}
