import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite("pinhole flows")
struct FlowsCommandTests {
    private func binary() throws -> PinholeBinary {
        let binary = try PinholeBinary()
        let options = CaptureStore.Options(path: binary.directory.file("pinhole.sqlite"))
        let store = try CaptureStore.open(options, now: Timestamp(seconds: 1_700_000_000))
        store.record([.flow(Self.flow(1, .completed)), .exchange(try Self.exchange(2, "GET", 200))])
        store.record([.exchange(try Self.exchange(3, "POST", 404)), .flow(Self.flow(4, .dialFailed))])
        store.close()
        return binary
    }

    @Test("flows that a list leaves out do not count toward its limit")
    func leftOut() async throws {
        let binary = try binary()
        let options = CaptureStore.Options(path: binary.directory.file("pinhole.sqlite"))
        let store = try CaptureStore.open(options, now: Timestamp(seconds: 1_700_000_000))
        store.record([.flow(Self.flow(5, .completed)), .flow(Self.flow(6, .completed))])
        store.close()
        let result = try await binary.run("flows", "list", "--json", "--limit", "1", "!http")
        #expect(result.isSuccess && result.text.contains(#""id":4"#), "\(result)")
    }

    private static func flow(_ id: Int64, _ outcome: Outcome.Kind) -> FlowRecord {
        var record = FlowRecord(
            id: FlowID(rawValue: id),
            opened: Timestamp(seconds: 1_700_000_000),
            client: "127.0.0.1:5",
            listener: "127.0.0.1:8080"
        )
        record.authority = "down.test:443"
        record.closed = Timestamp(seconds: 1_700_000_001)
        record.treatment = .intercepted
        record.exchanges = outcome == .completed ? 2 : 0
        record.outcome = Outcome(outcome, fault: .server, detail: "nobody listens")
        return record
    }

