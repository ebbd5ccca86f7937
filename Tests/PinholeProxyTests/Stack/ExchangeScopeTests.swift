import PinholeFilter
import PinholeModel
import PinholeRules
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// What the capture's filter leaves out passes all the same, and leaves nothing behind.
@Suite("ExchangeScope")
struct ExchangeScopeTests {
    private static let body = [UInt8](repeating: 7, count: 5000)

    /// One upload and its answer, recorded by a filter; every body continues in parts.
    private static func run(
        _ filter: String,
        isTLS: Bool = false,
        status: Int = 200,
        type: String = "text/plain"
    ) throws -> (StackHarness, CaptureScope) {
        var policy = try Tunnels.world.policy()
        policy.limits.bodyInline = 1000
        let scope = CaptureScope(try Filter(filter))
        policy.captured = scope
        let harness = try Tunnels.any(isTLS: isTLS, policy: policy)
        harness.client.send(
            "POST \(harness.target("/up", isTLS: isTLS)) HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 5000\r\n\r\n"
        )
        harness.client.send(body)
        harness.pump()
        harness.server?.send("HTTP/1.1 \(status) OK\r\nContent-Type: \(type)\r\nContent-Length: 5000\r\n\r\n")
        harness.server?.send(body)
        harness.pump()
        #expect(harness.client.received.suffix(5000) == body[...], "what is not recorded passes all the same")
        return (harness, scope)
    }

    private static func parts(_ harness: StackHarness) -> Int {
        harness.records.count { event in
            switch event {
            case .bodyPart, .bodyPiece: true
            default: false
            }
        }
    }

    private static func leftOut(_ harness: StackHarness) -> Int {
        harness.records.count { if case .leftOut = $0 { true } else { false } }
    }

    @Test(
        "records matching exchanges with their bodies",
        arguments: [
            "~m post", "status == 200", "size > 9kB", "~t plain", "client startswith 127. | ~m post",
        ],
        [true, false]
    )
    func meant(_ filter: String, isTLS: Bool) throws {
        let (harness, scope) = try Self.run(filter, isTLS: isTLS)
        let exchange = try #require(harness.exchanges.first)
        #expect(harness.body(of: exchange, .request) == Self.body)
        #expect(harness.body(of: exchange, .response) == Self.body)
        #expect(Self.leftOut(harness) == 0 && scope.leftOut == 0)
        harness.checkExchanges()
    }

    @Test("records nothing of an exchange that its request excludes", arguments: [true, false])
    func atTheRequest(isTLS: Bool) throws {
        let (harness, scope) = try Self.run("~m get", isTLS: isTLS)
        #expect(harness.allExchanges.isEmpty && Self.parts(harness) == 0 && Self.leftOut(harness) == 0)
        #expect(scope.leftOut == 1)
    }

    @Test("removes an exchange that its response excludes")
    func atTheResponse() throws {
        let (harness, scope) = try Self.run("status >= 400")
        #expect(harness.allExchanges.isEmpty && Self.leftOut(harness) == 1 && scope.leftOut == 1)
        // Of the request's body alone: then it was known.
        let parts = harness.records.compactMap { event -> BodyOwner? in
            guard case .bodyPart(_, let owner, _) = event else { return nil }
            return owner
        }
        #expect(Set(parts) == [.request])
    }

    @Test("removes an exchange that its end excludes")
    func atTheEnd() throws {
        let (harness, scope) = try Self.run("size > 1MB")
        #expect(harness.allExchanges.isEmpty && Self.leftOut(harness) == 1 && scope.leftOut == 1)
        guard case .leftOut = harness.records.last(where: { if case .flow = $0 { false } else { true } })
        else {
            Issue.record("the last word on an exchange is that it was left out")
            return
        }
    }

    @Test("a stream that the filter leaves out is not recorded while it runs either")
    func stream() throws {
        var policy = try Tunnels.world.policy()
        policy.captured = CaptureScope(try Filter("!sse"))
        let harness = try Tunnels.plain(policy: policy)
        harness.client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        harness.pump()
        harness.server?.send(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        harness.server?.send("8\r\ndata: 1\n\r\n")
        harness.pump()
        harness.server?.send("0\r\n\r\n")
        harness.pump()
        #expect(harness.allExchanges.isEmpty && Self.parts(harness) == 0)
    }

    @Test("the next exchange of a connection is judged by itself")
    func next() throws {
        var policy = try Tunnels.world.policy()
        policy.captured = CaptureScope(try Filter("path == /b"))
        let harness = try Tunnels.plain(policy: policy)
        for path in ["/a", "/b", "/c"] {
            harness.client.send("GET http://a.test\(path) HTTP/1.1\r\nHost: a.test\r\n\r\n")
            harness.pump()
            harness.server?.send("HTTP/1.1 204 No Content\r\n\r\n")
            harness.pump()
        }
        #expect(harness.exchanges.map(\.path) == ["/b"])
    }
}
