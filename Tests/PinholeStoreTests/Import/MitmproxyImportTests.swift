import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite("Import of mitmproxy flows")
struct MitmproxyImportTests {
    private static let python = ProcessInfo.processInfo.environment["PINHOLE_TEST_PYTHON"] ?? "python3"
    private static let hasMitmproxy =
        (try? run("/usr/bin/env", [python, "-c", "import mitmproxy.io"]).status) == 0

    @Test(
        "an export that mitmproxy reads and writes again is imported unchanged",
        .enabled(if: hasMitmproxy)
    )
    func both() throws {
        let stage = try RoundTripStage()
        let path = try stage.export(.mitmproxy)
        let script = """
            import sys
            from mitmproxy.io import FlowReader, FlowWriter
            with open(sys.argv[1], "rb") as source, open(sys.argv[2], "wb") as target:
                writer = FlowWriter(target)
                for flow in FlowReader(source).stream():
                    response = flow.response
                    print(flow.request.method, flow.request.url, flow.request.http_version,
                          response.status_code if response else None,
                          len(response.get_content(strict=False) or b"") if response else 0,
                          len(flow.websocket.messages) if flow.websocket else 0, flow.marked, flow.comment)
                    for certificate in flow.server_conn.certificate_list: certificate.subject
                    writer.add(flow)
            """
        let again = stage.source.path + "/again.mitm"
        let (status, output) = try run("/usr/bin/env", [Self.python, "-c", script, path, again])
        #expect(status == 0)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains("GET https://example.com/gzip HTTP/1.1 200 2 0"), "\(text)")
        #expect(text.contains("GET https://example.com/h2 HTTP/2.0 200 5 0"), "\(text)")
        #expect(text.contains(":default: a remark"), "\(text)")
        let target = try ImportStage()
        let (summary, failure) = try target.load(path: again)
        #expect(failure == nil && summary.leftOut == 0)
        let direct = try ImportStage()
        _ = try direct.load(path: path)
        #expect(try target.exchanges() == direct.exchanges())
    }

