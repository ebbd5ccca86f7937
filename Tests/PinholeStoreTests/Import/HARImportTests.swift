import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite("HAR import")
struct HARImportTests {
    /// An archive of these entries.
    private static func archive(_ entries: String...) -> [UInt8] {
        Array(
            """
            {"log":{"version":"1.2","creator":{"name":"x","version":"1"},"pages":[{"id":"p"}],"entries":[
            \(entries.joined(separator: ",\n"))]}}
            """.utf8
        )
    }

    private static let plain = """
        {"startedDateTime":"2026-01-02T03:04:05Z","time":3,"request":{"method":"GET","url":"http://a.test/x",\
        "httpVersion":"HTTP/1.1","headers":[{"name":"Host","value":"a.test"}],"headersSize":-1,"bodySize":-1},\
        "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","headers":[],\
        "content":{"size":2,"mimeType":"text/plain","text":"hi"},"headersSize":-1,"bodySize":-1},\
        "cache":{},"timings":{"send":1,"wait":1,"receive":1}}
        """

    @Test("reads the plainest entry")
    func plain() throws {
        let stage = try ImportStage()
        let (summary, failure) = try stage.load(Self.archive(Self.plain))
        #expect(failure == nil && summary.exchanges == 1 && summary.leftOut == 0)
        let exchange = try #require(try stage.exchanges().first)
        #expect(exchange.url == "http://a.test/x" && exchange.status == 200)
        #expect(exchange.requestHead == "GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n")
        #expect(exchange.responseHead == "HTTP/1.1 200 OK\r\n\r\n" && exchange.content == Array("hi".utf8))
        #expect(exchange.timings.ended == exchange.timings.started + .milliseconds(3))
        #expect(exchange.outcome == .completed)
    }

