import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@testable import PinholeFormats

@Suite("Comparison of captures")
struct CaptureComparisonTests {
    private static let now = Timestamp(seconds: 1_767_323_045)

    private static func exchange(
        _ id: Int64,
        _ path: String,
        fields: String = "Content-Type: application/json\r\n",
        body: String
    ) throws -> FlowEvent {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("shop.test", defaultPort: 443),
            method: "GET",
            path: path,
            request: MessageRecord(head: Array("GET \(path) HTTP/1.1\r\nHost: shop.test\r\n\r\n".utf8)),
            timings: ExchangeTimings(started: now + .seconds(id))
        )
        record.response = MessageRecord(head: Array("HTTP/1.1 200 OK\r\n\(fields)\r\n".utf8))
        record.response?.body.inline = Array(body.utf8)
        record.response?.body.length = Int64(body.utf8.count)
        record.response?.body.capturedLength = Int64(body.utf8.count)
        record.response?.body.isComplete = true
        record.status = 200
        record.timings.ended = now + .seconds(id + 1)
        record.outcome = .completed
        return .exchange(record)
    }

    private static func recording(
        _ name: String,
        _ events: [FlowEvent],
        in directory: TemporaryDirectory
    ) throws -> CaptureComparison.Recording {
        let path = directory.file(name)
        let store = try CaptureStore.open(CaptureStore.Options(path: path), now: now) { _ in }
        store.record(events)
        store.flush()
        store.close()
        return try CaptureComparison.Recording(CaptureReader(path: path), ExchangeFilter())
    }

    private static func texts(_ before: [FlowEvent], _ after: [FlowEvent]) throws -> [String] {
        let directory = try TemporaryDirectory()
        let first = try recording("before.sqlite", before, in: directory)
        let second = try recording("after.sqlite", after, in: directory)
        var texts: [String] = []
        try CaptureComparison().compare(first, second) { result in
            let path = result.pair.before?.path ?? result.pair.after?.path ?? ""
            texts += result.differences.map { "\(path): \($0.text)" }
            if let nearest = result.nearest { texts.append("\(path): nearest \(nearest.path)") }
        }
        return texts
    }

    @Test("reports a changed member of JSON, and every value of a field of which one line changed")
    func changed() throws {
        let before = try [
            Self.exchange(2, "/same", fields: "Date: a\r\n", body: #"{"a":1}"#),
            Self.exchange(3, "/json", body: #"{"a":1,"b":2}"#),
            Self.exchange(4, "/lines", fields: "X: 1\r\nX: 2\r\nY: 1\r\n", body: "text"),
        ]
        let after = try [
            Self.exchange(2, "/same", fields: "Date: b\r\n", body: #"{"a":1}"#),
            Self.exchange(3, "/json", body: #"{"a":1,"b":3}"#),
            Self.exchange(4, "/lines", fields: "X: 1\r\nX: 3\r\nY: 1\r\n", body: "text"),
        ]
        #expect(
            try Self.texts(before, after) == [
                "/json: response body .b 2, now 3", "/lines: response header x 1, 2, now 1, 3",
            ]
        )
    }

    @Test("reads equal bytes twice if their type differs")
    func types() throws {
        let before = try [Self.exchange(2, "/", fields: "Content-Type: application/json\r\n", body: "[1]")]
        let after = try [Self.exchange(2, "/", fields: "Content-Type: text/plain\r\n", body: "[1]")]
        #expect(
            try Self.texts(before, after) == [
                "/: response header content-type application/json, now text/plain"
            ]
        )
    }

    @Test("compares more exchanges than are read at once, and names the nearest one of an extra one")
    func blocks() throws {
        let count = Int64(CaptureReader.candidatesAtOnce) * 2 + 1
        let before = try (2...count).map { id in
            try Self.exchange(id, "/items/\(id)", body: #"{"id":\#(id)}"#)
        }
        var after = before
        after[70] = try Self.exchange(72, "/items/72", body: #"{"id":0}"#)
        after.append(try Self.exchange(count + 1, "/itemx/3", body: ""))
        #expect(
            try Self.texts(before, after) == [
                "/items/72: response body .id 72, now 0", "/itemx/3: nearest /items/3",
            ]
        )
    }
}