    @Test("reads recordings of mitmproxy", .enabled(if: hasMitmproxy))
    func theirs() throws {
        let stage = try ImportStage()
        let path = stage.scratch.path + "/theirs.mitm"
        let script = """
            import sys
            from mitmproxy.io import FlowWriter
            from mitmproxy.test import tflow
            with open(sys.argv[1], "wb") as file:
                writer = FlowWriter(file)
                flow = tflow.tflow(resp=True)
                flow.marked, flow.comment = ":red:", "look"
                flow.response.headers["content-encoding"] = "gzip"
                flow.response.content = b"zipped"
                writer.add(flow)
                writer.add(tflow.tflow(err=True))
                writer.add(tflow.twebsocketflow())
                writer.add(tflow.ttcpflow())
                writer.add(tflow.tdnsflow())
            """
        #expect(try run("/usr/bin/env", [Self.python, "-c", script, path]).status == 0)
        let (summary, failure) = try stage.load(path: path)
        #expect(failure == nil && summary.exchanges == 3 && summary.leftOut == 2, "\(summary)")
        let exchanges = try stage.exchanges()
        #expect(exchanges[0].content == Array("zipped".utf8) && exchanges[0].isMarked)
        #expect(exchanges[0].comment == "look" && exchanges[0].url == "http://address:22/path")
        #expect(exchanges[1].outcome == .failed("error") && exchanges[1].status == nil)
        #expect(
            exchanges[2].messages.map(\.content)
                == ["hello binary", "hello text", "it's me", "\u{3}\u{e8}"].map { Array($0.utf8) }
                .dropLast() + [[0x03, 0xe8]]
        )
    }

    /// A typed netstring.
    private static func netstring(_ payload: String, _ type: Character = "}") -> String {
        "\(payload.utf8.count):\(payload)\(type)"
    }

    private static func dictionary(_ members: [(String, String)]) -> String {
        netstring(members.map { netstring($0.0, ";") + $0.1 }.joined())
    }

    @Test("reads an old format by the names that its members had", arguments: [4, 8, 12, 18, 20])
    func old(_ version: Int) throws {
        let text = { Self.netstring($0, ",") }
        let request = Self.dictionary([
            ("method", text("GET")), ("scheme", text("https")), ("host", text("a.test")),
            ("port", Self.netstring("8443", "#")), ("path", text("/p")), ("http_version", text("HTTP/1.1")),
            ("headers", Self.netstring(Self.netstring(text("Host") + text("a.test"), "]"), "]")),
            ("content", Self.netstring("", "~")), ("timestamp_start", Self.netstring("1700000000.5", "^")),
        ])
        let server = Self.dictionary([
            (
                version < 19 ? "ip_address" : "peername",
                Self.netstring(Self.netstring("192.0.2.7", ";") + Self.netstring("8443", "#"), "]")
            )
        ])
        let flow = Self.dictionary([
            ("version", Self.netstring("\(version)", "#")), ("type", Self.netstring("http", ";")),
            ("request", request), ("response", Self.netstring("", "~")), ("server_conn", server),
            ("marked", version < 13 ? Self.netstring("true", "!") : Self.netstring(":x:", ";")),
        ])
        let stage = try ImportStage()
        let (summary, failure) = try stage.load(flow.utf8)
        #expect(failure == nil && summary.exchanges == 1 && summary.remarks == [], "\(summary)")
        let exchange = try #require(try stage.exchanges().first)
        #expect(exchange.url == "https://a.test:8443/p" && exchange.isMarked)
        #expect(
            exchange.server == "192.0.2.7:8443"
                && exchange.timings.started.microseconds == 1_700_000_000_500_000
        )
    }

    @Test("a flow without a start time is reported", arguments: [nil, "-1"])
    func noDate(_ started: String?) throws {
        let text = { Self.netstring($0, ",") }
        var request = [
            ("method", text("GET")), ("scheme", text("http")), ("host", text("a.test")),
            ("port", Self.netstring("80", "#")), ("path", text("/")), ("http_version", text("HTTP/1.1")),
            ("headers", Self.netstring("", "]")), ("content", Self.netstring("", "~")),
        ]
        if let started { request.append(("timestamp_start", Self.netstring(started, "^"))) }
        let flow = Self.dictionary([
            ("version", Self.netstring("20", "#")), ("type", Self.netstring("http", ";")),
            ("request", Self.dictionary(request)), ("response", Self.netstring("", "~")),
        ])
        let (summary, failure) = try ImportStage().load(flow.utf8)
        #expect(failure == nil && summary.exchanges == 1)
        let expected = "request.timestamp_start: expected seconds since 1970, found \(started ?? "nothing")"
        #expect(summary.remarks.first?.contains(expected) == true, "\(summary)")
    }

    /// The two flows of a WebSocket, as mitmproxy 4 to 6 wrote them; that of the handshake also has a list of nulls.
    private static func webSocket(
        _ version: Int,
        id: String,
        handshake: String? = nil,
        nulls: Int = 0
    ) -> (String, String) {
        let text = { netstring($0, ",") }
        let fields = netstring(netstring(text("upgrade") + text("websocket"), "]"), "]")
        let http = dictionary([
            ("version", netstring("\(version)", "#")), ("type", netstring("http", ";")),
            ("id", netstring(id, ";")), ("metadata", dictionary([("websocket", netstring("true", "!"))])),
            ("nulls", netstring(String(repeating: "0:~", count: nulls), "]")),
            (
                "request",
                dictionary([
                    ("method", text("GET")), ("scheme", text("http")), ("host", text("a.test")),
                    ("port", netstring("80", "#")), ("path", text("/\(id)")),
                    ("http_version", text("HTTP/1.1")), ("headers", fields), ("content", text("")),
                    ("timestamp_start", netstring("1700000000.5", "^")),
                ])
            ),
            (
                "response",
                dictionary([
                    ("status_code", netstring("101", "#")), ("reason", text("Switching Protocols")),
                    ("http_version", text("HTTP/1.1")), ("headers", fields), ("content", text("")),
                ])
            ),
        ])
        let message = { (opcode: String, isClient: String, content: String, time: String) in
            // Version 4 of mitmproxy has four parts; the fifth, whether it was killed, came with version 5.
            netstring(
                netstring(opcode, "#") + netstring(isClient, "!") + content + netstring(time, "^")
                    + (version < 7 ? "" : netstring("true", "!")),
                "]"
            )
        }
        let messages = dictionary([
            ("version", netstring("\(version)", "#")), ("type", netstring("websocket", ";")),
            ("id", netstring("w\(id)", ";")),
            ("metadata", dictionary([("websocket_handshake", netstring(handshake ?? id, ";"))])),
            (
                "messages",
                netstring(
                    message("1", "true", netstring("hello", ";"), "1700000001.0")
                        + message("2", "false", netstring("\u{1}\u{2}", ","), "1700000002.0"),
                    "]"
                )
            ),
            ("close_sender", netstring("server", ";")), ("close_code", netstring("1001", "#")),
            ("close_message", netstring("bye", ";")), ("close_reason", netstring("GOING_AWAY", ";")),
            ("server_conn", dictionary([("timestamp_end", netstring("1700000003.0", "^"))])),
        ])
        return (http, messages)
    }

    @Test(
        "messages of old formats are joined to their handshake, whichever comes first",
        arguments: [4, 5, 6, 7, 9, 11],
        [false, true]
    )
    func webSockets(_ version: Int, _ isReversed: Bool) throws {
        let stage = try ImportStage()
        let (one, ones) = Self.webSocket(version, id: "1")
        let (two, twos) = Self.webSocket(version, id: "2")
        let file = isReversed ? [twos, two, ones, one] : [one, two, twos, ones]
        let (summary, failure) = try stage.load(file.joined().utf8)
        #expect(failure == nil && summary.exchanges == 2 && summary.leftOut == 0, "\(summary)")
        #expect(summary.remarks == [])
        let exchanges = try stage.exchanges()
        #expect(Set(exchanges.map(\.path)) == ["/1", "/2"])
        for exchange in exchanges {
            #expect(exchange.notes.contains(.webSocket) && exchange.status == 101)
            #expect(exchange.messages.map(\.sender) == [.client, .server, .server])
            #expect(exchange.messages.map(\.kind) == [.text, .binary, .close])
            #expect(
                exchange.messages.map(\.content)
                    == [Array("hello".utf8), [1, 2], [0x03, 0xe9] + Array("bye".utf8)]
            )
            #expect(exchange.messages.first?.notes == (version < 7 ? [] : [.dropped]))
            #expect(exchange.messages.last?.started.microseconds == 1_700_000_003_000_000)
        }
    }

    @Test("messages without their handshake are left out and counted, a handshake without messages is read")
    func halfWebSockets() throws {
        let stage = try ImportStage()
        let (one, _) = Self.webSocket(5, id: "1")
        let (_, lost) = Self.webSocket(5, id: "2", handshake: "3")
        let (summary, failure) = try stage.load((lost + one + lost).utf8)
        #expect(failure == nil && summary.exchanges == 1 && summary.leftOut == 2, "\(summary)")
        #expect(summary.remarks.first?.contains("whose handshake is not in the file") == true)
        #expect(try stage.exchanges().map(\.path) == ["/1"])
        // Beyond the bound, nothing is held: the handshake is read at once.
        var limits = ImportLimits()
        limits.textBytes = 2000
        let small = try ImportStage()
        let (two, twos) = Self.webSocket(5, id: "2")
        let bounded = try small.load((one + two + twos).utf8, limits: limits).summary
        #expect(bounded.exchanges == 2 && bounded.leftOut == 1, "\(bounded)")
        // Short values take more memory than bytes of the file.
        limits.textBytes = 1_000_000
        let (large, messages) = Self.webSocket(5, id: "1", nulls: 20_000)
        let counted = try ImportStage().load((large + messages).utf8, limits: limits).summary
        #expect(counted.exchanges == 1 && counted.leftOut == 1, "\(counted)")
    }

    @Test("a flow of a mitmproxy before 4 is left out with a remedy")
    func ancient() throws {
        let version = Self.netstring(["3", "0", "0"].map { Self.netstring($0, "#") }.joined(), "]")
        let (summary, failure) = try ImportStage().load(Self.dictionary([("version", version)]).utf8)
        #expect(failure == nil && summary.leftOut == 1)
        #expect(summary.remarks.first?.contains("mitmdump -nr OLD -w NEW") == true)
    }

    @Test(
        "a hostile file ends with a reason",
        arguments: [
            ("999999999999:x,", "MiB"), ("9999999999999:x,", "digits"), ("5:abc", "the end of the file"),
            ("3:abc?", "type"), ("9:8:7:6:5:]]]]]", "a length"), ("5:hello", "the end of the file"),
            ("4:truu!", "type"), ("30:999999999999999999999999999999#", "a number"), ("3:nan^", "a number"),
            ("1:", "the end of the file"), ("4:0:~~}", "a name"), ("8:0:~1:a,~}", "a name"),
        ]
    )
    func hostile(_ content: String, _ expected: String) throws {
        let failure = try ImportStage().load(content.utf8).failure
        guard case .malformed = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(failure?.description.contains(expected) == true, "\(String(describing: failure))")
    }

    @Test("nesting and numbers of values are bounded")
    func bounded() throws {
        var deep = "0:~"
        for _ in 0..<200 { deep = Self.netstring(deep, "]") }
        #expect(try ImportStage().load(deep.utf8).failure?.description.contains("levels") == true)
        var limits = ImportLimits()
        limits.values = 1000
        let wide = Self.netstring(String(repeating: "0:~", count: 2000), "]")
        #expect(
            try ImportStage().load(wide.utf8, limits: limits).failure?.description.contains("values") == true
        )
    }

    @Test("bytes that are changed at random end in exchanges or a reason", arguments: 0..<10)
    func mutated(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let path = try RoundTripStage().export(.mitmproxy, keeping: true)
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        try FileManager.default.removeItem(atPath: path)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let stage = try ImportStage()
        let (summary, _) = try stage.load(bytes)
        #expect(try stage.exchanges().count == summary.exchanges)
    }
}
