import Foundation
import PinholeModel
import PinholeStore
import Testing

@Suite("HARExport")
struct HARExportTests {
    /// A capture with one exchange of every kind that HAR treats apart.
    private static func exchanges() throws -> [ExchangeRecord] {
        let form = try ExchangeRecord.sample(
            2,
            method: "POST",
            path: "/f?q=a%20b&q=2&flag",
            requestFields: "Content-Type: application/x-www-form-urlencoded\r\nCookie: a=b; c=d=e\r\n",
            requestBody: Array("name=J%C3%BCrgen+M&x=".utf8),
            responseHead: "HTTP/1.1 302 Found\r\nLocation: /next\r\n"
                + "Set-Cookie: s=1; Path=/; HttpOnly; Secure; Expires=Wed, 09 Jun 2021 10:18:14 GMT\r\n\r\n",
            responseBody: []
        )
        let gzip = try ExchangeRecord.sample(
            3,
            responseHead: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\n\r\n",
            responseBody: [
                0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0x4b, 0x4c, 2, 0, 0x6d, 0x48, 0x83, 0x9e, 2, 0, 0, 0,
            ]
        )
        let binary = try ExchangeRecord.sample(4, responseBody: [0xff, 0xd8, 0x00])
        var broken = gzip
        broken.id = ExchangeID(rawValue: 5)
        broken.response?.body = .whole([1, 2, 3])
        var refused = try ExchangeRecord.sample(6)
        refused.response = nil
        refused.status = nil
        refused.outcome = .failed("no route to host")
        var truncated = try ExchangeRecord.sample(7)
        truncated.response?.body.length = 1_000_000
        return [form, gzip, binary, broken, refused, truncated]
    }

