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
        policy.access.users = try UserBook(Array("a:{SHA}piGucRdTwGb7+i3S1svNik60+fw=".utf8))
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
}
