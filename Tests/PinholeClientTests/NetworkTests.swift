import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeTrust
import PinholeWire
import Testing

@testable import PinholeClient

@Suite("Client, network and proxies")
struct NetworkTests {
    private func settings() throws -> ClientSettings {
        var settings = ClientSettings(
            anchors: [],
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(),
            reading: .whole(atMost: 1 << 20)
        )
        settings.overrides = [try Resolver.Override("*:*:127.0.0.1")]
        settings.waitLong()
        return settings
    }

    private func fetch(
        _ url: String,
        _ delegate: ClientDelegate = ClientDelegate(),
        _ change: (inout ClientSettings) throws -> Void = { _ in }
    ) async throws -> FetchOutcome {
        var settings = try settings()
        try change(&settings)
        return try await PinholeClient(settings, delegate: delegate).fetch(try ClientURL(url))
    }

    @Test(
        "a server's fault has a code",
        arguments: [
            (ScriptedServer.Reply.close, "http", URLErrorCode.networkConnectionLost),
            (.reset, "http", .networkConnectionLost),
            (.bytes("nonsense\r\n\r\n"), "http", .badServerResponse),
            (
                .bytesAndClose("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), "http",
                .networkConnectionLost
            ),
            (.silence, "http", .timedOut),
            (.bytes("HTTP/1.1 400 No\r\n\r\n"), "https", .secureConnectionFailed),
            (.close, "https", .secureConnectionFailed), (.reset, "https", .networkConnectionLost),
            (.silence, "https", .timedOut),
        ]
    )
    func faults(reply: ScriptedServer.Reply, scheme: String, code: URLErrorCode) async throws {
        let server = try ScriptedServer { _, _ in reply }
        let outcome = try await fetch("\(scheme)://a.test:\(server.port)/") {
            guard case .silence = reply else { return }
            $0.wait(atMost: .milliseconds(50))
        }
        #expect(outcome.failure?.code == code, "\(outcome)")
    }

    @Test("a refused connection is -1004")
    func refused() async throws {
        // Port 1 (tcpmux) is nobody's.
        let outcome = try await fetch("http://a.test:1/")
        #expect(outcome.failure?.code == .cannotConnectToHost, "\(outcome)")
        let attempts = outcome.story.steps.compactMap { step -> [DialRecord]? in
            guard case .notConnected(let authority, isProxy: false, let attempts) = step else { return nil }
            #expect(authority.description == "a.test:1")
            return attempts
        }
        #expect(attempts.first?.map(\.address) == ["127.0.0.1:1"] && attempts.count == 1)
        #expect(!outcome.story.steps.contains { if case .connected = $0 { true } else { false } })
    }

    @Test("a wait is bounded in every phase")
    func waits() throws {
        var settings = try settings()
        settings.wait(atMost: .seconds(3))
        #expect(settings.patience == .seconds(3))
        #expect(settings.limits.connectTimeout == .seconds(3))
        #expect(settings.limits.handshakeTimeout == .seconds(3))
    }

    @Test("a task that is cancelled ends with -999")
    func cancelled() async throws {
        let arrived = AsyncStream<Void>.makeStream()
        let server = try ScriptedServer { _, _ in
            arrived.continuation.yield()
            return .silence
        }
        let client = try PinholeClient(try settings())
        let url = try ClientURL("http://a.test:\(server.port)/")
        let task = Task { await client.fetch(url) }
        for await _ in arrived.stream { break }
        task.cancel()
        #expect(await task.value.failure?.code == .cancelled)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await client.fetch(url)
        }
        #expect(await early.value.failure?.code == .cancelled)
    }

    @Test("a cancellation takes effect at any time")
    func cancelledAtAnyTime() async throws {
        let server = try ScriptedServer { _, _ in .silence }
        let url = try ClientURL("http://a.test:\(server.port)/")
        for pause in 0..<40 {
            let client = try PinholeClient(try settings())
            let task = Task { await client.fetch(url) }
            for _ in 0..<pause * pause { await Task.yield() }
            task.cancel()
            #expect(await task.value.failure?.code == .cancelled)
        }
    }

