import Foundation
import PinholeTestKit
import Testing

/// `pinhole mcp` on standard input and output.
@Suite("pinhole mcp")
struct McpCommandTests {
    private static let har = """
        {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [{"startedDateTime":
        "2026-01-01T00:00:00Z", "time": 1, "request": {"method": "GET", "url": "http://a.test/zookeeper", "httpVersion": "HTTP/1.1",
        "headers": []}, "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": [],
        "content": {"size": 0, "mimeType": "text/plain", "text": ""}}}]}}
        """

    private static func result(_ input: String, _ flags: [String] = []) async throws -> ProcessResult {
        let binary = try PinholeBinary()
        try binary.directory.write(har, to: "a.har")
        let made = try await binary.run("flows", "import", "a.har", "--into", "c.sqlite")
        try #require(made.isSuccess, "\(made)")
        var invocation = binary.invocation(["mcp", "--capture", "c.sqlite"] + flags)
        invocation.input = Array(input.utf8)
        return try await ProcessRunner.run(invocation)
    }

    private static func answers(_ input: String, _ flags: [String] = []) async throws -> [String] {
        let result = try await result(input, flags)
        #expect(result.isSuccess, "\(result)")
        return result.text.split(separator: "\n").map(String.init)
    }

    private static func ping(_ id: Int) -> String { #"{"jsonrpc": "2.0", "id": \#(id), "method": "ping"}"# }

    @Test("a line that is too long is answered by an error, and the next line is answered")
    func long() async throws {
        let line =
            #"{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": ""#
            + String(repeating: "x", count: 9 << 20) + #""}}"#
        let found = try await Self.answers("\(line)\n\(Self.ping(2))\n\n\(line)\n\(Self.ping(3))")
        #expect(found.count { $0.contains(#""code":-32600"#) && $0.contains(#""id":null"#) } == 2, "\(found)")
        #expect(found.contains { $0.contains(#""id":2"#) && $0.contains("result") }, "\(found)")
        #expect(
            found.contains { $0.contains(#""id":3"#) && $0.contains("result") },
            "the last line has no end: \(found)"
        )
    }

    @Test("more calls than are answered at one time wait, and all are answered")
    func many() async throws {
        let calls = (1...300).map {
            #"{"jsonrpc": "2.0", "id": \#($0), "method": "tools/call", "params": {"name": "list_exchanges"}}"#
        }
        let found = try await Self.answers(calls.joined(separator: "\n"))
        #expect(found.count == 300 && found.allSatisfy { $0.contains("a.test") })
    }

    @Test(
        "a host without an asterisk shows the values of this host alone",
        arguments: [
            ("a.test", true), ("*.test", true), ("a.test:80", true), ("test", false), ("b.test", false),
        ]
    )
    func reveal(_ host: String, _ isShown: Bool) async throws {
        let call =
            #"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_exchanges"}}"#
        let found = try await Self.answers(call, ["--reveal-host", host])
        #expect(found.contains { $0.contains("zookeeper") } == isShown, "\(found)")
    }

    @Test("an empty filter or host is refused", arguments: ["--allow-values", "--reveal-host"])
    func empty(_ flag: String) async throws {
        let result = try await Self.result("", [flag, " "])
        #expect(!result.isSuccess && result.errorText.contains("found none"), "\(result)")
    }
}