    @Test(
        "reads the differences of each exporter",
        arguments: [
            // Chromium: pseudo-fields, h2 spelled otherwise, several cookies in one value, codings removed.
            (
                #"""
                {"_resourceType":"document","connection":"77","request":{"method":"GET",
                "url":"https://a.test/?q=1#part","httpVersion":"http/2.0","headers":[
                {"name":":authority","value":"a.test"},{"name":":method","value":"GET"}],"bodySize":0},
                "response":{"status":200,"statusText":"","httpVersion":"http/2.0","headers":[
                {"name":"content-encoding","value":"br"},{"name":"set-cookie","value":"a=1\nb=2"}],
                "content":{"size":3,"text":"h\u00e9"},"bodySize":-1,"_error":null},
                "serverIPAddress":"[2001:db8::1]","startedDateTime":"2026-01-02T03:04:05.250Z","time":1.5,
                "timings":{"blocked":0.5,"dns":-1,"ssl":-1,"connect":-1,"send":0,"wait":1,"receive":0}}
                """#,
                "GET /?q=1 HTTP/2\r\n:authority: a.test\r\n:method: GET\r\n\r\n",
                "HTTP/2 200\r\ncontent-encoding: br\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n\r\n", "hé"
            ),
            // Firefox: the port for a connection, bodies of images left out.
            (
                #"""
                {"connection":"443","startedDateTime":"2026-01-02T05:04:05.000+02:00","request":{"bodySize":0,
                "method":"GET","url":"https://a.test/i.png","httpVersion":"HTTP/2","headers":[
                {"name":"Host","value":"a.test"}]},"response":{"status":200,"statusText":"OK",
                "httpVersion":"HTTP/2","headers":[],"content":{"mimeType":"image/png","size":9,
                "comment":"Response bodies are not included."},"bodySize":9},"timings":{},"time":4}
                """#,
                "GET /i.png HTTP/2\r\nHost: a.test\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", ""
            ),
            // Safari: no time zone in some, a status without a text.
            (
                #"""
                {"startedDateTime":"2026-01-02T03:04:05.678","request":{"method":"GET","url":"https://a.test",
                "httpVersion":"h3","headers":[]},"response":{"status":204,"httpVersion":"h3","headers":[],
                "content":{"size":0,"mimeType":""}},"time":"7"}
                """#,
                "GET / HTTP/3\r\n\r\n", "HTTP/3 204\r\n\r\n", ""
            ),
            // Charles and Proxyman: Base64, a body that is still coded.
            (
                #"""
                {"startedDateTime":"2026-01-02T03:04:05.678+0000","request":{"method":"POST",
                "url":"https://a.test:8443/f","httpVersion":"HTTP/2.0","headers":[],
                "postData":{"mimeType":"application/x-www-form-urlencoded","params":[
                {"name":"a b","value":"ü&"},{"name":"c"}]}},"response":{"status":"200","statusText":"OK",
                "httpVersion":"HTTP/1.1","headers":[{"name":"Content-Encoding","value":"gzip"}],
                "content":{"encoding":"base64","text":"H4sIAAAAAAACA0tMAgBtSIOeAgAAAA=="}},"timings":null}
                """#,
                "POST /f HTTP/2\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", "ab"
            ),
            // Slack: pairs for fields; Insomnia: little else than the request.
            (
                #"""
                {"startedDateTime":"2026-01-02T03:04:05Z","request":{"url":"http://a.test/s","method":"GET","headers":[["X-A","1"],["broken"],[]]},
                "response":{"status":0,"headers":[],"content":{}}}
                """#,
                "GET /s HTTP/1.1\r\nX-A: 1\r\nbroken: \r\n\r\n", nil, ""
            ),
        ] as [(String, String, String?, String)]
    )
    func quirks(_ entry: String, _ request: String, _ response: String?, _ content: String) throws {
        let stage = try ImportStage()
        let (summary, failure) = try stage.load([0xef, 0xbb, 0xbf] + Self.archive(entry))
        #expect(failure == nil && summary.exchanges == 1 && summary.remarks == [])
        let exchange = try #require(try stage.exchanges().first)
        #expect(exchange.requestHead == request && exchange.responseHead == response)
        #expect(String(decoding: exchange.content, as: UTF8.self) == content)
    }

    @Test("a body that a browser left out has its size, and a form of fields alone is a body")
    func bodies() throws {
        let stage = try ImportStage()
        _ = try stage.load(
            Self.archive(
                #"{"request":{"url":"http://a.test/","method":"GET"},"response":{"status":200,"content":{"size":9}}}"#,
                #"{"request":{"url":"http://a.test/","method":"POST","postData":{"params":[{"name":"a b","value":"ü&"}]}}}"#
            )
        )
        let reader = try CaptureReader(path: stage.scratch.capture)
        let found = try reader.exchanges(order: .oldestFirst, limit: 10)
        #expect(found[0].response?.body.length == 9 && found[0].response?.body.capturedLength == 0)
        #expect(try stage.exchanges()[1].requestBody == Array("a+b=%C3%BC%26".utf8))
        #expect(found[1].outcome == .failed("the file has no response"))
    }

    @Test("a body that Firefox left out has its size, though there is an empty text")
    func emptyText() throws {
        let stage = try ImportStage()
        _ = try stage.load(
            Self.archive(
                #"{"request":{"url":"http://a.test/","method":"GET"},"response":{"status":200,"bodySize":7,"content":{"size":9,"text":""}}}"#
            )
        )
        let reader = try CaptureReader(path: stage.scratch.capture)
        let found = try #require(try reader.exchanges(order: .oldestFirst, limit: 10).first)
        #expect(found.response?.body.length == 7 && found.response?.body.capturedLength == 0)
    }

    /// A request with a form of two fields, of which one is a file.
    private static func form(_ type: String) -> String {
        #"""
        {"startedDateTime":"2026-01-02T00:00:00Z","request":{"url":"http://a.test/","method":"POST","postData":{
        "mimeType":"\#(type)","params":[
        {"name":"f\"\r\n","fileName":"a.txt","contentType":"text/plain","value":"hello"},
        {"name":"b","value":"ü"}]}},"response":{"status":200}}
        """#
    }

    @Test(
        "a form of several parts is put together",
        arguments: [
            "multipart/form-data; boundary=XX", "multipart/form-data; charset=utf-8; Boundary=\\\"XX\\\"",
        ]
    )
    func multipart(_ type: String) throws {
        let stage = try ImportStage()
        let (summary, _) = try stage.load(Self.archive(Self.form(type)))
        #expect(summary.exchanges == 1 && summary.remarks == [])
        let body = String(decoding: try #require(try stage.exchanges().first).requestBody, as: UTF8.self)
        #expect(
            body == """
                --XX\r
                Content-Disposition: form-data; name="f%22%0D%0A"; filename="a.txt"\r
                Content-Type: text/plain\r
                \r
                hello\r
                --XX\r
                Content-Disposition: form-data; name="b"\r
                \r
                ü\r
                --XX--\r

                """
        )
    }

    @Test(
        "faults are reported, and do not prevent the import",
        arguments: [
            (
                form("multipart/form-data"),
                "request.postData: expected a boundary in mimeType, found “multipart/form-data”; 2 bodies are missing"
            ),
            (
                #"{"startedDateTime":"2026-01-02T00:00:00Z","request":{"url":"https://me:pw@a.test/","method":"GET"},"response":{"status":200}}"#,
                "request.url: expected no user information (RFC 9110 §4.2.4), or an Authorization header; "
                    + "it was left out of 2 URLs"
            ),
            (
                #"{"startedDateTime":"2026-01-02T00:00:00Z","request":{"url":"https://a.test/","method":"GET"},"response":{"status":200,"content":{"encoding":"base64","text":"no Base64!"}}}"#,
                "response.content.text: expected Base64, found “no Base64!”; 2 bodies are kept as they stand"
            ),
        ]
    )
    func doubts(_ entry: String, _ remark: String) throws {
        let stage = try ImportStage()
        let (summary, failure) = try stage.load(Self.archive(entry, entry, Self.plain))
        #expect(failure == nil && summary.exchanges == 3 && summary.leftOut == 0)
        #expect(
            summary.remarks.count == 1 && summary.remarks.first?.hasSuffix(remark) == true,
            "\(summary.remarks)"
        )
    }

    @Test("user information is no doubt where a field carries it")
    func authorization() throws {
        let stage = try ImportStage()
        let entry =
            #"{"startedDateTime":"2026-01-02T00:00:00Z","request":{"url":"https://me:pw@a.test/","method":"GET","headers":[{"name":"Authorization","value":"Basic bWU6cHc="}]},"response":{"status":200}}"#
        #expect(try stage.load(Self.archive(entry)).summary.remarks == [])
    }

    @Test("an invalid entry is left out and reported, and the rest is imported")
    func leftOut() throws {
        let stage = try ImportStage()
        let (summary, failure) = try stage.load(
            Self.archive(
                #"{"request":{"url":"data:image/png;base64,AA","method":"GET"}}"#,
                #"{"request":{"url":12,"method":"GET"}}"#,
                "17",
                "null",
                #"{"request":{"url":"http://a b/"}}"#,
                #"{"request":{"url":"http://a.test/","method":"G T"}}"#,
                Self.plain
            )
        )
        #expect(failure == nil && summary.exchanges == 1 && summary.leftOut == 6)
        #expect(summary.remarks.first?.contains("expected a URL with http or https") == true)
        #expect(summary.remarks.first?.hasPrefix("line 2, column 1: url") == true, "\(summary.remarks)")
    }

    @Test(
        "a status that is none leaves the entry out; 0, null and every negative number mean that no response came",
        arguments: [
            "1.5", "-5", "-1.5", "1e308", "true", "\"x\"", "99", "0", "-1", "null", "\"200\"", "\"-1\"",
        ]
    )
    func status(_ text: String) throws {
        let stage = try ImportStage()
        let entry = #"{"request":{"url":"http://a.test/","method":"GET"},"response":{"status":\#(text)}}"#
        let (summary, failure) = try stage.load(Self.archive(entry))
        let isRead = !["1.5", "1e308", "true", "\"x\"", "99"].contains(text)
        #expect(failure == nil && summary.exchanges == (isRead ? 1 : 0))
        #expect(summary.remarks.first?.contains("response.status: expected a whole number") != isRead)
        let exchange = try stage.exchanges().first
        #expect(exchange?.status == (text.contains("200") ? 200 : nil))
        #expect(exchange == nil || (exchange?.responseHead != nil) == text.contains("200"))
    }

    @Test(
        "a response of Firefox without a status keeps its fields and content",
        arguments: [
            (#""status":0"#, "completed"), (#""status":null"#, "completed"), (#""x":0"#, "completed"),
            (#""status":0,"_error":"NS_ERROR_X""#, "NS_ERROR_X"),
        ]
    )
    func noStatus(_ status: String, _ outcome: String) throws {
        let stage = try ImportStage()
        let entry = #"""
            {"startedDateTime":"2026-01-02T03:04:05Z","request":{"url":"http://a.test/","method":"GET"},
            "response":{\#(status),"statusText":"",
            "httpVersion":"HTTP/2","headers":[{"name":"X-A","value":"1"}],"content":{"size":2,"text":"hi"}}}
            """#
        let (summary, failure) = try stage.load(Self.archive(entry))
        #expect(failure == nil && summary.exchanges == 1 && summary.remarks == [])
        let exchange = try #require(try stage.exchanges().first)
        #expect(exchange.status == nil && exchange.responseHead == "HTTP/2 0\r\nX-A: 1\r\n\r\n")
        #expect(exchange.content == Array("hi".utf8))
        #expect(exchange.outcome == (outcome == "completed" ? .completed : .failed(outcome)))
    }

    @Test("negative statuses, unreadable messages and impossible sizes are counted")
    func counted() throws {
        let stage = try ImportStage()
        let start = #"{"request":{"url":"http://a.test/","method":"GET"},"#
        let broken = start + #""response":{"status":-2,"headers":[{"name":"a","value":"b"}]}}"#
        let messages =
            start
            + #""_webSocketMessages":[{"opcode":-1,"data":"x"},{"opcode":1,"data":"y"}],"response":{"status":101}}"#
        let size = start + #""response":{"status":200,"bodySize":9e18}}"#
        let (summary, failure) = try stage.load(Self.archive(broken, broken, messages, size))
        #expect(failure == nil && summary.exchanges == 4 && summary.leftOut == 0)
        for part in [
            "2 responses are left out", "messages of 1 exchange are left out", "1 size counts as unknown",
        ] {
            #expect(summary.remarks.contains { $0.contains(part) }, "\(summary.remarks)")
        }
        let exchanges = try stage.exchanges()
        #expect(exchanges.map { $0.responseHead == nil } == [true, true, false, false])
        #expect(exchanges[2].messages.map(\.content) == [Array("y".utf8)])
    }

    @Test(
        "an invalid date is reported",
        arguments: [
            "", "2026-13-45T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-02T00:00:00+99:99", "1970-01-01",
            "0000-01-01T00:00:00Z",
        ]
    )
    func date(_ text: String) throws {
        let stage = try ImportStage()
        let entry =
            #"{"startedDateTime":"\#(text)","request":{"url":"http://a.test/","method":"GET"},"response":{"status":200}}"#
        let (summary, failure) = try stage.load(Self.archive(entry, entry, Self.plain))
        #expect(failure == nil && summary.exchanges == 3 && summary.leftOut == 0)
        #expect(summary.remarks.count == 1)
        #expect(summary.remarks.first?.contains("found “\(text)”; 2 exchanges stand there as of now") == true)
    }

    @Test("an entry without a date is reported")
    func noDate() throws {
        let stage = try ImportStage()
        let entry = #"{"request":{"url":"http://a.test/","method":"GET"},"response":{"status":200}}"#
        let (summary, failure) = try stage.load(Self.archive(entry))
        #expect(failure == nil && summary.exchanges == 1)
        #expect(summary.remarks.count == 1)
        #expect(summary.remarks.first?.contains("found nothing; 1 exchange stands there as of now") == true)
    }

    @Test(
        "a number out of range counts as missing, and is reported",
        arguments: ["1e400", "-1e999", "NaN", "Infinity", "-Infinity"]
    )
    func unfit(_ number: String) throws {
        let stage = try ImportStage()
        let entry =
            #"{"startedDateTime":"2026-01-02T00:00:00Z","time":\#(number),"request":{"url":"http://a.test/","method":"GET"},"response":{"status":200}}"#
        let (summary, failure) = try stage.load(Self.archive(entry, Self.plain))
        #expect(failure == nil && summary.exchanges == 2 && summary.leftOut == 0)
        #expect(summary.remarks.count == 1)
        #expect(summary.remarks.first?.contains("1 number does not fit, and counts as missing") == true)
    }

    @Test("a number of 64 characters fits, and a longer one does not", arguments: [64, 65])
    func longest(_ length: Int) throws {
        let number = "1." + String(repeating: "0", count: length - 2)
        let entry =
            #"{"startedDateTime":"2026-01-02T00:00:00Z","time":\#(number),"request":{"url":"http://a.test/","method":"GET"},"response":{"status":200}}"#
        let (summary, failure) = try ImportStage().load(Self.archive(entry))
        #expect(failure == nil && summary.exchanges == 1)
        #expect(summary.remarks.contains { $0.contains("number does not fit") } == (length > 64))
    }

    @Test("a file that is no archive is reported with the expected members")
    func noArchive() throws {
        let (summary, _) = try ImportStage().load(Array("{}".utf8))
        #expect(summary.leftOut == 1 && summary.remarks.first?.contains("log.entries") == true)
    }

    @Test("a file with a named format is not read as another format")
    func format() throws {
        let line = #"{"entry":{"request":{"url":"http://a.test/","method":"GET"},"response":{"status":200}}}"#
        let flow = #"{"type":"flow","id":1}"#
        let stage = try ImportStage()
        let lines = try stage.load("\(line)\n\(flow)\n".utf8, format: .jsonl)
        #expect(lines.failure == nil && lines.summary.exchanges == 1 && lines.summary.leftOut == 0)
        #expect(lines.summary.remarks.last == "1 flow without exchanges: there is nothing to import")
        #expect(try stage.load("\(line)\n".utf8, format: .har).summary.leftOut == 1)
        for (content, format) in [
            (Self.archive(Self.plain), ImportFormat.jsonl), (Self.archive(Self.plain), .charles),
            (Array("[]".utf8), .har), (Array("[]".utf8), .jsonl),
        ] {
            let (summary, failure) = try stage.load(content, format: format)
            #expect(summary.exchanges == 0)
            guard case .malformed = failure else {
                Issue.record("\(format): \(String(describing: failure))")
                continue
            }
        }
    }

    @Test("no part of an entry makes one field line two, or ends a head")
    func injection() throws {
        let stage = try ImportStage()
        let entry = #"""
            {"request":{"url":"http://a.test/a\r\nX: 1 b","method":"GET","headers":[
            {"name":"A\r\nB","value":"1\r\r\n\r\nGET / HTTP/1.1"},{"name":"C: D","value":"x"},
            {"name":"","value":"x"},{"name":"E","value":"\u0000"}]},
            "response":{"status":200,"statusText":"OK\r\nY: 1","headers":[]}}
            """#
        _ = try stage.load(Self.archive(entry))
        let exchange = try #require(try stage.exchanges().first)
        let expected =
            "GET /a%0D%0AX:%201%20b HTTP/1.1\r\nA  B: 1\r\nA  B: GET / HTTP/1.1\r\nE:  \r\n\r\n"
        #expect(exchange.requestHead == expected)
        #expect(exchange.responseHead == "HTTP/1.1 200 OK  Y: 1\r\n\r\n")
    }

    @Test("a truncated file is imported up to the cut, and the place is reported")
    func truncated() throws {
        let whole = Self.archive(Self.plain, Self.plain)
        let second = whole.count / 2
        for end in stride(from: 1, to: whole.count, by: 37) {
            let stage = try ImportStage()
            let (summary, failure) = try stage.load(whole[..<end])
            guard case .malformed(_, let fault) = failure else {
                Issue.record("\(end): \(String(describing: failure))")
                continue
            }
            #expect(fault.offset <= end && fault.found.contains("the end"))
            #expect(summary.exchanges == (try stage.exchanges().count))
            if end > second + 200 { #expect(summary.exchanges >= 1) }
        }
    }

    @Test(
        "names the kind of a file that cannot be imported",
        arguments: [
            ("", "it is empty"), ("<html>", "a page of HTML"),
            ("\n<!DOCTYPE html>", "a page of HTML"), ("<?xml ?>", "it is XML"),
            ("SQLite format 3\0", "pinhole flows merge"),
            ("\u{1f}hello", "begins like none"), ("hello", "begins like none"),
        ]
    )
    func unknown(_ content: String, _ expected: String) throws {
        let stage = try ImportStage()
        let failure = try stage.load(content.utf8).failure
        #expect(failure?.description.contains(expected) == true, "\(String(describing: failure))")
        #expect(!FileManager.default.fileExists(atPath: stage.scratch.capture))
    }

    @Test(
        "a hostile file ends with a reason",
        arguments: [
            (String(repeating: "[", count: 100_000), "levels"),
            (#"{"log":{"entries":["# + String(repeating: #"{"a":"#, count: 100), "levels"),
            (#"{"log":{"x":"# + String(repeating: "[", count: 5000), "levels"),
            (#"[[0"# + String(repeating: ",0", count: 3000), "values"),
            (#"{"log":{"entries":[""# + String(repeating: "a", count: 70_000) + #""]}}"#, "MiB"),
            (#"{"log":{"entries":["\ud8"]}}"#, "hexadecimal"), (#"{"log":{"entries":["\q"]}}"#, "escape"),
            (#"{"log":{"entries":[-]}}"#, "a digit"),
            (#"{"log":{"entries":[nul]}}"#, "a value"), (#"{"log":{"entries":[1 2]}}"#, "“,” or “]”"),
            (#"{"log" {}}"#, "“:”"), (#"{"log":{},}"#, "a name"), (#"{} x"#, "an object or a list"),
        ]
    )
    func hostile(_ content: String, _ expected: String) throws {
        var limits = ImportLimits()
        limits.values = 2000
        limits.textBytes = 64 << 10
        let failure = try ImportStage().load(content.utf8, limits: limits).failure
        guard case .malformed = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(failure?.description.contains(expected) == true, "\(String(describing: failure))")
    }

    @Test("bytes that are changed at random end in exchanges or a reason", arguments: 0..<12)
    func mutated(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var bytes = Self.archive(Self.plain, Self.plain, Self.plain)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let stage = try ImportStage()
        let (summary, failure) = try stage.load(bytes)
        #expect(try stage.exchanges().count == summary.exchanges)
        #expect(failure != nil || summary.exchanges + summary.leftOut > 0)
    }

    @Test("a lone surrogate, invalid UTF-8 and a repeated name do not stop the import")
    func broken() throws {
        let stage = try ImportStage()
        var entry = Array(
            #"{"request":{"method":"PUT","method":"GET","url":"http://a.test/\ud800x\ud83d\ude00"}}"#.utf8
        )
        entry.insert(0xff, at: entry.count - 3)
        let (summary, failure) = try stage.load(
            Array(#"{"log":{"entries":["#.utf8) + entry + Array("]}}".utf8)
        )
        #expect(failure == nil && summary.exchanges == 1)
        let exchange = try #require(try stage.exchanges().first)
        #expect(exchange.method == "GET" && exchange.path == "/\u{fffd}x😀\u{fffd}")
        #expect(
            summary.remarks.contains { $0.hasSuffix("1 text is not UTF-8; U+FFFD stands for what is none") },
            "\(summary.remarks)"
        )
    }
}
