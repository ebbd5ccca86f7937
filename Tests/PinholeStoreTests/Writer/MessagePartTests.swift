import Foundation
import PinholeModel
import Testing

@testable import PinholeStore

@Suite("Parts of messages")
struct MessagePartTests {
    /// Records a message of each of some exchanges in many frames, a part after the other.
    private func record(_ parts: Int, of exchanges: [Int64], _ scratch: ScratchDirectory) throws {
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        defer { store.close() }
        for part in 0..<parts {
            let bytes = [UInt8(truncatingIfNeeded: part), UInt8(truncatingIfNeeded: part >> 8)]
            store.record(exchanges.map { .webSocketPart(ExchangeID(rawValue: $0), number: 1, bytes) })
        }
        for id in exchanges {
            var message = WebSocketTranscriptTests.message(1, .binary, [], of: id)
            (message.length, message.capturedLength) = (Int64(2 * parts), Int64(2 * parts))
            store.record([.exchange(try WebSocketTranscriptTests.opening(id)), .webSocketMessage(message)])
        }
    }

    @Test("frames that come one after the other lie in a few rows, each message's bytes in order")
    func rows() throws {
        let scratch = try ScratchDirectory()
        let parts = 20_000
        try record(parts, of: [2, 3], scratch)
        let sql = "SELECT count(*) FROM message_part"
        let rows = try #require(try Database(path: scratch.capture).number("message_part", sql))
        #expect((1...Int64(parts / 20)).contains(rows), "\(rows) rows")
        let reader = try CaptureReader(path: scratch.capture)
        let expected = (0..<parts).flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
        for id in [2, 3] as [Int64] {
            let message = try #require(try reader.messages(of: ExchangeID(rawValue: id), limit: 9).first)
            #expect(try reader.payload(of: message) == expected)
            #expect(try reader.payload(of: message, limit: 1001) == Array(expected.prefix(1001)))
        }
    }

    @Test("a row for each frame, as a file may have them, is read in order, too")
    func manyRows() throws {
        let scratch = try ScratchDirectory()
        try record(1, of: [2], scratch)
        try Database(path: scratch.capture).execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
            INSERT INTO message_part(exchange, number, bytes) SELECT 2, 1, x'41424344' FROM n;
            UPDATE message SET length = 1200002, captured = 1200002;
            """
        )
        let reader = try CaptureReader(path: scratch.capture)
        let message = try #require(try reader.messages(of: ExchangeID(rawValue: 2), limit: 9).first)
        let payload = try reader.payload(of: message)
        // More than is read at once.
        #expect(
            payload.count == 1_200_002
                && payload[2...].elementsEqual((0..<1_200_000).map { UInt8(0x41 + $0 % 4) })
        )
    }
}
