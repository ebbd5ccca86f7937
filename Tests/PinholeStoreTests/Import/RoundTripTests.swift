import Foundation
import PinholeFilter
import PinholeModel
import PinholeStore
import Testing

/// A capture with one exchange of every kind.
struct RoundTripStage {
    enum Format: CaseIterable { case har, mitmproxy }

    let source: ScratchDirectory

    init(_ events: [FlowEvent]? = nil) throws {
        source = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: source.capture), now: epoch)
        store.record(try events ?? Self.events())
        store.close()
        _ = try CaptureEditor(path: source.capture).note(2) { note in
            note.isMarked = true
            note.comment = "a remark"
        }
    }

    /// Writes the capture's exchanges.
    ///
    /// - Returns: The path of the file; with `keeping`, one that outlives the stage.
    func export(_ format: Format, keeping: Bool = false) throws -> String {
        let name = "/pinhole-\(UUID().uuidString)"
        let path = (keeping ? NSTemporaryDirectory() : source.path) + name
        try Data().write(to: URL(filePath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        let reader = try CaptureReader(path: source.capture)
        if format == .har {
            try HARExport(reader).write(to: file.fileDescriptor)
            return path
        }
        var output = FileOutput(file.fileDescriptor)
        for summary in try reader.exchanges(order: .oldestFirst, limit: 1000) {
            let record = try #require(try reader.exchange(summary.id))
            try MitmproxyExport(reader).write(record, try reader.note(record.id.rawValue), to: &output)
        }
        try output.flush()
        return path
    }

    /// Exchanges of HTTP/1.1, whole and not.
    private static func ordinary() throws -> [ExchangeRecord] {
        var form = try ExchangeRecord.sample(
            3,
            method: "POST",
            path: "/f?q=a%20b&q=2&flag",
            requestFields: "Content-Type: application/x-www-form-urlencoded\r\nCookie: a=b; c=d=e\r\n",
            requestBody: Array("name=J%C3%BCrgen+M&x=".utf8),
            responseHead:
                "HTTP/1.1 302 Found\r\nLocation: /next\r\nSet-Cookie: s=1\r\nSet-Cookie: t=2\r\n\r\n",
            responseBody: []
        )
        form.timings.resolve = .microseconds(110)
        form.timings.connect = .microseconds(220)
        form.timings.tls = .microseconds(330)
        let gzip = try ExchangeRecord.sample(
            4,
            path: "/gzip",
            responseHead: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\n\r\n",
            responseBody: [
                0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0x4b, 0x4c, 2, 0, 0x6d, 0x48, 0x83, 0x9e, 2, 0, 0, 0,
            ]
        )
        let binary = try ExchangeRecord.sample(
            5,
            method: "PUT",
            requestBody: [0, 0xff, 0x80],
            responseBody: [0xff, 0xd8, 0x00]
        )
        var broken = gzip
        broken.id = ExchangeID(rawValue: 6)
        broken.response?.body = .whole([1, 2, 3])
        var refused = try ExchangeRecord.sample(7)
        refused.response = nil
        refused.status = nil
        refused.timings.responseStarted = nil
        refused.outcome = .failed("no route to host")
        var truncated = try ExchangeRecord.sample(8)
        truncated.response?.body.length = 1_000_000
        truncated.response?.body.isComplete = false
        truncated.outcome = .aborted(by: .client, "it went away")
        return [form, gzip, binary, broken, refused, truncated] + (try encoded())
    }

    /// Exchanges with texts in other encodings than UTF-8: one that can be undone, and two that cannot.
    private static func encoded() throws -> [ExchangeRecord] {
        try [
            (15, "windows-1252", [0x63, 0x61, 0x66, 0xe9, 0x80]), (16, "shift_jis", [0x93]),
            (17, "klingon", Array("é".utf8)),
        ].map { (id: Int64, charset, body: [UInt8]) in
            try .sample(
                id,
                method: "POST",
                path: "/\(charset)",
                requestFields: "Content-Type: text/plain; charset=\(charset)\r\n",
                requestBody: body,
                responseHead: "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=\(charset)\r\n\r\n",
                responseBody: body
            )
        }
    }

    private static func events() throws -> [FlowEvent] {
        var trailers = try ExchangeRecord.sample(
            9,
            responseHead: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        trailers.response?.trailers = Array("Grpc-Status: 0\r\n".utf8)
        trailers.notes = [.connectionReused, .answeredEarly]
        var second = try ExchangeRecord.sample(10, path: "/h2", responseHead: "HTTP/2 200\r\nx: y\r\n\r\n")
        second.request.head = Array(
            "GET /h2 HTTP/2\r\n:method: GET\r\n:scheme: https\r\n:authority: example.com\r\n:path: /h2\r\na: b\r\n\r\n"
                .utf8
        )
        second.status = 200
        second.proxyUser = "b\u{e9}la \"b\""
        var answered = try ExchangeRecord.sample(11, authority: "[2001:db8::1]:8443")
        answered.outcome = .answeredByProxy("blocked")
        var options = try ExchangeRecord.sample(12, method: "OPTIONS", path: "*")
        options.scheme = .http
        options.authority = try Authority("example.com:80")
        let long = try ExchangeRecord.sample(
            13,
            path: "/long",
            responseBody: Array(repeating: 0x61, count: 60_000)
        )
        var socket = try ExchangeRecord.sample(
            14,
            path: "/ws",
            responseHead: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
            responseBody: []
        )
        socket.notes = [.upgraded, .webSocket]
        var last = long
        last.response?.body.length += 300_000
        last.response?.body.capturedLength += 300_000
        var flow = FlowRecord.sample(1)
        flow.clientProcess = ClientProcess(pid: 4711, name: "a \"b\"", path: "/opt/a b/é")
        return [.flow(flow), .exchange(try .sample(2))]
            + (try ordinary() + [trailers, second, answered, options])
            .map { .exchange($0) }
            + [
                .bodyPart(last.id, .response, Array(repeating: 0x62, count: 300_000)), .exchange(last),
                .exchange(socket),
            ]
            + [
                message(1, .client, .text, Array("hé".utf8)), message(2, .server, .binary, [0, 255]),
                message(3, .server, .close, [0x03, 0xe8] + Array("bye".utf8)),
            ].map { .webSocketMessage($0) }
    }

    private static func message(
        _ number: Int64,
        _ sender: Side,
        _ kind: WebSocketMessage.Kind,
        _ payload: [UInt8]
    ) -> WebSocketMessage {
        var message = WebSocketMessage(
            exchange: ExchangeID(rawValue: 14),
            number: number,
            sender: sender,
            kind: kind,
            started: epoch + .milliseconds(10 * number)
        )
        message.inline = payload
        message.length = Int64(payload.count)
        message.capturedLength = message.length
        message.isComplete = true
        return message
    }
}

@Suite("Round trips")
struct RoundTripTests {
    @Test("capture → file → capture gives the same exchanges", arguments: RoundTripStage.Format.allCases)
    func same(_ format: RoundTripStage.Format) throws {
        let stage = try RoundTripStage()
        let before = try ExchangeTold.all(in: stage.source.capture)
        let target = try ImportStage()
        let (summary, failure) = try target.load(path: try stage.export(format))
        #expect(failure == nil && summary.exchanges == before.count && summary.leftOut == 0, "\(summary)")
        let after = try target.exchanges()
        for (before, after) in zip(before, after) {
            #expect(known(before, lostIn: format) == known(after, lostIn: format))
        }
    }

    /// What a format cannot keep: `docs/EXCHANGE.md` lists it.
    private func known(_ exchange: ExchangeTold, lostIn format: RoundTripStage.Format) -> ExchangeTold {
        var exchange = exchange
        if format == .har {
            // A stage that was never reached is 0 there.
            exchange.timings.responseStarted = nil
            // It has the server's address, not the port.
            exchange.server = exchange.server?.split(separator: ":").first.map(String.init)
        } else {
            // Only the times of a connection that was made for the exchange are kept, together.
            exchange.timings.blocked = nil
            exchange.timings.resolve = nil
            exchange.clientProcess = nil
            exchange.proxyUser = nil
        }
        return exchange
    }

    @Test("a connection that was set up before the request moves neither its beginning nor its end")
    func setUpBefore() throws {
        var exchange = try ExchangeRecord.sample(2)
        exchange.timings.connect = .seconds(1)
        exchange.timings.tls = .seconds(4)
        let stage = try RoundTripStage([.flow(.sample(1)), .exchange(exchange)])
        let target = try ImportStage()
        _ = try target.load(path: try stage.export(.har))
        let timings = try #require(try target.exchanges().first).timings
        #expect(timings.started == exchange.timings.started && timings.ended == exchange.timings.ended)
        #expect(timings.connect == .seconds(1) && timings.tls == .seconds(4))
        #expect(timings.responseStarted == exchange.timings.responseStarted)
    }

    @Test("an export of an import is the same file")
    func stable() throws {
        let stage = try RoundTripStage()
        let first = try ImportStage()
        _ = try first.load(path: try stage.export(.har))
        let second = try ImportStage()
        let path = first.scratch.path + "/again.har"
        try Data().write(to: URL(filePath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        try HARExport(CaptureReader(path: first.scratch.capture)).write(to: file.fileDescriptor)
        _ = try second.load(path: path)
        #expect(try first.exchanges() == second.exchanges())
    }

    @Test("--since finds imported rows that are older than the existing ones")
    func unordered() throws {
        let stage = try RoundTripStage()
        let target = try ImportStage()
        let old =
            #"{"startedDateTime":"2001-01-01T00:00:00Z","request":{"url":"http://a.test/","method":"GET"}}"#
        _ = try target.load(path: try stage.export(.har))
        _ = try target.load(old.utf8)
        _ = try target.load(path: try stage.export(.har))
        let reader = try CaptureReader(path: target.scratch.capture)
        let since = Filter(.number(.time, .atLeast, (epoch - .seconds(5)).microseconds))
        #expect(try reader.exchanges(ExchangeFilter(since), limit: 100).count == 32)
    }
}
