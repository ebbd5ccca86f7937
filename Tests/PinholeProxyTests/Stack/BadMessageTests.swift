import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Malformed messages: the client gets a status and a reason, the record has it, and nothing is forwarded.
@Suite("BadMessage")
struct BadMessageTests {
    private static let requests: [(head: String, status: Int)] = [
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x, chunked\r\n\r\n", 501),
        ("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX : 1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: 1\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \r1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{0}\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET http://b/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET http://u:p@a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        ("CONNECT a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("CONNECT a:0 HTTP/1.1\r\nHost: a:0\r\n\r\n", 400),
        ("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\nContent-Length: 3\r\n\r\n", 400),
        ("\u{16}\u{3}\u{1}\r\n\r\n", 400),
    ]

    @Test("refuses malformed requests with a page", arguments: requests.indices, [1, 4096])
    func request(index: Int, chunk: Int) throws {
        let (head, status) = Self.requests[index]
        let harness = try Tunnels.plain(chunk: chunk)
        harness.client.send(head)
        harness.pump()
        let text = harness.client.text
        #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
        #expect(
            text.contains("Connection: close\r\n")
                && text.contains("\r\n\r\nPinhole: The request was refused")
        )
        #expect(harness.dialed.isEmpty)
        #expect(harness.flow?.outcome?.kind == .refused && harness.flow?.outcome?.fault == .client)
        #expect(text.contains(harness.flow?.outcome?.detail ?? "-"))
        harness.checkEnd()
    }

    @Test("refuses a second request behind a good one, and the good one is served")
    func second() throws {
        let harness = try Tunnels.intercepted()
        harness.client.send("HEAD / HTTP/1.1\r\nHost: www.example.com\r\n\r\nGET / HTTP/1.1\r\nX\r\n\r\n")
        harness.pump()
        harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
        harness.pump()
        #expect(harness.client.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(harness.client.text.contains("HTTP/1.1 400 Bad Request"))
        #expect(harness.client.text.contains("The request was refused"))
        #expect(harness.exchanges.compactMap(\.outcome) == [.completed])
        harness.checkEnd()
    }

    @Test("ends a request whose body is malformed", arguments: [true, false])
    func badBody(hasResponse: Bool) throws {
        let harness = try Tunnels.intercepted()
        harness.client.send(
            "POST / HTTP/1.1\r\nHost: www.example.com\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
        )
        harness.pump()
        if hasResponse {
            harness.server?.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
            harness.pump()
        }
        harness.client.send("zz\r\n")
        harness.pump()
        #expect(harness.client.text.hasPrefix(hasResponse ? "HTTP/1.1 200 " : "HTTP/1.1 400 "))
        #expect(harness.server?.sawEnd != nil)
        #expect(harness.exchanges.count == 1)
        #expect(harness.exchanges.first?.request.body.isComplete == false)
        #expect(harness.flow?.outcome?.fault == .client)
        harness.checkEnd()
    }

    private static let responses = [
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
        "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 200 OK\nX: \0\r\n\r\n", "SSH-2.0-x\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        "\u{15}\u{3}\u{1}",
    ]

    @Test("answers for a server whose response is malformed", arguments: responses, [1, 4096])
    func response(text: String, chunk: Int) throws {
        let harness = try Tunnels.intercepted(chunk: chunk)
        harness.client.send("GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        harness.pump()
        harness.server?.send(text)
        harness.pump()
        #expect(harness.client.text.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"), "\(harness.client.text)")
        #expect(harness.server?.sawEnd != nil)
        #expect(harness.exchanges.first?.status == 502)
        // The client may go on: another connection is made.
        harness.client.clear()
        let second = TestPeer(tls: try Tunnels.world.server(for: "www.example.com"))
        harness.onDial = { _ in .connect(second) }
        harness.client.send("GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        harness.pump()
        second.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        harness.pump()
        #expect(harness.client.text == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }

    @Test("drops a server that says more than it was asked, before anyone reads it")
    func unasked() throws {
        let harness = try Tunnels.intercepted()
        harness.client.send("GET /1 HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        harness.pump()
        harness.server?.send(
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
        )
        harness.pump()
        #expect(harness.server?.sawEnd != nil)
        #expect(!harness.client.text.contains("evil"))
        #expect(harness.exchanges.first?.outcome == .completed)
    }

    @Test("closes a connection whose head does not come to its end", arguments: [true, false])
    func slowLoris(isTLS: Bool) throws {
        let harness = try Tunnels.any(isTLS: isTLS)
        if isTLS { #expect(harness.deadline?.kind == .idle) }
        harness.client.send("GET / HTTP/1.1\r\n")
        harness.pump()
        #expect(harness.deadline?.kind == .head)
        harness.expire()
        #expect(harness.client.text.hasPrefix("HTTP/1.1 408 "))
        #expect(harness.flow?.outcome?.kind == .timedOut)
        harness.checkEnd()
    }

    @Test("answers for a server that says nothing")
    func silentServer() throws {
        let harness = try Tunnels.intercepted()
        harness.client.send("GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        harness.pump()
        harness.expire()
        #expect(harness.client.text.hasPrefix("HTTP/1.1 504 "))
        harness.checkEnd()
    }
}
