import PinholeCrypto
import PinholeFilter
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeTestKit
import Testing

@Suite("Client matrix")
struct ClientMatrixTests {
    @Test("which clients can run here")
    func available() {
        for client in Client.all {
            print("client matrix: \(client.name): \(client.missing ?? "runs")")
        }
        #expect(Client.available.contains { $0.name == "curl" })
    }

    @Test("a client that trusts the CA loads a page, and the capture has it", arguments: Client.available)
    func trusting(client: Client) async throws {
        try await Stage.run { stage in
            let path = client.printsHash ? "/bytes/300000" : "/html"
            let invocation = try client.invocation(
                .init(
                    url: "https://\(stage.authority)\(path)",
                    proxyPort: stage.port,
                    authority: stage.root,
                    directory: stage.directory
                )
            )
            let result = try await ProcessRunner.run(invocation)
            try #require(result.isSuccess, "\(result)")
            let body = OriginFiller.bytes(300_000)
            if client.printsHash { #expect(result.text == "200 \(Self.hash(body))\n", "\(result)") }
            let reader = try await stage.capture()
            let filter = ExchangeFilter(try Filter("host ~ shop.example.test"))
            let exchange = try #require(try reader.exchanges(filter, limit: 10).first { $0.path == path })
            #expect(exchange.status == 200)
            #expect(exchange.outcome == .completed)
            let record = try #require(try reader.exchange(exchange.id))
            if client.printsHash { #expect(try reader.body(of: record, .response) == body) }
        }
    }

    @Test(
        "a client that does not trust the CA is recorded as a failed handshake, never as a request",
        arguments: Client.available
    )
    func distrusting(client: Client) async throws {
        try await Stage.run { stage in
            let invocation = try client.invocation(
                .init(
                    url: "https://\(stage.authority)/html",
                    proxyPort: stage.port,
                    // It trusts the server's own CA, as clients do, and not Pinhole's.
                    authority: stage.origin.authority.root,
                    directory: stage.directory
                )
            )
            let result = try await ProcessRunner.run(invocation)
            #expect(!result.isSuccess, "\(result)")
            let authority = stage.authority
            let line = try await stage.event { $0.type == "flow" && $0.authority == authority }
            let failure = try #require(line.handshakeFailure, "\(line)")
            #expect(failure.peer == "client")
            #expect(client.causes.contains(failure.cause), "\(failure)")
            if client.alerts.isEmpty {
                #expect(failure.isHint == (failure.alert == nil), "\(failure)")
            } else {
                #expect(failure.alertCode.map(client.alerts.contains) == true, "\(failure)")
            }
            let filter = ExchangeFilter(try Filter("host ~ shop.example.test"))
            #expect(try await stage.capture().exchanges(filter, limit: 10).isEmpty)
        }
    }

    @Test(
        "a client under pinhole run needs no setting at all",
        arguments: Client.available.filter { $0.printsHash }
    )
    func running(client: Client) async throws {
        let origin = try await Origin.start()
        defer { origin.stop() }
        let directory = try TemporaryDirectory(prefix: "pinhole-e2e")
        try directory.write(origin.authority.root.pem, to: "servers.pem")
        let url = "https://shop.example.test:\(origin.secureAddress.port)/bytes/300000"
        let own = try client.words(
            .init(url: url, proxyPort: 0, authority: origin.authority.root, directory: directory)
        )
        let binary = try #require(Executable.pinhole)
        var words = [
            "run", "--ca-dir", directory.file("ca"), "--capture", directory.file("capture.sqlite"),
            "--upstream-ca",
            directory.file("servers.pem"), "--resolve", "*:*:127.0.0.1", "--",
        ]
        // wget knows no variable for a CA; its script takes the one that pinhole run sets for curl.
        words +=
            client.name == "wget"
            ? ["sh", "-c", "PINHOLE_CLIENT_CA=$CURL_CA_BUNDLE exec \"$0\" \"$@\""] + own : own
        let environment: [String: String?] = ["NO_PROXY": "", "no_proxy": ""]
        let result = try await ProcessRunner.run(
            Invocation(binary, words, environment: environment, directory: directory.path)
        )
        #expect(result.isSuccess, "\(result)")
        #expect(result.text.hasSuffix("200 \(Self.hash(OriginFiller.bytes(300_000)))\n"), "\(result)")
        let exchanges = try CaptureReader(path: directory.file("capture.sqlite")).exchanges(limit: 10)
        #expect(exchanges.map(\.path) == ["/bytes/300000"])
    }

    private static func hash(_ bytes: [UInt8]) -> String {
        Digest.sha256(bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
