import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeTestKit
import Testing

@Suite("Server certificates", .serialized)
struct CertificateTests {
    private static let faulty: [(host: Host, kind: ServerFault.Kind, word: String)] = [
        (VirtualHost.expired, .expired, "expired"),
        (VirtualHost.early, .notYetValid, "valid"),
        (VirtualHost.wrongName, .wrongName, "wrong-name.example.test"),
        (VirtualHost.selfSigned, .untrusted, "trust"),
        (VirtualHost.untrusted, .untrusted, "trust"),
    ]

    private static func ask(_ host: Host, _ stage: Stage, _ tls: ClientTLS) throws -> (Response, Connection) {
        let client = try stage.tunnel("\(host):\(stage.securePort)", tls)
        try client.send("GET /echo HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        return (try client.readResponse(), client)
    }

    @Test("a bad certificate is refused with a page that says why")
    func refused() async throws {
        try await Stage.run { stage in
            for (host, _, word) in Self.faulty {
                let (response, port) = try await blocking {
                    var tls = stage.tls
                    tls.host = host
                    let (response, client) = try Self.ask(host, stage, tls)
                    return (response, client.localPort)
                }
                #expect(response.status == 502)
                #expect(response.text.contains(word), "\(response)")
                #expect(response.text.contains("exempt"), "\(response)")
                let flow = try await stage.flow(from: port)
                #expect(flow.handshakeFailure?.cause == "serverCertificateRefused")
                #expect(flow.handshakeFailure?.peer == "server")
            }
            let exchanges = try await stage.capture().exchanges(limit: 100)
            #expect(exchanges.count == Self.faulty.count)
            #expect(exchanges.allSatisfy { $0.status == 502 })
        }
    }

    @Test("in mirror mode the client sees the same fault in Pinhole's certificate")
    func mirrored() async throws {
        var setup = Stage.Setup()
        setup.configuration = #"{"tls": {"badCertificate": "mirror"}}"#
        try await Stage.run(setup) { stage in
            for (host, kind, _) in Self.faulty {
                try await blocking {
                    var tls = stage.tls
                    tls.host = host
                    #expect(throws: ConnectionFailure.self) {
                        _ = try Self.ask(host, stage, tls)
                    }
                    tls.acceptsAnything = true
                    let (response, client) = try Self.ask(host, stage, tls)
                    #expect(response.status == 200)
                    let verification = try #require(client.engine?.verification)
                    #expect(verification.fault?.kind == kind)
                    let leaf = try #require(verification.presented.first)
                    #expect(Base64.encode(leaf.spkiSHA256) != stage.origin.pin(of: host))
                }
            }
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test("an exempted host is intercepted, and the flow says why")
    func exempted() async throws {
        var setup = Stage.Setup()
        setup.configuration = """
            {"tls": {"exemptions": [{"hosts": ["expired.example.test"], "reason": "the test of exemptions"}]}}
            """
        try await Stage.run(setup) { stage in
            let statuses = try await blocking {
                try [VirtualHost.expired, VirtualHost.untrusted].map { host in
                    var tls = stage.tls
                    tls.host = host
                    return try Self.ask(host, stage, tls).0.status
                }
            }
            #expect(statuses == [200, 502])
            let flows = try await stage.capture().flows(order: .oldestFirst, limit: 10)
            #expect(flows.map { $0.serverHandshake?.exemption } == ["the test of exemptions", nil])
        }
    }

    @Test("a client certificate is presented to the hosts that it is for", arguments: ["pem", "p12"])
    func mutual(format: String) async throws {
        var setup = Stage.Setup()
        setup.configuration = """
            {"tls": {"clientCertificates": [
                {"hosts": ["bank.example.test"], "file": "alice.\(format)"\(format == "p12" ? #", "passphrase": "secret""# : "")}
            ]}}
            """
        setup.prepare = { origin, directory in
            let alice = try origin.authority.clientIdentity(named: "Alice", now: LoopClock().now())
            if format == "p12" {
                try directory.write(alice.pkcs12(passphrase: "secret"), to: "alice.p12")
            } else {
                try directory.write(alice.pem, to: "alice.pem")
            }
        }
        try await Stage.run(setup) { stage in
            try await blocking {
                var tls = stage.tls
                tls.host = VirtualHost.bank
                let (response, _) = try Self.ask(VirtualHost.bank, stage, tls)
                #expect(try Echo(response).clientCertificate?.contains("Alice") == true)
            }
            await stage.stop()
        }
    }

    @Test("a server that wants a client certificate gets none, and the page and the flow say so")
    func mutualWithout() async throws {
        try await Stage.run { stage in
            let port = try await blocking {
                var tls = stage.tls
                tls.host = VirtualHost.bank
                let (response, client) = try Self.ask(VirtualHost.bank, stage, tls)
                #expect(response.status == 502)
                #expect(response.text.contains("client certificate"))
                return client.localPort
            }
            let flow = try await stage.flow(from: port)
            #expect(flow.handshakeFailure?.cause == "clientCertificateRequired")
            #expect(flow.handshakeFailure?.alertCode == 116)
            try await stage.expectAlive()
            await stage.stop()
        }
    }
}
