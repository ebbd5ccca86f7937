import Foundation
import PinholeContent
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@testable import PinholeFormats

@Suite("Redacted captures")
struct CaptureRedactionTests {
    private static let now = Timestamp(seconds: 1_767_323_045)

    private static func exchange(
        _ id: Int64,
        host: String = "shop.test",
        path: String = "/",
        fields: String = "",
        body: [UInt8] = [],
        response: String = "Content-Type: application/json\r\n",
        responseBody: [UInt8] = []
    ) throws -> FlowEvent {
        let head = "POST \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n"
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority(host, defaultPort: 443),
            method: "POST",
            path: path,
            request: MessageRecord(head: Array(head.utf8)),
            timings: ExchangeTimings(started: now + .seconds(id))
        )
        record.request.body = whole(body)
        record.response = MessageRecord(head: Array("HTTP/1.1 200 OK\r\n\(response)\r\n".utf8))
        record.response?.body = whole(responseBody)
        record.status = 200
        record.timings.ended = now + .seconds(id + 1)
        record.outcome = .completed
        return .exchange(record)
    }

    private static func whole(_ bytes: [UInt8]) -> BodyRecord {
        var body = BodyRecord()
        body.inline = bytes
        body.length = Int64(bytes.count)
        body.capturedLength = body.length
        body.isComplete = true
        return body
    }

    private static func flow(chain: [[UInt8]] = []) -> FlowRecord {
        var flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: now,
            client: "127.0.0.1:5",
            listener: "127.0.0.1:8080"
        )
        var handshake = HandshakeRecord(peer: .server, started: now, duration: .zero)
        handshake.presentedChain = chain
        flow.serverHandshake = handshake
        flow.reason = "the user alice@example.com said so"
        flow.outcome = Outcome(.completed, detail: "")
        return flow
    }

    private static func record(_ events: [FlowEvent], in directory: TemporaryDirectory) throws -> String {
        let path = directory.file("in.sqlite")
        let store = try CaptureStore.open(CaptureStore.Options(path: path), now: now) { _ in }
        store.record(events)
        store.flush()
        store.close()
        return path
    }

    /// The exchanges with their heads, oldest first.
    private static func records(_ reader: CaptureReader) throws -> [ExchangeRecord] {
        try reader.exchanges(order: .oldestFirst, limit: 9).compactMap { try reader.exchange($0.id) }
    }

    @Test("heads, URLs, compressed bodies, messages and records of flows lose their secrets")
    func everywhere() throws {
        let directory = try TemporaryDirectory()
        let secret = "n0t-for-everybody"
        let body = try #require(
            ContentEncoder.encode(
                Array("{\"mail\":\"alice@example.com\",\"x\":\"\(secret)\"}".utf8),
                codings: ["gzip"]
            )
        )
        let base64 = Data("id=\(secret)".utf8).base64EncodedString()
        var upgraded = try Self.exchange(3, path: "/socket", response: "Upgrade: websocket\r\n")
        if case .exchange(var record) = upgraded {
            record.notes = [.webSocket]
            upgraded = .exchange(record)
        }
        var message = WebSocketMessage(
            exchange: ExchangeID(rawValue: 3),
            number: 1,
            sender: .client,
            kind: .text,
            started: Self.now
        )
        message.inline = Array("{\"token\":\"\(secret)\"}".utf8)
        message.length = Int64(message.inline.count)
        message.capturedLength = message.length
        message.isComplete = true
        let source = try Self.record(
            [
                .flow(Self.flow()),
                Self.exchange(
                    2,
                    path: "/login?token=\(secret)",
                    fields: "Cookie: a=1\r\n",
                    body: Array("password=\(secret)&x=1".utf8),
                    response: "Content-Encoding: gzip\r\nContent-Type: application/json\r\n",
                    responseBody: body
                ), upgraded, .webSocketMessage(message),
                Self.exchange(4, host: "tracker.test", path: "/pixel?\(base64)"),
            ],
            in: directory
        )
        let target = directory.file("out.sqlite")
        let redaction = Redaction.known(Redactor(SecretFinder()))
        let summary = try redaction.write(source, TrafficFilter(), to: target, now: Self.now)
        #expect(summary.entries == 3 && summary.bodiesLeftOut == 0)
        #expect(summary.secrets == [.credential: 1, .cookie: 1, .email: 1])
        var texts = ""
        try CaptureReader(path: target).everyValue { bytes, _, _ in
            texts += String(decoding: bytes, as: UTF8.self)
        }
        #expect(!texts.contains(secret) && !texts.contains("alice@") && texts.contains("redacted-email-"))
        #expect(!texts.contains(base64.prefix(12)))
        let reader = try CaptureReader(path: target)
        let records = try Self.records(reader)
        #expect(records[0].path.hasPrefix("/login?token=redacted-credential-"))
        #expect(records[2].path.hasPrefix("/pixel?"))
        let response = try #require(try records[0].messages(reader).last?.message)
        let content = try #require(response.content)
        #expect(String(decoding: content, as: UTF8.self).contains(#""mail":"redacted-email-"#))
    }

    @Test("a body that cannot be decoded is left out")
    func undecodable() throws {
        let directory = try TemporaryDirectory()
        let source = try Self.record(
            [
                .flow(Self.flow()),
                Self.exchange(
                    2,
                    response: "Content-Encoding: gzip\r\n",
                    responseBody: Array("password=x".utf8)
                ),
            ],
            in: directory
        )
        let redaction = Redaction.known(Redactor(SecretFinder()))
        let target = directory.file("out.sqlite")
        #expect(try redaction.write(source, TrafficFilter(), to: target, now: Self.now).bodiesLeftOut == 1)
        let reader = try CaptureReader(path: target)
        let record = try #require(try Self.records(reader).first)
        #expect(record.response?.body.capturedLength == 0 && record.response?.body.isTruncated == true)
    }

    @Test("if a secret would be left, nothing is written")
    func leftover() throws {
        let directory = try TemporaryDirectory()
        // A certificate is copied as it is, whatever it holds.
        let source = try Self.record(
            [.flow(Self.flow(chain: [Array("..hidden-in-a-chain..".utf8)])), Self.exchange(2)],
            in: directory
        )
        let redaction = Redaction.known(Redactor(SecretFinder(), named: ["hidden-in-a-chain"]))
        let target = directory.file("out.sqlite")
        let failure = #expect(throws: Redaction.Failure.self) {
            try redaction.write(source, TrafficFilter(), to: target, now: Self.now)
        }
        #expect(failure?.description.contains("as plain in certificate.der") == true)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(files.filter { $0.hasPrefix("out") } == [])
    }

    @Test("does not change an existing file, and gives equal values equal tags in one copy only")
    func targets() throws {
        let directory = try TemporaryDirectory()
        let source = try Self.record(
            [
                .flow(Self.flow()),
                Self.exchange(
                    2,
                    fields: "Content-Type: application/x-www-form-urlencoded\r\n",
                    body: Array("password=equal-value&token=equal-value".utf8)
                ),
            ],
            in: directory
        )
        func tags(_ name: String) throws -> [String] {
            let redaction = Redaction.known(Redactor(SecretFinder()))
            _ = try redaction.write(source, TrafficFilter(), to: directory.file(name), now: Self.now)
            let reader = try CaptureReader(path: directory.file(name))
            let record = try #require(try Self.records(reader).first)
            let text = String(decoding: try reader.body(of: record, .request), as: UTF8.self)
            return text.matches(of: /redacted-[a-z]+-[0-9a-f]+/).map { String($0.output) }
        }
        let (first, second) = (try tags("one.sqlite"), try tags("two.sqlite"))
        #expect(first.count == 2 && Set(first).count == 1 && Set(first + second).count == 2)
        #expect(throws: Redaction.Failure.self) { try tags("one.sqlite") }
    }

    @Test("leaks name the server that got a secret first, and later servers with their spellings")
    func leaks() throws {
        let directory = try TemporaryDirectory()
        let mail = "alice@example.com"
        let base64 = Data("u=\(mail)".utf8).base64EncodedString()
        let source = try Self.record(
            [
                .flow(Self.flow()), Self.exchange(2, responseBody: Array("{\"mail\":\"\(mail)\"}".utf8)),
                Self.exchange(3, host: "tracker.test", path: "/p?d=\(base64)"),
                Self.exchange(4, host: "tracker.test", path: "/p?again=\(mail)"),
                Self.exchange(5, host: "other.test", fields: "X-User: \(mail)\r\n"),
                Self.exchange(6, body: Array("password=only-here".utf8)),
            ],
            in: directory
        )
        let reader = try CaptureReader(path: source)
        var progress: [[Int64]] = []
        let survey = try LeakSurvey(Redactor(SecretFinder()), ExchangeFilter(), reader) {
            progress.append([Int64($0), $1, Int64($2)])
        }
        #expect(progress == [0, 1].flatMap { reading in (1...5).map { [$0, $0 + 1, reading] } })
        let leak = try #require(survey.leaks.first)
        #expect(survey.leaks.count == 1 && leak.secret == Secret(.email, Array(mail.utf8)))
        #expect(leak.sightings.map(\.host) == ["shop.test", "tracker.test", "other.test"])
        #expect(leak.sightings.map(\.isSentByServer) == [true, false, false])
        #expect(leak.sightings.map(\.place) == ["body", "URL", "header x-user"])
        #expect(leak.sightings.map(\.spelling) == [.plain, .base64, .plain])
    }

    @Test("leaks have the same order in each run, and a value of several kinds has the same kind")
    func leaksInOrder() throws {
        let directory = try TemporaryDirectory()
        let values = (1...8).map { "value-\($0)-of-a-session" }
        let fields = values.reversed().map { "Cookie: a=\($0)\r\nX-Token: \($0)\r\n" }.joined()
        let source = try Self.record(
            [
                .flow(Self.flow()), Self.exchange(2, fields: fields),
                Self.exchange(3, host: "tracker.test", fields: fields),
            ],
            in: directory
        )
        let survey = try LeakSurvey(Redactor(SecretFinder()), ExchangeFilter(), CaptureReader(path: source))
        #expect(survey.leaks.map(\.secret) == values.map { Secret(.cookie, Array($0.utf8)) })
    }

    @Test("leaks come from all exchanges of several pages, the oldest first, whichever core read them")
    func leaksOnAllCores() throws {
        let directory = try TemporaryDirectory()
        let mail = "alice@example.com"
        let count = Int64(CaptureReader.candidatesAtOnce) * 2 + 5
        let withMail = [2, count / 3, count / 2, count - 1, count]
        let events = try (2...count).map { id in
            let fields = withMail.contains(id) ? "X-User: \(mail)\r\n" : ""
            return try Self.exchange(id, host: "s\(id).test", fields: fields)
        }
        let source = try Self.record([.flow(Self.flow())] + events, in: directory)
        var progress: [[Int64]] = [[], []]
        let survey = try LeakSurvey(Redactor(SecretFinder()), ExchangeFilter(), CaptureReader(path: source)) {
            progress[$2].append($1)
        }
        #expect(progress == [Array(2...count), Array(2...count)])
        #expect(survey.leaks.map(\.sightings).map { $0.map(\.exchange.rawValue) } == [withMail])
    }
}
