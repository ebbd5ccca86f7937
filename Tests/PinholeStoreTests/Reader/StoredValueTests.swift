import Foundation
import PinholeModel
import Testing

@testable import PinholeStore

@Suite("Values of a capture")
struct StoredValueTests {
    private func capture(_ scratch: ScratchDirectory, _ changes: String) throws -> CaptureReader {
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        store.record([
            .flow(.sample(1)), .exchange(try .sample(3)), .exchange(try WebSocketTranscriptTests.opening()),
            .webSocketMessage(WebSocketTranscriptTests.message(1, .text, [0x41])),
        ])
        store.close()
        try Database(path: scratch.capture).execute(changes)
        return try CaptureReader(path: scratch.capture)
    }

    private func failure(_ ask: () throws -> Void) -> String {
        do {
            try ask()
            return "no failure"
        } catch { return "\(error)" }
    }

    @Test("a value of another type is reported with its table, row and column, and a remedy")
    func scheme() throws {
        let scratch = try ScratchDirectory()
        let reader = try capture(scratch, "UPDATE exchange SET scheme = 'x' WHERE id = 3")
        #expect(
            failure { _ = try reader.traffic(limit: 9) } == """
                \(scratch.capture) holds a value that Pinhole did not write: table exchange, row 3, column scheme: expected \
                a number from 0 to 1, found a text of 1 bytes. Use an unchanged copy of the file, or remove the row: sqlite3 \
                \(scratch.capture) "DELETE FROM exchange WHERE id = 3"
                """
        )
    }

    @Test(
        "each place is named where its value is no such value",
        arguments: [
            (
                "UPDATE message SET kind = 256",
                "table message, row 1, column kind: expected the kind of a message"
            ),
            ("UPDATE message SET sender = 7", "column sender: expected 0 or 1, found the number 7"),
            ("UPDATE message SET length = -1", "column length: expected a number from 0 to"),
        ]
    )
    func messages(_ change: String, _ expected: String) throws {
        let scratch = try ScratchDirectory()
        let reader = try capture(scratch, change)
        let id = try #require(try reader.exchanges(limit: 9).first { $0.notes.contains(.webSocket) }?.id)
        #expect(failure { _ = try reader.messages(of: id, limit: 9) }.contains(expected))
    }

    @Test(
        "a fault in the record of a flow is named as well",
        arguments: ["'[1]'", "json_set(record, '$.flow.bytesFromClient', -1)", "x'00'"]
    )
    func flows(_ value: String) throws {
        let scratch = try ScratchDirectory()
        let reader = try capture(scratch, "UPDATE flow SET record = \(value)")
        #expect(
            failure { _ = try reader.flow(FlowID(rawValue: 1)) }.contains("table flow, row 1, column record")
        )
    }

    @Test("times and lengths as large as a column takes are added without a trap")
    func extremes() throws {
        let scratch = try ScratchDirectory()
        let reader = try capture(
            scratch,
            """
            UPDATE exchange SET started = 9223372036854775807, ended = 9223372036854775807,
                request_length = 1152921504606846976, response_length = 1152921504606846976;
            UPDATE flow SET opened = -9223372036854775808, closed = 9223372036854775807;
            """
        )
        let statistics = try reader.statistics()
        #expect(statistics.bodyBytes == 4 * 1_152_921_504_606_846_976)
        #expect(statistics.first == Timestamp(microseconds: .min))
        #expect(
            try reader.exchanges(limit: 9).allSatisfy { $0.timings.ended == Timestamp(microseconds: .max) }
        )
    }

    @Test("continues a list after the row's number, even if the record has another number")
    func numbers() throws {
        let scratch = try ScratchDirectory()
        let reader = try capture(scratch, "UPDATE flow SET record = json_set(record, '$.flow.id', 0)")
        #expect(try reader.flows(limit: 9).map(\.id.rawValue) == [1])
    }
}
