import PinholeModel
import PinholeRules
import PinholeStore
import PinholeTestKit
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("RecordedAnswers")
struct RecordedAnswersTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let store = try CaptureStore.open(
            CaptureStore.Options(path: directory.file("a.sqlite")),
            now: Timestamp(seconds: 1_700_000_000)
        )
        store.record([
            .exchange(try Self.exchange(2, "GET", "/a", answer: "one")),
            .exchange(try Self.exchange(3, "POST", "/login", body: "user=a", answer: "a")),
            .exchange(try Self.exchange(4, "GET", "/a", answer: "two")),
            .exchange(try Self.exchange(5, "POST", "/login", body: "user=b", answer: "b")),
            .exchange(try Self.exchange(6, "GET", "/cut", answer: "c", length: 9)),
            .exchange(try Self.exchange(7, "GET", "/none", answer: nil)),
        ])
        store.close()
    }

    private static func exchange(
        _ id: Int64,
        _ method: String,
        _ path: String,
        body: String = "",
        answer: String?,
        length: Int64? = nil
    ) throws -> ExchangeRecord {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("a.test:443"),
            method: method,
            path: path,
            request: MessageRecord(head: Array("\(method) \(path) HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8)),
            timings: ExchangeTimings(started: Timestamp(seconds: 1_700_000_000))
        )
        record.request.body = self.body(body)
        record.timings.ended = Timestamp(seconds: 1_700_000_001)
        record.outcome = .completed
        guard let answer else { return record }
        record.status = 200
        var response = MessageRecord(head: Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
        response.body = self.body(answer)
        response.body.length = length ?? response.body.length
        record.response = response
        return record
    }

    private static func body(_ text: String) -> BodyRecord {
        var body = BodyRecord()
        body.inline = Array(text.utf8)
        body.length = Int64(text.utf8.count)
        body.capturedLength = body.length
        body.isComplete = true
        return body
    }

    private func answers(once: Bool = false) throws -> RecordedAnswers {
        try RecordedAnswers(CaptureReplay(file: directory.file("a.sqlite"), isOnce: once))
    }

    private func ask(
        _ answers: RecordedAnswers,
        _ method: String = "GET",
        _ path: String = "/a"
    ) throws -> String? {
        let request = RuleRequest(
            scheme: .https,
            authority: try Authority("a.test:443"),
            method: method,
            path: path,
            fields: HeaderFields()
        )
        return try answers.next(for: request).map { Self.text($0.body) ?? "in part" }
    }

    /// The text of a short body, which is read whole.
    private static func text(_ body: RecordedAnswers.Body?) -> String? {
        guard case .bytes(let bytes) = body else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("tells requests apart by their bodies if bodies are compared")
    func strict() throws {
        let replay = CaptureReplay(file: directory.file("a.sqlite"), match: .strict)
        let answers = try RecordedAnswers(replay)
        let ask = { (method: String, path: String, body: String?) throws -> String? in
            let request = RuleRequest(
                scheme: .https,
                authority: try Authority("a.test:443"),
                method: method,
                path: path,
                fields: HeaderFields()
            )
            return Self.text(try answers.next(for: request, body.map { Array($0.utf8) })?.body)
        }
        #expect(try ask("POST", "/login", "user=b") == "b")
        #expect(try ask("POST", "/login", "user=a") == "a")
        #expect(try ask("POST", "/login", "user=c") == nil)
        #expect(try ask("POST", "/login", nil) == nil)
        #expect(try ask("GET", "/a", "") == "one")
        #expect(try ask("GET", "/a", "x") == nil)
    }

    @Test("gives answers in their order, and the last one again and again")
    func order() throws {
        let answers = try answers()
        #expect(try (1...4).map { _ in try ask(answers) } == ["one", "two", "two", "two"])
        #expect(try ask(answers, "GET", "/b") == nil)
        #expect(try ask(answers, "GET", "/none") == nil)
        #expect(try ask(answers, "GET", "/cut") == "in part")
        #expect(answers.count == 3)
    }

    @Test("gives each answer once where that is wanted")
    func once() throws {
        let answers = try answers(once: true)
        #expect(try (1...3).map { _ in try ask(answers) } == ["one", "two", nil])
    }

    @Test("bodies tell no requests apart")
    func bodies() throws {
        let answers = try answers()
        #expect(try (1...3).map { _ in try ask(answers, "POST", "/login") } == ["a", "b", "b"])
    }

    @Test("a missing capture is reported")
    func missing() {
        #expect(throws: CaptureFailure.self) {
            try RecordedAnswers(CaptureReplay(file: directory.file("none.sqlite")))
        }
    }
}
