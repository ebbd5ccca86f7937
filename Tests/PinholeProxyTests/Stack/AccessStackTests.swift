import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// What a client sends while its login is being verified, in memory.
@Suite("Stack and logins")
struct AccessStackTests {
    private static let login = "Proxy-Authorization: Basic YTpvcGVuLXNlc2FtZQ==\r\n"

    private func harness(_ server: TestPeer, chunk: Int) throws -> StackHarness {
        var policy = try Tunnels.world.policy()
        policy.access.users = try UserDirectory(Array("a:{SHA}piGucRdTwGb7+i3S1svNik60+fw=".utf8))
        let harness = try StackHarness(Tunnels.world, policy: policy)
        harness.chunk = chunk
        harness.verifiesAtOnce = false
        harness.onDial = { _ in .connect(server) }
        return harness
    }

    @Test("a body waits for the verdict and follows its head", arguments: [1, 7, 16384])
    func body(chunk: Int) throws {
        let server = TestPeer()
        let harness = try harness(server, chunk: chunk)
        let body = String(repeating: "x", count: 10_000)
        harness.client.send(
            "POST http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\(Self.login)Content-Length: 10000\r\n\r\n\(body)"
        )
        harness.pump()
        #expect(harness.logins.count == 1 && harness.dialed.isEmpty && harness.client.received.isEmpty)
        harness.answerLogin()
        harness.pump()
        #expect(server.text.hasPrefix("POST /x HTTP/1.1\r\n") && server.text.hasSuffix("\r\n\r\n\(body)"))
        #expect(!server.text.contains("Basic"))
        server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        harness.pump()
        #expect(harness.client.text.hasSuffix("ok") && harness.exchanges.first?.outcome == .completed)
    }

    @Test("a ClientHello that comes at once waits for the tunnel", arguments: [1, 16384])
    func eager(chunk: Int) throws {
        let server = TestPeer(tls: try Tunnels.world.server(for: "www.example.com"))
        let harness = try harness(server, chunk: chunk)
        let line = "CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\n"
        harness.client.send("\(line)\(Self.login)\r\n")
        harness.pump()
        #expect(harness.logins.count == 1 && harness.dialed.isEmpty)
        harness.answerLogin()
        harness.pump()
        #expect(harness.client.text.hasPrefix("HTTP/1.1 200 "))
        harness.client.secure(with: try Tunnels.world.client(for: "www.example.com"))
        harness.pump()
        #expect(harness.client.isSecure)
    }

    @Test("a client that ends in between gets its verdict all the same, and leaves nothing behind")
    func ends() throws {
        for login in [Self.login, "Proxy-Authorization: Basic YTpi\r\n"] {
            let server = TestPeer()
            server.closesBack = false
            let harness = try harness(server, chunk: 16384)
            harness.client.send("GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\(login)\r\n")
            harness.client.close()
            harness.pump()
            harness.answerLogin()
            harness.pump()
            if login == Self.login {
                server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                harness.pump()
            }
            #expect(harness.client.text.hasPrefix(login == Self.login ? "HTTP/1.1 200 " : "HTTP/1.1 407 "))
            harness.checkEnd()
        }
    }

    /// What a proxy before this one sends that has several users on one connection.
    private func ask(_ harness: StackHarness, _ path: String, _ login: String = "") {
        harness.client.send("GET http://a.test/\(path) HTTP/1.1\r\nHost: a.test\r\n\(login)\r\n")
        harness.pump()
    }

    private static func login(_ user: String, _ password: String) -> String {
        "Proxy-Authorization: Basic \(Base64.encode(Array("\(user):\(password)".utf8)))\r\n"
    }

    @Test("each request on a connection belongs to the user of its login, or of the last login")
    func severalUsers() throws {
        let server = TestPeer()
        let harness = try harness(server, chunk: 16384)
        harness.verifiesAtOnce = true
        func answer() {
            server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            harness.pump()
        }
        for (path, login) in [
            ("1", Self.login), ("2", ""), ("3", Self.login("b:c", "no")), ("4", Self.login),
        ] {
            ask(harness, path, login)
            guard path != "3" else { continue }
            answer()
        }
        // The one whose password is wrong ends the connection.
        #expect(harness.exchanges.map(\.path) == ["/1", "/2", "/3"])
        #expect(harness.exchanges.map(\.proxyUser) == ["a", "a", nil])
        #expect(harness.exchanges.map(\.status) == [200, 200, 407])
        #expect(!server.text.contains("/3") && !server.text.contains("/4"))
    }

    @Test("a login that follows is verified before its request goes on, whatever the server does meanwhile")
    func another() throws {
        for closes in [false, true] {
            let servers = [TestPeer(), TestPeer()]
            let book = ["a", "b"].map { "\($0):{SHA}piGucRdTwGb7+i3S1svNik60+fw=" }.joined(separator: "\n")
            var policy = try Tunnels.world.policy()
            policy.access.users = try UserDirectory(Array(book.utf8))
            let harness = try StackHarness(Tunnels.world, policy: policy)
            harness.onDial = { [unowned harness] _ in .connect(servers[min(harness.dialed.count, 2) - 1]) }
            ask(harness, "1", Self.login("a", "open-sesame"))
            servers[0].send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            harness.pump()
            harness.verifiesAtOnce = false
            ask(harness, "2", Self.login("b", "open-sesame"))
            #expect(harness.logins.count == 1 && !servers[0].text.contains("/2"))
            if closes { servers[0].close() }
            harness.pump()
            harness.answerLogin()
            harness.pump()
            // Users never share a connection, so the second one asks on another.
            let server = servers[1]
            #expect(server.text.contains("GET /2 HTTP/1.1"), "\(closes)")
            server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            harness.pump()
            #expect(harness.exchanges.map(\.proxyUser) == ["a", "b"])
            #expect(harness.exchanges.map(\.status) == [200, 200])
        }
    }
}