    private static func exchange(_ id: Int64, _ method: String, _ status: Int) throws -> ExchangeRecord {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("api.test:443"),
            method: method,
            path: "/item",
            request: MessageRecord(head: Array("\(method) /item HTTP/1.1\r\nHost: api.test\r\n\r\n".utf8)),
            timings: ExchangeTimings(started: Timestamp(seconds: 1_700_000_000))
        )
        record.request.body.isComplete = true
        record.status = status
        var response = MessageRecord(head: Array("HTTP/1.1 \(status) X\r\nContent-Length: 5\r\n\r\n".utf8))
        response.body.inline = Array("hello".utf8)
        response.body.length = 5
        response.body.capturedLength = 5
        response.body.isComplete = true
        record.response = response
        record.timings.ended = Timestamp(microseconds: 1_700_000_000_500_000)
        record.outcome = .completed
        return record
    }

    @Test("lists exchanges and failed flows, oldest first")
    func list() async throws {
        let result = try await binary().run("flows", "list")
        let lines = result.text.split(separator: "\n")
        #expect(result.isSuccess && lines.count == 3, "\(result)")
        #expect(lines[0].contains("GET     200           5 B    500 ms  https://api.test/item"), "\(result)")
        #expect(lines[2].contains("FAILED") && lines[2].contains("nobody listens"), "\(result)")
        // It is of another day.
        #expect(lines.allSatisfy { $0.contains(#/^ +\d  2023-11-1[45] \d\d:\d\d:\d\d  /#) }, "\(result)")
    }

    @Test(
        "filters",
        arguments: [
            (["--status", "4xx"], [3]), (["--method", "get"], [2]), (["--failed"], [3, 4]), (["broken"], [4]),
            (["--host", "down.*"], [4]),
            (["--limit", "1"], [4]), (["--url", "item"], [2, 3]), (["~c 404"], [3]), (["~m", "get"], [2]),
            (["status >= 400 | failed"], [3, 4]), (["~bs hello", "--method", "POST"], [3]),
            (["host ~ down.* & !http"], [4]),
        ]
    )
    func filters(_ arguments: [String], _ expected: [Int]) async throws {
        let binary = try binary()
        let result = try await ProcessRunner.run(binary.invocation(["flows", "list", "--json"] + arguments))
        let ids = try result.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["id"]
                as? Int
        }
        #expect(ids == expected, "\(result)")
    }

    @Test(
        "sorts, and shows the first of that order",
        arguments: [
            (["status"], [2, 3, 4]), (["status", "--reverse"], [3, 2, 4]), (["id", "--reverse"], [4, 3, 2]),
            (["method", "--reverse", "--limit", "1"], [3]),
            (["duration", "--reverse", "--limit", "2"], [4, 3]),
            (["host", "status >= 0"], [2, 3]), (["url", "--failed"], [4, 3]),
        ]
    )
    func sorts(_ arguments: [String], _ expected: [Int]) async throws {
        let binary = try binary()
        let result = try await ProcessRunner.run(
            binary.invocation(["flows", "list", "--json", "--sort"] + arguments)
        )
        let ids = try result.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["id"]
                as? Int
        }
        #expect(ids == expected, "\(result)")
    }

    @Test(
        "an unknown order is refused with the known ones",
        arguments: [
            (
                ["--sort", "stauts"],
                "expected a field to sort by, found “stauts”; to fix it: write “status”"
            ),
            (
                ["--sort", "xxxxxxxx"],
                "found “xxxxxxxx”; to fix it: write one of id, flow, time, method"
            ),
            (["--sort", "time", "--follow"], "--follow: expected no --sort beside it"),
            (["--reverse"], "--reverse: expected --sort beside it; --sort id --reverse has the newest first"),
        ]
    )
    func wrongSort(_ arguments: [String], _ message: String) async throws {
        let binary = try PinholeBinary()
        let result = try await ProcessRunner.run(binary.invocation(["flows", "list"] + arguments))
        #expect(result.exit == .code(2) && result.errorText.contains(message), "\(result)")
    }

    @Test("times of a connection that was open before are shown apart from the times of the exchange")
    func setUpBefore() async throws {
        let binary = try binary()
        let options = CaptureStore.Options(path: binary.directory.file("pinhole.sqlite"))
        let store = try CaptureStore.open(options, now: Timestamp(seconds: 1_700_000_000))
        for (id, answered) in [(5, 100), (6, 900)] as [(Int64, Int)] {
            var record = try Self.exchange(id, "GET", 200)
            record.timings.blocked = .milliseconds(1)
            record.timings.connect = .milliseconds(300)
            record.timings.tls = .milliseconds(400)
            record.timings.responseStarted = record.timings.started + .milliseconds(answered)
            store.record([.exchange(record)])
        }
        store.close()
        let before = try await binary.run("flows", "show", "5")
        #expect(
            before.text.contains(
                "before the request connect 300 ms, TLS 400 ms; from it on queue 1.0 ms, first byte 100 ms, total 500 ms\n"
            ),
            "\(before)"
        )
        let within = try await binary.run("flows", "show", "6")
        #expect(
            within.text.contains(
                "queue 1.0 ms, connect 300 ms, TLS 400 ms, first byte 900 ms, total 500 ms\n"
            ),
            "\(within)"
        )
    }

    @Test("a filter that is wrong is shown with the place, before anything is opened")
    func wrongFilter() async throws {
        for command in [["list"], ["export", "--har", "-"], ["filter"], ["show"]] {
            let binary = try PinholeBinary()
            let result = try await ProcessRunner.run(
                binary.invocation(["flows"] + command + ["~d a & stauts >= 4"])
            )
            let expected = """
                column 8: expected a known field, found “stauts”; to fix it: write “status”
                  ~d a & stauts >= 4
                         ^
                """
            #expect(result.exit == .code(2) && result.errorText.contains(expected), "\(result)")
        }
    }

    @Test("explains a filter, or lists the fields of filters")
    func explainFilter() async throws {
        let result = try await PinholeBinary().run("flows", "filter", "status >= 400 ~b teapot pined")
        #expect(
            result.text == """
                canonical   status >= 400 & body matches teapot & url matches pined
                by SQL      status >= 400 & url matches pined
                one by one  body matches teapot

                """
        )
        #expect(result.errorText.contains("write “pinned”"))
        let reference = try await PinholeBinary().run("flows", "filter")
        #expect(reference.text.contains("tls.alert") && reference.text.contains("~bq"), "\(reference)")
    }

    @Test("shows the newest exchange that a filter selects")
    func showByFilter() async throws {
        let binary = try binary()
        let exchange = try await binary.run("flows", "show", "~u item")
        #expect(exchange.text.hasPrefix("exchange 3  POST"), "\(exchange)")
        let flow = try await binary.run("flows", "show", "failed")
        #expect(flow.text.contains("dialFailed"), "\(flow)")
        let odd = try await binary.run("flows", "show", "status == 700")
        #expect(odd.exit == .code(1) && odd.errorText.hasPrefix("pinhole: servers send 100 to 599"), "\(odd)")
        let replay = try await binary.run("replay", "--filter", "status == 700")
        #expect(replay.exit == .code(1) && replay.errorText.hasPrefix("pinhole: servers send"), "\(replay)")
    }

    @Test("nothing found is exit code 1, no capture 3")
    func nothing() async throws {
        #expect(try await binary().run("flows", "list", "--host", "x.test").exit == .code(1))
        let missing = try await PinholeBinary().run("flows", "list")
        #expect(
            missing.exit == .code(3) && missing.errorText.contains("Record something first"),
            "\(missing)"
        )
        let redacted = try await PinholeBinary().run("flows", "redact", "no.sqlite", "clean.sqlite")
        #expect(redacted.errorText.contains("or name another capture."), "IN is no flag: \(redacted)")
        let none = try await PinholeBinary().run("flows", "list", "--capture", "none")
        #expect(none.exit == .code(2), "\(none)")
    }

    @Test("nothing found: the nearest host and method of the capture are suggested")
    func nearestHost() async throws {
        let binary = try binary()
        for arguments in [["--host", "apo.test"], ["host == apo.test"], ["~d", "apo.test"]] {
            let result = try await ProcessRunner.run(binary.invocation(["flows", "list"] + arguments))
            let expected = "the filter 'host == api.test' finds 2 entries"
            #expect(result.exit == .code(1) && result.errorText.contains(expected), "\(result)")
        }
        let method = try await binary.run("flows", "list", "--method", "PSOT")
        #expect(method.errorText.contains("the filter 'method == POST' finds 1 entry"), "\(method)")
    }

    @Test("--follow prints new traffic")
    func follow() async throws {
        let binary = try binary()
        try await SpawnedProcess.run(binary.invocation(["flows", "list", "--follow", "--json"])) { process in
            _ = try await process.line { $0.contains("\"id\":4") }
            let options = CaptureStore.Options(path: binary.directory.file("pinhole.sqlite"))
            let store = try CaptureStore.open(options, now: Timestamp(seconds: 1_700_000_000))
            store.record([.exchange(try Self.exchange(store.nextID(), "PUT", 201))])
            store.close()
            _ = try await process.line { $0.contains("\"PUT\"") }
        }
    }

    @Test("--follow prints matches when they are known, also for old exchanges")
    func followFilter() async throws {
        let binary = try binary()
        let invocation = binary.invocation(["flows", "list", "--follow", "--json", "status == 201"])
        let path = binary.directory.file("pinhole.sqlite")
        let store = try CaptureStore.open(.init(path: path), now: Timestamp(seconds: 1_700_000_000))
        func record(_ id: Int64, _ method: String, hasEnded: Bool) throws {
            var record = try Self.exchange(id, method, 201)
            if !hasEnded { (record.outcome, record.status, record.response) = (nil, nil, nil) }
            store.record([.exchange(record)])
        }
        let first = store.nextID()
        try record(first, "FIRST", hasEnded: false)
        try await SpawnedProcess.run(invocation) { process in
            let second = store.nextID()
            try record(second, "SECOND", hasEnded: false)
            try record(store.nextID(), "THIRD", hasEnded: true)
            _ = try await process.line { $0.contains("\"THIRD\"") }
            try record(second, "SECOND", hasEnded: true)
            _ = try await process.line { $0.contains("\"SECOND\"") }
            try record(first, "FIRST", hasEnded: true)
            _ = try await process.line { $0.contains("\"FIRST\"") }
        }
        store.close()
    }

    @Test("shows an exchange, and a failed flow")
    func show() async throws {
        let binary = try binary()
        let exchange = try await binary.run("flows", "show", "2")
        #expect(exchange.isSuccess && exchange.text.contains("  Host: api.test\n"), "\(exchange)")
        #expect(
            exchange.text.contains("  hello\n") && exchange.text.contains("flow 1  down.test:443"),
            "\(exchange)"
        )
        let flow = try await binary.run("flows", "show", "4")
        #expect(flow.text.contains("outcome     dialFailed, by the server: nobody listens"), "\(flow)")
        let json = try await binary.run("flows", "show", "2", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
        #expect((object?["response"] as? [String: Any])?["bodyBase64"] as? String == "aGVsbG8=", "\(json)")
        #expect(try await binary.run("flows", "show", "99").exit == .code(1))
    }

    @Test("prints head, body and trailers separately, or a body alone")
    func parts() async throws {
        let binary = try binary()
        let store = try CaptureStore.open(
            CaptureStore.Options(path: binary.directory.file("pinhole.sqlite")),
            now: Timestamp(seconds: 1_700_000_000)
        )
        var record = try Self.exchange(5, "GET", 200)
        record.response?.trailers = Array("X-Sum: 42\r\n".utf8)
        store.record([.exchange(record)])
        store.close()
        let shown = try await binary.run("flows", "show", "5").text
        #expect(
            shown.contains("  Content-Length: 5\n\n  hello\n\ntrailers of the response\n  X-Sum: 42\n"),
            "\(shown)"
        )
        let body = try await binary.run("flows", "show", "5", "--body")
        #expect(body.output == Array("hello".utf8), "\(body)")
        let none = try await binary.run("flows", "show", "5", "--body", "--part", "request")
        #expect(none.exit == .code(1) && none.errorText.contains("to fix it: --part response"), "\(none)")
        #expect(try await binary.run("flows", "show", "4", "--body").exit == .code(1))
        for wrong in [["--part", "request"], ["--body", "--part", "both"], ["--body", "--json"]] {
            let arguments = ["flows", "show", "5"] + wrong
            let result = try await ProcessRunner.run(binary.invocation(arguments))
            #expect(result.exit == .code(2), "\(result)")
        }
    }

    @Test("exports HAR, a curl command, and bytes")
    func export() async throws {
        let binary = try binary()
        let har = try await binary.run("flows", "export", "--har", "-")
        let object = try JSONSerialization.jsonObject(with: Data(har.output)) as? [String: [String: Any]]
        #expect((object?["log"]?["entries"] as? [Any])?.count == 2, "\(har)")
        let file = try await binary.run("flows", "export", "--har", "x.har", "--status", "404")
        #expect(file.errorText == "wrote 1 exchange to x.har\n" && file.text.isEmpty, "\(file)")
        let curl = try await binary.run("flows", "export", "--curl", "2")
        #expect(curl.text.hasPrefix("curl --http1.1"), "\(curl)")
        let same = try await binary.run("flows", "export", "--curl", "status < 300", "--host", "*")
        #expect(same.text == curl.text, "\(same)")
        for words in [["last"], ["status == 404"]] {
            let curl = try await ProcessRunner.run(binary.invocation(["flows", "export", "--curl"] + words))
            #expect(curl.isSuccess && curl.text.hasPrefix("curl --http1.1"), "\(curl)")
            let code = try await ProcessRunner.run(
                binary.invocation(["flows", "export", "--language", "go", "--code"] + words)
            )
            #expect(code.isSuccess && code.text.contains("http.NewRequest"), "\(code)")
        }
        #expect(try await binary.run("flows", "export", "--curl", "2", "--host", "*").exit == .code(2))
        #expect(try await binary.run("flows", "export", "--curl", "status == 1").exit == .code(1))
        let last = try await binary.run("flows", "show", "last")
        #expect(last.isSuccess && last.text.hasPrefix("flow 4 "), "\(last)")
        let raw = try await binary.run("flows", "export", "--raw", "2", "--part", "response")
        #expect(raw.text == "HTTP/1.1 200 X\r\nContent-Length: 5\r\n\r\nhello", "\(raw)")
        #expect(try await binary.run("flows", "export", "--raw", "99").exit == .code(1))
    }

    @Test("an export never takes the place of a capture", arguments: ["", "-wal", "-shm"])
    func exportOntoCapture(suffix: String) async throws {
        let binary = try binary()
        let before = try binary.directory.read("pinhole.sqlite")
        for option in ["--har", "--output"] {
            let format = option == "--har" ? [] : ["--format", "csv"]
            let result = try await ProcessRunner.run(
                binary.invocation(["flows", "export"] + format + [option, "pinhole.sqlite\(suffix)"])
            )
            #expect(result.exit == .code(3) && result.errorText.contains("name another file"), "\(result)")
        }
        #expect(try binary.directory.read("pinhole.sqlite") == before)
    }

    /// A capture with a WebSocket, exchange 2, that has `count` messages of the server and a close.
    private func webSocket(_ count: Int64) throws -> PinholeBinary {
        let binary = try PinholeBinary()
        let options = CaptureStore.Options(path: binary.directory.file("pinhole.sqlite"))
        let store = try CaptureStore.open(options, now: Timestamp(seconds: 1_700_000_000))
        var exchange = try Self.exchange(2, "GET", 101)
        exchange.notes = [.upgraded, .webSocket, .webSocketBroken]
        store.record([.flow(Self.flow(1, .completed)), .exchange(exchange)])
        for number in 1...count {
            store.record([.webSocketMessage(Self.message(number, .text, "line \(number)\u{1b}[31m"))])
        }
        var binaryMessage = Self.message(count + 1, .binary, "\u{0}\u{1}")
        binaryMessage.sender = .client
        binaryMessage.length = 70_000
        binaryMessage.isComplete = false
        store.record([
            .webSocketMessage(binaryMessage),
            .webSocketMessage(Self.message(count + 2, .close, "\u{3}\u{0}bye")),
        ])
        store.close()
        return binary
    }

    private static func message(
        _ number: Int64,
        _ kind: WebSocketMessage.Kind,
        _ text: String
    ) -> WebSocketMessage {
        var message = WebSocketMessage(
            exchange: ExchangeID(rawValue: 2),
            number: number,
            sender: .server,
            kind: kind,
            started: Timestamp(seconds: 1_700_000_000) + .milliseconds(number)
        )
        message.inline = Array(text.utf8)
        message.length = Int64(text.utf8.count)
        message.capturedLength = message.length
        message.isComplete = true
        return message
    }

    @Test("shows the messages of a WebSocket, the first ones, and counts them in the list")
    func messages() async throws {
        let binary = try webSocket(60)
        let listed = try await binary.run("flows", "list").text
        #expect(listed.contains(/WebSocket, 62 messages of [1-9][0-9.]* K?B, protocol broken/))
        let shown = try await binary.run("flows", "show", "2").text
        #expect(shown.contains("WebSocket  62 messages: → from the client, ← from the server"))
        #expect(shown.contains("  ← 1.0 ms  text  11 B  line 1\\u{1b}[31m\n"))
        #expect(shown.contains("line 50") && !shown.contains("line 51"))
        #expect(shown.contains("[… 12 more; --messages 62]"))
        let all = try await binary.run("flows", "show", "2", "--messages", "62").text
        #expect(all.contains("  →  61 ms  binary  70.0 KB  00 01  [2 B recorded]  [cut off]\n"))
        #expect(all.contains("  ←  62 ms  close       5 B  768 bye\n") && !all.contains(" more;"))
        let bad = try await binary.run("flows", "show", "2", "--messages", "-1")
        #expect(bad.exit == .code(2))
    }

    @Test("prints messages as JSON, all of them or as many as are asked for")
    func messagesAsJSON() async throws {
        let binary = try webSocket(60)
        for (words, count) in [([], 62), (["--messages", "2"], 2)] {
            let text = try await ProcessRunner.run(
                binary.invocation(["flows", "show", "2", "--json"] + words)
            ).text
            let detail = try #require(
                try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            )
            let messages = try #require(detail["messages"] as? [[String: Any]])
            #expect(messages.count == count)
            #expect(messages.first?["kind"] as? String == "text")
            #expect(messages.first?["sender"] as? String == "server")
            #expect(messages.first?["text"] as? String == "line 1\u{1b}[31m")
            #expect((detail["exchange"] as? [String: Any])?["messages"] as? Int == 62)
            guard count == 62 else { continue }
            #expect(messages[60]["base64"] as? String == "AAE=" && messages[60]["bytes"] as? Int == 70_000)
            #expect(
                messages[61]["closeCode"] as? Int == 768 && messages[61]["closeReason"] as? String == "bye"
            )
        }
    }

    @Test(
        "a filter without matches suggests one with matches, and their number",
        arguments: [
            (["list", "host == api"], "the filter 'host contains api' finds 2 entries"),
            (["show", "path == item & status == 404"], "'path contains item & status == 404' finds 1 entry"),
            (
                ["save", "method == PUT & status == 200", "--into", "a.sqlite"],
                "'status == 200' finds 1 entry"
            ),
            (["list", "method == TLS & status == 200"], "finds"),
            (["list", "body contains nowhere"], "“pinhole flows list” shows every exchange"),
        ]
    )
    func suggestions(_ arguments: [String], _ expected: String) async throws {
        let binary = try binary()
        let result = try await ProcessRunner.run(binary.invocation(["flows"] + arguments))
        #expect(result.exit == .code(1) && result.errorText.contains(expected), "\(result)")
    }

    @Test("an empty capture is called that")
    func emptyCapture() async throws {
        let binary = try PinholeBinary()
        let options = CaptureStore.Options(path: binary.directory.file("pinhole.sqlite"))
        try CaptureStore.open(options, now: Timestamp(seconds: 1_700_000_000)).close()
        let result = try await binary.run("flows", "list", "host == api")
        #expect(result.exit == .code(1) && result.errorText.contains("the capture is empty"), "\(result)")
    }
}
