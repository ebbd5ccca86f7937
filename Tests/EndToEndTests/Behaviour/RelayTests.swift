import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeStore
import Testing

@Suite("Relaying", .serialized)
struct RelayTests {
    @Test("after an upgrade bytes pass unread, both ways, with half-close")
    func upgrade() async throws {
        try await Stage.run { stage in
            try await blocking {
                let client = try stage.tunnel()
                try client.send(
                    "GET /upgrade HTTP/1.1\r\nHost: shop.example.test\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n"
                )
                let response = try client.readResponse()
                #expect(response.status == 101)
                #expect(response.field("upgrade") == "echo")
                let frames: [UInt8] = [0x82, 0x02, 0x00, 0xff, 0x0d, 0x0a]
                try client.send(frames)
                #expect(try client.read(frames.count) == frames)
                client.finishSending()
                #expect(try client.readToEnd() == [])
            }
            let exchange = try #require(try await stage.capture().exchanges(limit: 1).first)
            #expect(exchange.status == 101)
            #expect(exchange.notes.contains(.upgraded))
        }
    }

    @Test("a server that speaks first is relayed and recorded as opaque")
    func serverFirst() async throws {
        let server = try RawServer { connection, _ in
            try connection.send("220 mail.example.test ready\r\n")
            try connection.send(try connection.read(through: "\r\n"))
            #expect(try connection.readToEnd() == Array("QUIT".utf8))
            try connection.send("221 bye\r\n")
        }
        try await Stage.run { stage in
            let port = try await blocking {
                let client = try Connection(to: stage.port)
                try client.connectTunnel("mail.example.test:\(server.port)")
                #expect(try client.read(through: "\r\n") == Array("220 mail.example.test ready\r\n".utf8))
                try client.send("EHLO\r\n")
                #expect(try client.read(6) == Array("EHLO\r\n".utf8))
                try client.send("QUIT")
                client.finishSending()
                #expect(try client.readToEnd() == Array("221 bye\r\n".utf8))
                return client.localPort
            }
            let flow = try await stage.flow(from: port)
            #expect(flow.treatment == "opaque")
            #expect(flow.outcome == "completed")
            await stage.stop()
        }
    }

    @Test("a client that speaks no TLS first is relayed and recorded as opaque", arguments: 1...3)
    func clientFirst(piece: Int) async throws {
        let server = try RawServer { connection, _ in try connection.send(try connection.readToEnd()) }
        try await Stage.run { stage in
            let port = try await blocking {
                let client = try Connection(to: stage.port)
                try client.connectTunnel("ssh.example.test:\(server.port)")
                for byte in "SSH-2.0-test\r\n".utf8.prefix(piece) { try client.send([byte]) }
                try client.send(Array("SSH-2.0-test\r\n".utf8.dropFirst(piece)))
                client.finishSending()
                #expect(try client.readToEnd() == Array("SSH-2.0-test\r\n".utf8))
                return client.localPort
            }
            #expect(try await stage.flow(from: port).treatment == "opaque")
            await stage.stop()
        }
    }

    @Test("bytes right behind the CONNECT head belong to the tunnel")
    func bytesBehindConnect() async throws {
        let server = try RawServer { connection, _ in try connection.send(try connection.readToEnd()) }
        try await Stage.run { stage in
            try await blocking {
                let client = try Connection(to: stage.port)
                let authority = "any.example.test:\(server.port)"
                try client.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\nat once")
                #expect(try client.readHead().status == 200)
                client.finishSending()
                #expect(try client.readToEnd() == Array("at once".utf8))
            }
            await stage.stop()
        }
    }

    @Test("a host that is passed through shows its own certificate and leaves no exchange")
    func passthrough() async throws {
        var setup = Stage.Setup()
        setup.configuration = #"{"tls": {"passthrough": ["*.example.test", "!api.example.test"]}}"#
        try await Stage.run(setup) { stage in
            let port = try await blocking {
                let real = ClientTLS(anchors: [stage.origin.authority.root])
                let client = try stage.tunnel(nil, real)
                let leaf = try #require(client.engine?.peerCertificate)
                #expect(Base64.encode(leaf.spkiSHA256) == stage.origin.pin(of: VirtualHost.shop))
                try client.send("GET /json HTTP/1.1\r\nHost: shop.example.test\r\nConnection: close\r\n\r\n")
                #expect(try client.readResponse().status == 200)
                _ = try client.readToEnd()

                var forged = stage.tls
                forged.host = VirtualHost.api
                let other = try stage.tunnel("api.example.test:\(stage.securePort)", forged)
                try other.send("GET /json HTTP/1.1\r\nHost: api.example.test\r\n\r\n")
                #expect(try other.readResponse().status == 200)
                return client.localPort
            }
            let flow = try await stage.flow(from: port)
            #expect(flow.treatment == "passedThrough")
            #expect(flow.reason?.contains("*.example.test") == true)
            let exchanges = try await stage.capture().exchanges(limit: 10)
            #expect(exchanges.map(\.authority.host) == [VirtualHost.api])
        }
    }
}
