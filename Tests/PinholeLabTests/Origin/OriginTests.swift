import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import Testing

/// The origin over real sockets: curl for HTTPS, raw bytes where curl would be too polite.
@Suite("Origin", .enabled(if: Executable.find("curl") != nil, "curl is not installed"))
struct OriginTests {
    private let directory: TemporaryDirectory
    private let origin: Origin

    init() async throws {
        directory = try TemporaryDirectory()
        origin = try await Origin.start()
        try directory.write(origin.authority.root.pem, to: "ca.pem")
    }

    private func curl(
        _ host: PinholeModel.Host,
        _ path: String,
        _ options: String...
    ) async throws -> ProcessResult {
        try await ProcessRunner.run(
            Invocation(
                "curl",
                ["-q", "-sS", "--noproxy", "*", "--cacert", directory.file("ca.pem")]
                    + ["--resolve", "*:\(origin.secureAddress.port):127.0.0.1"]
                    + ["--max-time", "\(Patience.seconds)"] + options + [origin.url(host, path)]
            )
        )
    }

    private func raw(_ request: String, until ending: String? = nil) throws -> String {
        let client = try RawClient(origin.plainAddress)
        client.send(request)
        return ending.map { client.read(until: $0) } ?? client.readAll().text
    }

    // MARK: TLS

    @Test("A good host is trusted through the origin's root")
    func goodHost() async throws {
        let result = try await curl(VirtualHost.api, "/json")
        #expect(result.isSuccess, "\(result)")
        #expect(result.text.contains("teapot"))
    }

    @Test(
        "Each faulty host is refused by curl, for its fault",
        arguments: [
            (VirtualHost.expired, "expired"), (VirtualHost.early, "not yet valid"),
            (VirtualHost.wrongName, "no alternative certificate"),
            (VirtualHost.selfSigned, "self-signed"),
            (VirtualHost.untrusted, "self-signed certificate in certificate chain"),
        ]
    )
    func faultyHost(host: PinholeModel.Host, complaint: String) async throws {
        let result = try await curl(host, "/json")
        #expect(result.exit == .code(60))
        #expect(result.errorText.contains(complaint), "\(result)")
    }

    @Test("A host of TLS 1.2 speaks that and nothing newer")
    func oldHost() async throws {
        #expect(try await curl(VirtualHost.old, "/echo").text.contains("TLSv1.2"))
        #expect(try await curl(VirtualHost.shop, "/echo").text.contains("TLSv1.3"))
        #expect(try await curl(VirtualHost.old, "/echo", "--tlsv1.3").exit == .code(35))
    }

    @Test("A host with mutual TLS refuses clients without a certificate and names the others")
    func mutualTLS() async throws {
        #expect(try await curl(VirtualHost.bank, "/echo").exit == .code(56))
        #expect(try await curl(VirtualHost.bank, "/echo", "--tls-max", "1.2").exit != .code(0))
        let now = LoopClock().now()
        try directory.write(origin.authority.clientIdentity(named: "Alice", now: now).pem, to: "alice.pem")
        let result = try await curl(VirtualHost.bank, "/echo", "--cert", directory.file("alice.pem"))
        #expect(result.text.contains("CN=Alice"), "\(result)")

        let stranger = try OriginAuthority(now: now).clientIdentity(named: "Mallory", now: now)
        try directory.write(stranger.pem, to: "mallory.pem")
        let refused = try await curl(VirtualHost.bank, "/echo", "--cert", directory.file("mallory.pem"))
        #expect(refused.exit == .code(56))
    }

    @Test("The pin of a host is the one of the key that it presents")
    func pin() async throws {
        let good = "sha256//\(origin.pin(of: VirtualHost.shop))"
        #expect(try await curl(VirtualHost.shop, "/json", "--pinnedpubkey", good).isSuccess)
        let other = "sha256//\(origin.pin(of: VirtualHost.api))"
        #expect(try await curl(VirtualHost.shop, "/json", "--pinnedpubkey", other).exit == .code(90))
    }