    private func export(_ flows: [FlowRecord], _ exchanges: [ExchangeRecord]) throws -> ScratchDirectory {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        store.record(flows.map { .flow($0) } + exchanges.map { .exchange($0) })
        store.close()
        let path = scratch.path + "/out.har"
        try Data().write(to: URL(filePath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        let count = try HARExport(CaptureReader(path: scratch.capture)).write(to: file.fileDescriptor)
        #expect(count == exchanges.count)
        return scratch
    }

    private func log(_ scratch: ScratchDirectory) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: scratch.path + "/out.har"))
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return try #require(root["log"] as? [String: Any])
    }

    @Test("writes texts in the characters that their declared encoding means")
    func encodings() throws {
        let record = try ExchangeRecord.sample(
            2,
            responseHead: "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n",
            responseBody: [0x63, 0x61, 0x66, 0xe9]
        )
        let scratch = try export([.sample(1)], [record])
        let entries = try #require(try log(scratch)["entries"] as? [[String: Any]])
        let content = (entries.first?["response"] as? [String: Any])?["content"] as? [String: Any]
        #expect(content?["text"] as? String == "café" && content?["encoding"] == nil)
        #expect(content?["size"] as? Int == 4)
    }

    @Test("writes URLs as RFC 3986 has them, byte by byte")
    func urls() throws {
        var raw = try ExchangeRecord.sample(1, path: "/\u{fffd}|é")
        raw.request.head =
            Array("GET /".utf8) + [0xff] + Array("|é HTTP/1.1\r\nHost: example.com\r\n\r\n".utf8)
        var odd = try ExchangeRecord.sample(2, path: "redir/x")
        odd.request.head = Array("GET redir/x HTTP/2\r\n\r\n".utf8)
        let entries = try log(try export([], [raw, odd]))["entries"] as? [[String: Any]]
        let urls = entries?.compactMap { ($0["request"] as? [String: Any])?["url"] as? String } ?? []
        #expect(
            urls.map { $0.split(separator: "/").dropFirst(2).joined(separator: "/") } == [
                "%FF%7C%C3%A9", "redir/x",
            ]
        )
        #expect(urls.allSatisfy { $0.hasPrefix("https://example.com/") }, "\(urls)")
    }

    @Test("writes the messages of a WebSocket as Chromium does")
    func webSocket() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        let extensions = "Sec-WebSocket-Extensions: permessage-deflate\r\n"
        var cut = WebSocketTranscriptTests.message(3, .text, [0xff], from: .client)
        cut.isComplete = false
        cut.notes = [.invalidText]
        store.record([
            .exchange(try WebSocketTranscriptTests.opening(extensions: extensions)),
            .webSocketMessage(
                WebSocketTranscriptTests.message(
                    1,
                    .text,
                    [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00],
                    from: .client,
                    isCompressed: true
                )
            ),
            .webSocketMessage(WebSocketTranscriptTests.message(2, .binary, [0, 255])),
            .webSocketMessage(cut), .webSocketMessage(WebSocketTranscriptTests.message(4, .unread, [1])),
        ])
        store.close()
        let path = scratch.path + "/out.har"
        try Data().write(to: URL(filePath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        try HARExport(CaptureReader(path: scratch.capture)).write(to: file.fileDescriptor)
        let entries = try #require(try log(scratch)["entries"] as? [[String: Any]])
        let messages = try #require(entries.first?["_webSocketMessages"] as? [[String: Any]])
        #expect(entries.first?["_resourceType"] as? String == "websocket")
        #expect(messages.map { $0["type"] as? String } == ["send", "receive", "send"])
        #expect(messages.map { $0["opcode"] as? Int } == [1, 2, 1])
        #expect(messages.map { $0["data"] as? String } == ["Hello", "AP8=", "/w=="])
        #expect(messages.first?["time"] as? Double == 1_767_323_045.679901)
        #expect(messages.last?["_incomplete"] as? Bool == true)
        #expect(messages.last?["_notes"] as? [String] == ["invalidText"])
    }

    @Test("writes every field that HAR 1.2 requires")
    func shape() throws {
        let scratch = try export([.sample(1), .failed(99)], Self.exchanges())
        let log = try log(scratch)
        #expect(log["version"] as? String == "1.2")
        #expect((log["creator"] as? [String: Any])?["name"] as? String == "Pinhole")
        let entries = try #require(log["entries"] as? [[String: Any]])
        for entry in entries {
            let request = try #require(entry["request"] as? [String: Any])
            let response = try #require(entry["response"] as? [String: Any])
            let timings = try #require(entry["timings"] as? [String: Double])
            for key in ["method", "url", "httpVersion"] { #expect(request[key] is String) }
            for key in ["cookies", "headers", "queryString"] { #expect(request[key] is [[String: Any]]) }
            for key in ["statusText", "httpVersion", "redirectURL"] { #expect(response[key] is String) }
            for key in ["headersSize", "bodySize"] { #expect(request[key] is Int && response[key] is Int) }
            let content = try #require(response["content"] as? [String: Any])
            #expect(content["size"] is Int && content["mimeType"] is String)
            #expect(entry["cache"] is [String: Any])
            for key in ["send", "wait", "receive"] { #expect(try #require(timings[key]) >= 0) }
            for key in ["blocked", "dns", "connect", "ssl"] { #expect(try #require(timings[key]) >= -1) }
            let sum = timings.filter { $0.key != "ssl" && $0.value >= 0 }.values.reduce(0, +)
            #expect(abs(sum - (try #require(entry["time"] as? Double))) < 0.001)
            #expect(entry["startedDateTime"] as? String == "2026-01-02T03:04:05.678901+00:00")
            #expect(entry["serverIPAddress"] as? String == "192.0.2.7")
        }
        let failed = try #require(log["_failedHandshakes"] as? [[String: Any]])
        #expect(failed.count == 1)
        #expect(failed.first?["alert"] as? String == "unknown_ca (48)")
    }

    @Test("reads forms, cookies, codings, binaries and missing members")
    func values() throws {
        let scratch = try export([.sample(1)], Self.exchanges())
        let entries = try #require(try log(scratch)["entries"] as? [[String: Any]])
        let requests = entries.compactMap { $0["request"] as? [String: Any] }
        let responses = entries.compactMap { $0["response"] as? [String: Any] }
        let contents = responses.compactMap { $0["content"] as? [String: Any] }
        try #require(requests.count == 6 && contents.count == 6)
        let pairs = { (value: Any?) in
            (value as? [[String: Any]] ?? []).map { "\($0["name"] ?? "")=\($0["value"] ?? "")" }
        }
        #expect(pairs(requests[0]["queryString"]) == ["q=a b", "q=2", "flag="])
        #expect(
            pairs((requests[0]["postData"] as? [String: Any])?["params"]) == ["name=J\u{fc}rgen M", "x="]
        )
        #expect(pairs(requests[0]["cookies"]) == ["a=b", "c=d=e"])
        let cookie = try #require((responses[0]["cookies"] as? [[String: Any]])?.first)
        #expect(cookie["expires"] as? String == "2021-06-09T10:18:14.000000+00:00")
        #expect(cookie["httpOnly"] as? Bool == true && cookie["secure"] as? Bool == true)
        #expect(responses[0]["redirectURL"] as? String == "/next")
        #expect(contents[1]["text"] as? String == "ab")
        #expect(contents[1]["size"] as? Int == 2 && contents[1]["compression"] as? Int == -20)
        #expect(contents[2]["text"] as? String == "/9gA" && contents[2]["encoding"] as? String == "base64")
        #expect(contents[3]["text"] as? String == "AQID")
        #expect((contents[3]["comment"] as? String)?.hasPrefix("Not decoded") == true)
        #expect(responses[4]["status"] as? Int == 0 && entries[4]["_detail"] as? String == "no route to host")
        #expect(entries[5]["_truncated"] as? Bool == true && contents[5]["size"] as? Int == 1_000_000)
    }

    /// What `set` makes of the timings of an exchange on a connection whose set-up took 500 ms, and its flow.
    private func timed(_ set: (inout ExchangeRecord, inout FlowRecord) -> Void) throws -> [String: Any] {
        var exchange = try ExchangeRecord.sample(2, after: .seconds(1))
        let started = exchange.timings.started
        exchange.timings.blocked = .zero
        exchange.timings.connect = .milliseconds(100)
        exchange.timings.tls = .milliseconds(400)
        exchange.timings.requestEnded = started + .milliseconds(1)
        exchange.timings.responseStarted = started + .milliseconds(301)
        exchange.timings.ended = started + .milliseconds(302)
        var flow = FlowRecord.sample(1)
        set(&exchange, &flow)
        return try #require((try log(try export([flow], [exchange]))["entries"] as? [[String: Any]])?.first)
    }

    @Test(
        "waits from the request on, where the connection stood before it",
        arguments: [true, false]
    )
    func setUpBefore(isLong: Bool) throws {
        let entry = try timed { exchange, flow in
            if isLong {
                flow.serverHandshake = nil
                return
            }
            // Shorter than the answer took: that it was before is known by the handshake.
            exchange.timings.tls = .milliseconds(20)
            flow.serverHandshake?.duration = .milliseconds(20)
        }
        let setUp: Double = isLong ? 500 : 120
        let timings = try #require(entry["timings"] as? [String: Double])
        #expect(timings["connect"] == setUp && timings["ssl"] == setUp - 100)
        #expect(timings["send"] == 1 && timings["wait"] == 300 && timings["receive"] == 1)
        #expect(entry["time"] as? Double == setUp + 302)
        let began = isLong ? "06.178901" : "06.558901"
        #expect(entry["startedDateTime"] as? String == "2026-01-02T03:04:\(began)+00:00")
    }

    @Test("counts a set-up that the request waited for as a part of it")
    func setUpWithin() throws {
        let entry = try timed { exchange, flow in
            let started = exchange.timings.started
            exchange.timings.requestEnded = started + .milliseconds(501)
            exchange.timings.responseStarted = started + .milliseconds(801)
            exchange.timings.ended = started + .milliseconds(802)
            flow.serverHandshake?.started = started + .milliseconds(100)
            flow.serverHandshake?.duration = .milliseconds(400)
        }
        let timings = try #require(entry["timings"] as? [String: Double])
        #expect(timings["connect"] == 500 && timings["send"] == 1 && timings["wait"] == 300)
        #expect(entry["time"] as? Double == 802)
        #expect(entry["startedDateTime"] as? String == "2026-01-02T03:04:06.678901+00:00")
    }

    private static let python = ProcessInfo.processInfo.environment["PINHOLE_TEST_PYTHON"] ?? "python3"
    private static let hasReader =
        (try? run("/usr/bin/env", [python, "-c", "import haralyzer"]).status) == 0

    @Test("is read by haralyzer, an independent reader", .enabled(if: hasReader))
    func independentReader() throws {
        let scratch = try export([.sample(1)], Self.exchanges())
        let script = """
            import json, sys
            from haralyzer import HarParser
            with open(sys.argv[1]) as file:
                har = HarParser(json.load(file))
            assert har.version == "1.2" and har.creator["name"] == "Pinhole"
            entries = [entry for page in har.pages for entry in page.entries]
            assert len(entries) == 6, len(entries)
            for entry in entries:
                assert entry.startTime is not None and entry.startTime.tzinfo is not None
                assert entry.request.url.startswith("https://example.com/")
                assert entry.request.headers and entry.time >= 0
                entry.response.bodySize, entry.response.text, entry.serverAddress, entry.port
            print(entries[1].response.text, entries[0].request.mimeType, entries[0].response.redirectURL)
            """
        let (status, output) = try run(
            "/usr/bin/env",
            [Self.python, "-c", script, scratch.path + "/out.har"]
        )
        #expect(status == 0)
        #expect(String(decoding: output, as: UTF8.self) == "ab application/x-www-form-urlencoded /next\n")
    }

    @Test("fails with a reason when the output cannot be written")
    func outputFails() throws {
        let scratch = try ScratchDirectory()
        try CaptureStore.open(.init(path: scratch.capture), now: epoch).close()
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        #expect(throws: CaptureFailure.output("No space left on device")) {
            try HARExport(CaptureReader(path: scratch.capture)).write(to: full.fileDescriptor)
        }
    }
}