    @Test("a body that is too long is refused")
    func tooLong() async throws {
        let server = try ScriptedServer { _, _ in
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + String(repeating: "x", count: 100))
        }
        let outcome = try await fetch("http://a.test:\(server.port)/") { $0.body = .whole(atMost: 99) }
        #expect(outcome.failure?.code == .dataLengthExceedsMaximum)
    }

    @Test("of an endless body the beginning is read, and then the connection is closed")
    func endless() async throws {
        let server = try ScriptedServer { _, number in
            number >= 2
                ? .bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                : .bytes(
                    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"
                        + String(repeating: "x", count: 100_000)
                )
        }
        var settings = try settings()
        settings.body = .beginning(99)
        let client = try PinholeClient(settings)
        let url = try ClientURL("http://a.test:\(server.port)/")
        for _ in 1...2 {
            let response = try await client.fetch(url).result.get()
            #expect(response.isCut && response.body.count == 99)
        }
        let whole = try await client.fetch(url).result.get()
        #expect(!whole.isCut && whole.body == Array("ok".utf8))
    }

    @Test("a proxy that refuses the tunnel with an endless body is refused after its beginning")
    func endlessRefusal() async throws {
        let server = try ScriptedServer { _, _ in
            .bytes(
                "HTTP/1.1 403 Forbidden\r\nContent-Length: 99999999999\r\n\r\n"
                    + String(repeating: "x", count: 100_000)
            )
        }
        let outcome = try await fetch("https://a.test/") { $0.proxy = try proxy(server.port) }
        #expect(outcome.failure?.code == .httpsProxyConnectionFailure, "\(outcome)")
    }

    // MARK: Proxies

    private static let alice = Credential(user: "alice", password: "secret")

    private func proxy(_ port: UInt16, _ credential: Credential? = nil) throws -> ClientSettings.Proxy {
        ClientSettings.Proxy(try Authority("127.0.0.1:\(port)"), credential: credential)
    }

    @Test("a proxy that refuses the tunnel is CFNetwork's 310")
    func tunnelRefused() async throws {
        let server = try ScriptedServer { _, _ in
            .bytes("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
        }
        let outcome = try await fetch("https://a.test/") { $0.proxy = try proxy(server.port) }
        #expect(outcome.failure?.code == .httpsProxyConnectionFailure, "\(outcome)")
        #expect(outcome.failure?.detail.contains("403") == true)
    }

    @Test(
        "a proxy's 407 is answered by Basic and by Digest, over one connection or two",
        arguments: ["Basic realm=\"p\"", "Digest realm=\"p\", nonce=\"n\", qop=\"auth\""],
        ["keep-alive", "close"]
    )
    func proxyAuthentication(challenge: String, connection: String) async throws {
        let heads = Recorder<String>()
        let server = try ScriptedServer { head, index in
            heads.note(head)
            guard index > 0 else {
                let text =
                    "HTTP/1.1 407 Who\r\nProxy-Authenticate: \(challenge)\r\nContent-Length: 3\r\n"
                    + "Connection: \(connection)\r\n\r\nwho"
                return connection == "close" ? .bytesAndClose(text) : .bytes(text)
            }
            return .bytes("HTTP/1.1 403 Enough\r\nContent-Length: 0\r\n\r\n")
        }
        let outcome = try await fetch("https://a.test/") { $0.proxy = try proxy(server.port, Self.alice) }
        #expect(outcome.failure?.detail.contains("403 Enough") == true, "\(outcome)")
        #expect(heads.values.count == 2)
        let scheme = challenge.prefix { $0 != " " }
        #expect(heads.values.last?.contains("Proxy-Authorization: \(scheme) ") == true)
        #expect(heads.values.last?.hasPrefix("CONNECT a.test:443 HTTP/1.1\r\n") == true)
        let space = try #require(outcome.challenges.first?.challenge.protectionSpace)
        #expect(space.proxyType == .https)
        #expect(space.host == (try Host("127.0.0.1")))
    }

    @Test("without a credential the tunnel fails; a delegate of the task may have one")
    func proxyDelegate() async throws {
        let server = try ScriptedServer { head, _ in
            head.contains("Proxy-Authorization: Basic YWxpY2U6c2VjcmV0")
                ? .bytes("HTTP/1.1 403 Known\r\nContent-Length: 0\r\n\r\n")
                : .bytes(
                    "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n"
                )
        }
        let alone = try await fetch("https://a.test/") { $0.proxy = try proxy(server.port) }
        #expect(alone.failure?.code == .httpsProxyConnectionFailure)
        #expect(alone.failure?.check == "proxy authentication")
        let wrong = try await fetch("https://a.test/") {
            $0.proxy = try proxy(server.port, Credential(user: "alice", password: "wrong"))
        }
        #expect(wrong.failure?.check == "proxy authentication")
        let delegate = ClientDelegate(task: { _ in .useCredential(Self.alice) })
        let known = try await fetch("https://a.test/", delegate) { $0.proxy = try proxy(server.port) }
        #expect(known.failure?.detail.contains("403 Known") == true, "\(known)")
    }

    @Test("plain HTTP goes through a proxy in absolute form, and its 407 is a response")
    func plain() async throws {
        let heads = Recorder<String>()
        let server = try ScriptedServer { head, _ in
            heads.note(head)
            return head.contains("Proxy-Authorization: Basic")
                ? .bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                : .bytes(
                    "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n"
                )
        }
        let alone = try await fetch("http://a.test/x?y") { $0.proxy = try proxy(server.port) }
        #expect(alone.response?.head.status == 407)
        let known = try await fetch("http://a.test/x?y") { $0.proxy = try proxy(server.port, Self.alice) }
        #expect(known.text == "ok", "\(known)")
        #expect(heads.values.last?.hasPrefix("GET http://a.test/x?y HTTP/1.1\r\nHost: a.test\r\n") == true)
        #expect(known.challenges.first?.challenge.protectionSpace.proxyType == .http)
    }

    @Test("a credential that a proxy took is kept for the session")
    func proxyCredentialIsKept() async throws {
        let server = try ScriptedServer { head, _ in
            head.contains("Proxy-Authorization: Basic")
                ? .bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                : .bytes(
                    "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n"
                )
        }
        let asked = Recorder<Int>()
        let kept = Credential(user: "alice", password: "secret", persistence: .forSession)
        let delegate = ClientDelegate(task: { challenge in
            guard challenge.proposedCredential == nil else { return .performDefaultHandling }
            asked.note(0)
            return .useCredential(kept)
        })
        var settings = try settings()
        settings.proxy = try proxy(server.port)
        let client = try PinholeClient(settings, delegate: delegate)
        for _ in 0..<2 {
            let outcome = await client.fetch(try ClientURL("http://a.test/"))
            #expect(outcome.text == "ok", "\(outcome)")
        }
        #expect(asked.values.count == 1)
    }

    @Test("unsafe requests are not sent twice", arguments: [("POST", 2), ("PUT", 3)])
    func repetition(method: String, heads: Int) async throws {
        let seen = Recorder<String>()
        let server = try ScriptedServer { head, index in
            seen.note(head)
            guard index > 0 else {
                return .bytes(
                    "HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n"
                )
            }
            return .close
        }
        let delegate = ClientDelegate(task: { _ in .useCredential(Self.alice) })
        let client = try PinholeClient(try settings(), delegate: delegate)
        let url = try ClientURL("http://a.test:\(server.port)/pay")
        let outcome = await client.fetch(ClientRequest(url, method: method))
        #expect(outcome.failure?.code == .networkConnectionLost, "\(outcome)")
        #expect(seen.values.count == heads)
    }

    @Test("fields behind a body are handed out")
    func trailers() async throws {
        let server = try ScriptedServer { _, _ in
            .bytes(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n"
            )
        }
        let outcome = try await fetch("http://a.test:\(server.port)/")
        #expect(outcome.text == "ok")
        #expect(outcome.response?.trailers.first("x-sum") == "7")
        #expect(outcome.response.map { $0.rawHead.starts(with: "HTTP/1.1 200 OK\r\n".utf8) } == true)
    }

    @Test("interim responses without end are refused")
    func endlessInterim() async throws {
        let server = try ScriptedServer { _, _ in
            .bytes(String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 21))
        }
        let outcome = try await fetch("http://a.test:\(server.port)/")
        #expect(outcome.failure?.code == .badServerResponse, "\(outcome)")
    }

    @Test("http is not asked where the policy refuses cleartext")
    func cleartext() async throws {
        let heads = Recorder<String>()
        let server = try ScriptedServer { head, _ in
            heads.note(head)
            return .bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let android = try AndroidPolicy(configuration: AndroidConfiguration())
        let outcome = try await fetch("http://a.test:\(server.port)/") { $0.cleartextPolicy = android }
        #expect(outcome.failure?.code == .appTransportSecurityRequiresSecureConnection, "\(outcome)")
        #expect(heads.values.isEmpty)
        let old = try AndroidPolicy(configuration: AndroidConfiguration(), targetSdk: 27)
        #expect(try await fetch("http://a.test:\(server.port)/") { $0.cleartextPolicy = old }.text == "ok")
    }
}