    // MARK: Routes

    @Test("A redirect leads to the JSON on the same connection")
    func redirect() async throws {
        let result = try await curl(VirtualHost.shop, "/redirect", "-L", "-w", "%{num_connects}")
        #expect(result.text.hasSuffix("}\n1"))
    }

    @Test("A compressed answer has its declared coding")
    func gzip() async throws {
        let result = try await curl(VirtualHost.shop, "/gzip", "--compressed")
        #expect(result.output == OriginFiller.bytes(32 << 10))
    }

    @Test("Chunks have extensions, and trailers follow them")
    func chunked() throws {
        let answer = try raw("GET /chunked HTTP/1.1\r\nHost: a\r\n\r\n", until: "X-Lines: 1\r\n\r\n")
        #expect(answer.contains("\r\n\r\na;note=\"an extension\"\r\nEach line \r\n10;"))
        #expect(answer.contains("\r\nTrailer: X-Checksum, X-Lines\r\n"))
        #expect(answer.hasSuffix("\r\n0\r\nX-Checksum: 1234abcd\r\nX-Lines: 1\r\n\r\n"))
    }

    @Test("HTTP/1.0 gets no chunks, and the connection ends")
    func http10() throws {
        let answer = try raw("GET /chunked HTTP/1.0\r\n\r\n")
        #expect(answer.hasSuffix("Connection: close\r\n\r\nEach line came in a chunk of its own.\n"))
        #expect(!answer.contains("chunked\r\n"))
    }

