import ArgumentParser
import PinholeClient
import PinholeModel
import Testing

@testable import PinholeCommand

@Suite("ReplayEdit")
struct ReplayEditTests {
    private static let head =
        "POST /v1/items?page=1&x=2 HTTP/1.1\r\nHost: api.test\r\nX-Odd: a\r\nX-Odd: b\r\nCookie: s=1\r\n"
        + "Connection: close, X-Hop\r\nX-Hop: 1\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n"

    private func request(
        _ words: String...,
        head: String = head,
        body: String = "ping"
    ) throws -> ClientRequest {
        let command = try #require(try Pinhole.parseAsRoot(["replay", "7"] + words) as? ReplayCommand)
        let record = try ReplayRecords.exchange(head, body: body)
        return try command.edits.edit().request(record, body: record.request.body.inline)
    }

    private func lines(_ request: ClientRequest) -> [String] {
        request.fields.map { "\($0.name): \($0.value)" }
    }

    @Test("without edits, only the fields of the connection change")
    func same() throws {
        let request = try request()
        #expect(request.method == "POST" && request.body == Array("ping".utf8))
        #expect(request.url.description == "https://api.test/v1/items?page=1&x=2")
        #expect(lines(request) == ["X-Odd: a", "X-Odd: b", "Cookie: s=1", "Content-Encoding: gzip"])
        #expect(!request.addsOwnFields)
    }

    @Test("edits are rules")
    func edits() throws {
        let request = try request(
            "--method",
            "PUT",
            "--set-header",
            "Cookie: s=2",
            "--remove-header",
            "x-odd",
            "--add-header",
            "X-New: 1",
            "--set-query",
            "page=2 b",
            "--remove-query",
            "x",
            "--url-replace",
            "|/v(\\d)/|/w$1/|"
        )
        #expect(request.method == "PUT")
        #expect(request.url.description == "https://api.test/w1/items?page=2%20b")
        #expect(lines(request) == ["Cookie: s=2", "Content-Encoding: gzip", "X-New: 1"])
    }

    @Test(
        "another server takes the scheme and the name that it was given",
        arguments: [
            (["--to", "127.0.0.1:3000"], "https://127.0.0.1:3000/v1/items?page=1&x=2", nil),
            (["--to", "http://other.test"], "http://other.test/v1/items?page=1&x=2", nil),
            (
                ["--to", "http://[::1]:81/", "--keep-host"], "http://[::1]:81/v1/items?page=1&x=2",
                "Host: api.test"
            ),
        ] as [([String], String, String?)]
    )
    func target(words: [String], url: String, host: String?) throws {
        let command = try #require(try Pinhole.parseAsRoot(["replay", "7"] + words) as? ReplayCommand)
        let request = try command.edits.edit().request(try ReplayRecords.exchange(Self.head), body: [])
        #expect(request.url.description == url)
        #expect(lines(request).first { $0.hasPrefix("Host") } == host)
    }

    @Test("a URL that would be none is refused, and named")
    func noURL() throws {
        let refused = try #require(throws: ClientFailure.self) { try request("--url-replace", "|https|ftp|") }
        #expect(refused.code == .badURL)
        #expect("\(refused)".contains("--url-replace makes ftp://api.test/v1/items?page=1&x=2 of https://"))
    }

    @Test("a field that is not a text says which")
    func bytes() throws {
        var record = try ReplayRecords.exchange("GET / HTTP/1.1\r\nX: a\r\n\r\n")
        record.request.head[19] = 0xff
        #expect {
            try ReplayEdit().request(record, body: [])
        } throws: { error in
            (error as? ClientFailure)?.detail.contains("the header X is not UTF-8") == true
        }
    }

    @Test("requests that cannot be repeated have a reason")
    func obstacles() throws {
        let edit = ReplayEdit()
        let whole = try ReplayRecords.exchange(Self.head, body: "ping")
        #expect(edit.obstacle(whole, allowsIncomplete: false) == nil)
        var part = whole
        part.request.body.length = 10
        #expect(
            edit.obstacle(part, allowsIncomplete: false)
                == "4 of 10 bytes of its body were captured; --incomplete sends what there is, --body-file another one"
        )
        #expect(edit.obstacle(part, allowsIncomplete: true) == nil)
        var socket = whole
        socket.notes = [.upgraded, .webSocket]
        #expect(edit.obstacle(socket, allowsIncomplete: true)?.hasPrefix("it opened a WebSocket") == true)
        #expect(ReplayEdit(body: [1]).obstacle(part, allowsIncomplete: false) == nil)
        var cut = whole
        cut.request.body.isComplete = false
        #expect(edit.obstacle(cut, allowsIncomplete: false)?.contains("cut off after 4 bytes") == true)
        var upgraded = whole
        upgraded.notes = [.upgraded]
        #expect(edit.obstacle(upgraded, allowsIncomplete: true)?.contains("another protocol") == true)
        var star = whole
        star.path = "*"
        #expect(edit.obstacle(star, allowsIncomplete: true) != nil)
    }

    @Test(
        "wrong flags are reported with the expected form",
        arguments: [
            (["7", "--set-header", "nonsense"], "--set-header: expected “Name: value”"),
            (["7", "--set-header", "Host: a"], "--to names another server"),
            (["7", "--remove-header", "a b"], "--remove-header: expected the name of a header"),
            (["7", "--method", "A B"], "--method: expected a method"),
            (["7", "--url-replace", "abc"], "--url-replace: expected “|FIND|WITH”, found “abc”"),
            (["7", "--url-replace", "|(|x"], "--url-replace: expected"),
            (["7", "--to", "ftp://a"], "expected http:// or https://"),
            (["7", "--to", "a b"], "found “a b”"), ([], "found neither"),
            (["7", "--filter", "all"], "found both"), (["--filter", "status >"], "the filter is wrong"),
            (["7", "--times", "0"], "--times: expected 1 to 1000000"),
            (["7", "--concurrency", "0"], "--concurrency: expected 1 to 1000"),
        ]
    )
    func usage(words: [String], expected: String) throws {
        do {
            _ = try Pinhole.parseAsRoot(["replay"] + words)
            Issue.record("\(words) were taken")
        } catch {
            #expect(Pinhole.fullMessage(for: error).contains(expected), "\(Pinhole.fullMessage(for: error))")
        }
    }
}