    @Test("HTTP/1.0 with keep-alive gets a second answer")
    func http10KeepAlive() throws {
        let client = try RawClient(origin.plainAddress)
        for _ in 0..<2 {
            client.send("GET /status/204 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(client.read(until: "\r\n\r\n").contains("Connection: keep-alive"))
        }
    }

    @Test("A slow stream comes to its end")
    func slow() async throws {
        let result = try await curl(VirtualHost.shop, "/slow/3")
        #expect(result.text == "line 1\nline 2\nline 3\n")
    }

    @Test("A large body is as long as it says, over TLS", arguments: [0, 1, 65_537, 5_000_001])
    func bytes(count: Int) async throws {
        let result = try await curl(VirtualHost.shop, "/bytes/\(count)")
        #expect(result.output == OriginFiller.bytes(count))
    }

    @Test("A reader that is late gets everything, since the origin waits for room")
    func lateReader() throws {
        let client = try RawClient(origin.plainAddress)
        client.send("GET /bytes/20000000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let head = client.read(until: "\r\n\r\n")
        #expect(head.contains("Content-Length: 20000000"))
        #expect(client.readAll().text.utf8.count == 20_000_000)
    }

    @Test("the echo returns method, body, trailers and the head byte for byte")
    func echo() throws {
        let head =
            "PUT /echo?q=1 HTTP/1.1\r\nhOST: a\r\nX-Odd:  two  spaces \r\nTransfer-Encoding: chunked\r\n\r\n"
        let answer = try raw(head + "3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n", until: "}\n")
        let body = answer.components(separatedBy: "\r\n\r\n").last ?? ""
        let object = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        #expect(object?["method"] as? String == "PUT")
        #expect(object?["target"] as? String == "/echo?q=1")
        #expect(object?["head"] as? String == Base64.encode(Array(head.utf8)))
        #expect(object?["bodyLength"] as? Int == 3)
        #expect(
            object?["bodySHA256"] as? String
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(object?["trailers"] as? [[String]] == [["X-Sum", "1"]])
    }

    @Test("HEAD gets the head alone, and the next request its answer")
    func head() throws {
        let answer = try raw(
            "HEAD /json HTTP/1.1\r\nHost: a\r\n\r\nGET /status/418 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        )
        #expect(answer.contains("Content-Length: 70\r\n\r\nHTTP/1.1 418"))
        #expect(answer.hasSuffix("Status 418.\n"))
    }

    @Test("An answer that ends at the close ends in order")
    func close() async throws {
        let result = try await curl(VirtualHost.shop, "/close")
        #expect(result.isSuccess)
        #expect(result.text == "This body ends where the connection ends.\n")
    }

    @Test("103 comes before the answer")
    func earlyHints() throws {
        let answer = try raw("GET /early-hints HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 103 Early Hints\r\nLink: "))
        #expect(answer.contains("\r\n\r\nHTTP/1.1 200 OK\r\n"))
    }

    @Test("A client that waits for 100 (Continue) gets it once, and other clients do not get it")
    func expectContinue() throws {
        let client = try RawClient(origin.plainAddress)
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        #expect(client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("abc")
        #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))

        let unasked = try raw("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", until: "}\n")
        #expect(unasked.hasPrefix("HTTP/1.1 200"))
        let always = try raw("GET /continue HTTP/1.1\r\nHost: a\r\n\r\n", until: "bytes.\n")
        #expect(always.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200"))
    }

    @Test("A refusal comes before the body")
    func refusesEarly() throws {
        let client = try RawClient(origin.plainAddress)
        client.send("POST /refuse-early HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
        let (text, end) = client.readAll()
        #expect(text.hasPrefix("HTTP/1.1 413"))
        #expect(end == .orderly)
    }

    @Test("An upgraded connection echoes")
    func upgrade() throws {
        let client = try RawClient(origin.plainAddress)
        client.send(
            "GET /upgrade HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nopaque\u{0}"
        )
        #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101 "))
        #expect(client.read(until: "\u{0}") == "opaque\u{0}")
        client.send("more")
        #expect(client.read(until: "more") == "more")
        client.finish()
        #expect(client.readAll().end == .orderly)
    }

    @Test("A reset comes in the middle of the body")
    func reset() throws {
        let client = try RawClient(origin.plainAddress)
        client.send("GET /reset HTTP/1.1\r\nHost: a\r\n\r\n")
        let (text, end) = client.readAll()
        #expect(text.contains("Content-Length: 1000000\r\n\r\nThe quick brown fox"))
        #expect(end == .broken(ECONNRESET))
    }

    @Test("A cut connection lacks close_notify")
    func cut() async throws {
        let result = try await curl(VirtualHost.shop, "/cut")
        #expect(result.exit == .code(56) || result.exit == .code(18), "\(result)")
        #expect(result.output == OriginFiller.bytes(50_000))
    }

    @Test("A route that never answers does not, and the client may go")
    func never() throws {
        let client = try RawClient(origin.plainAddress)
        client.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n")
        client.finish()
        #expect(client.readAll() == ("", .orderly))
    }

    @Test("Bytes that are not HTTP are answered with 400 and the reason")
    func malformed() throws {
        let answer = try raw("GET  /json HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
    }

    @Test("Bytes that are not TLS close a connection to the TLS port")
    func notTLS() throws {
        let client = try RawClient(origin.secureAddress)
        client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(client.readAll() == ("", .orderly))
    }

    @Test("A test adds its own routes")
    func ownRoutes() async throws {
        var routes = OriginRoutes()
        routes.set("/odd") { _ in [.text("HTTP/1.1 299 Odd\r\nContent-Length: 5\r\n\r\nab"), .close] }
        let odd = try await Origin.start(hosts: [VirtualHost(.name("odd.test"))], routes: routes)
        let client = try RawClient(odd.plainAddress)
        client.send("GET /odd HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.readAll() == ("HTTP/1.1 299 Odd\r\nContent-Length: 5\r\n\r\nab", .orderly))
        let other = try RawClient(odd.plainAddress)
        other.send("GET /json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(other.readAll().text.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    }

    @Test("a stopped origin accepts no connections and closes the open ones")
    func stop() throws {
        let client = try RawClient(origin.plainAddress)
        client.send("GET /status/200 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.read(until: "Status 200.\n").hasPrefix("HTTP/1.1 200"))
        #expect(origin.connectionCount == 1)
        origin.stop()
        #expect(client.readAll().end == .orderly)
    }
}
