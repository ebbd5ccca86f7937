import Foundation
import PinholeModel
import PinholeStore
import PinholeWire
import Testing

@testable import PinholeCommand
@testable import PinholeFormats

/// Streams as they are shown.
@Suite("Streams as they are shown")
struct StreamTranscriptTests {
    private static let start = Timestamp(seconds: 1_767_323_045)

    /// Records an exchange whose response comes in `pieces`, one each second, and reads its messages.
    private func transcript(
        _ type: String,
        fields: String = "",
        pieces: [[UInt8]],
        trailers: String = "",
        limit: Int = 50
    ) throws -> StreamTranscript? {
        let path = NSTemporaryDirectory() + "/pinhole-stream-\(UUID().uuidString).sqlite"
        defer {
            for end in ["", "-wal", "-shm", ".lock"] {
                try? FileManager.default.removeItem(atPath: path + end)
            }
        }
        let store = try CaptureStore.open(.init(path: path), now: Self.start)
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: store.nextID()),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("a.test:443"),
            method: "GET",
            path: "/shop.Shop/Brew",
            request: MessageRecord(head: Array("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8)),
            timings: ExchangeTimings(started: Self.start)
        )
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\(fields)\r\n"
        record.response = MessageRecord(head: Array(head.utf8))
        record.response?.trailers = Array(trailers.utf8)
        for (place, piece) in pieces.enumerated() {
            let time = Self.start + .seconds(Int64(place + 1))
            store.record([.bodyPiece(record.id, .response, piece, time)])
            record.response?.body.length += Int64(piece.count)
        }
        record.response?.body.capturedLength = Int64(pieces.joined().count)
        record.response?.body.isComplete = true
        record.outcome = .completed
        store.record([.exchange(record)])
        store.close()
        let reader = try CaptureReader(path: path)
        let read = try #require(try reader.exchange(record.id))
        return try StreamTranscript(read, reader, schema: nil, limit: limit)
    }

    private func lines(_ transcript: StreamTranscript?) throws -> [String] {
        StreamText(transcript: try #require(transcript), style: .plain).lines
    }

    @Test("an event has the time at which its last byte was there")
    func times() throws {
        let pieces = ["data: 1\n\ndata", ": 2\n", "\ndata: 3\n\n"].map { Array($0.utf8) }
        let found = try #require(try transcript("text/event-stream", pieces: pieces))
        #expect(found.entries.map { ($0.time - Self.start).microseconds / 1_000_000 } == [1, 3, 3])
        #expect(found.entries.map(\.offset) == [0, 9, 18])
        #expect(try lines(found).contains { $0.contains("3.0 s   @9  9 B  message  2") })
    }

    @Test("a compressed event stream has its times, too")
    func compressed() throws {
        // zlib.compressobj(), flushed with Z_SYNC_FLUSH after each event.
        let first: [UInt8] = [
            0x78, 0x9c, 0x4a, 0x49, 0x2c, 0x49, 0xb4, 0x52, 0x30, 0xe4, 0xe2, 0x02, 0, 0, 0, 0xff, 0xff,
        ]
        let second: [UInt8] = [0x4a, 0x01, 0x33, 0x8c, 0xb8, 0xb8, 0, 0, 0, 0, 0xff, 0xff]
        let found = try #require(
            try transcript(
                "text/event-stream",
                fields: "Content-Encoding: deflate\r\n",
                pieces: [first, second]
            )
        )
        #expect(found.entries.map { ($0.time - Self.start).microseconds / 1_000_000 } == [1, 2])
        #expect(found.troubles.count == 1, "the stream has no end")
    }

    @Test("a body of a known length is no stream, however slowly it came")
    func slow() throws {
        let pieces = [Array("12".utf8), Array("34".utf8)]
        #expect(try transcript("text/plain", pieces: pieces)?.count == 2)
        #expect(try transcript("text/plain", fields: "Content-Length: 4\r\n", pieces: pieces) == nil)
    }

    @Test("each line of JSON lines is a value, and a line that is not JSON is reported")
    func jsonLines() throws {
        let found = try #require(
            try transcript("application/x-ndjson", pieces: [Array("{\"a\":[1]}\n{\n\"b\"\n".utf8)])
        )
        #expect(found.count == 3)
        let json = StreamJSON(found)
        #expect(json.messages.map { $0.trouble == nil } == [true, false, true])
        #expect(JSONLine.text(json).contains(#""json":{"a":[1]}"#))
        #expect(try lines(found).contains { $0.contains("it is not JSON") })
    }

    @Test("a gRPC call shows its messages, its status and its faults")
    func calls() throws {
        let bomb: [UInt8] = [1, 0, 0, 0, 2, 0x78, 0x9c]
        let found = try #require(
            try transcript(
                "application/grpc",
                fields: "grpc-encoding: gzip\r\n",
                pieces: [[0, 0, 0, 0, 2, 0x08, 5], [0, 0, 0, 0, 2, 0x08, 0xff], bomb, [0, 0, 0, 1, 0, 9]],
                trailers: "grpc-status: 5\r\ngrpc-message: no%20tea\r\n"
            )
        )
        #expect(found.status?.name == "NOT_FOUND")
        #expect(found.entries.map(\.isComplete) == [true, true, true, false])
        let text = try lines(found).joined(separator: "\n")
        #expect(text.contains("1: 5  (zigzag -3)"))
        #expect(text.contains("it is not a message of Protocol Buffers: a number is cut off"))
        #expect(text.contains("it is not decompressed: the body is not valid gzip"))
        #expect(text.contains("its prefix states 256 bytes, and 1 came"))
        #expect(text.contains("gRPC status 5 NOT_FOUND no tea"))
    }

    @Test("the details of a status are shown with their types")
    func details() throws {
        // Code 5, “no”, an Any of the type t/a.B with field 1 = "x", and one that is no message.
        let status: [UInt8] =
            [
                0x08, 5, 0x12, 2, 0x6e, 0x6f, 0x1a, 12, 0x0a, 5, 0x74, 0x2f, 0x61, 0x2e, 0x42, 0x12, 3, 0x0a,
                1, 0x78,
            ]
            + [0x1a, 8, 0x0a, 3, 0x74, 0x2f, 0x63, 0x12, 1, 0xff]
        let found = try #require(
            try transcript(
                "application/grpc",
                pieces: [[0, 0, 0, 0, 0]],
                trailers: "grpc-status: 5\r\ngrpc-status-details-bin: \(Base64.encode(status))\r\n"
            )
        )
        #expect(
            try lines(found).suffix(6) == [
                "  gRPC status 5 NOT_FOUND", "    details 5 NOT_FOUND no", "      t/a.B  3 B",
                "        1: \"x\"", "      t/c  1 B", "        ff",
            ]
        )
        let json = JSONLine.text(StreamJSON(found))
        #expect(
            json.contains(
                #""details":{"code":5,"details":[{"protobuf":{"1":"x"},"typeURL":"t/a.B"},"#
                    + #"{"base64":"/w==","typeURL":"t/c"}],"message":"no"}"#
            ),
            "\(json)"
        )
    }

    @Test("the trailers of gRPC-Web in base64 have the status")
    func web() throws {
        let trailers = Array("grpc-status: 0\r\n".utf8)
        let bytes: [UInt8] = [0, 0, 0, 0, 2, 0x08, 5, 0x80, 0, 0, 0, UInt8(trailers.count)] + trailers
        let text = Array(Base64.encode(bytes).utf8)
        let found = try #require(
            try transcript(
                "application/grpc-web-text+proto",
                pieces: [Array(text.prefix(9)), Array(text.dropFirst(9))]
            )
        )
        #expect(found.entries.map(\.kind) == ["message", "trailers"])
        #expect(found.status?.code == 0)
    }

    @Test("shows as many as are asked for, and says how many there are")
    func limit() throws {
        let body = Array(String(repeating: "data: x\n\n", count: 120).utf8)
        let found = try #require(try transcript("text/event-stream", pieces: [body], limit: 3))
        #expect(found.entries.count == 3 && found.count == 120)
        #expect(try lines(found).last == "  [… 117 more; --messages 120]")
        #expect(StreamJSON(found).leftOut == 117)
    }

    @Test("a body without messages is shown piece by piece; a body in one piece is not shown as a stream")
    func pieces() throws {
        let found = try #require(try transcript("text/plain", pieces: [[65], [66, 67]]))
        #expect(found.entries.map(\.kind) == ["piece", "piece"])
        #expect(found.entries.map(\.offset) == [0, 1])
        #expect(try transcript("text/plain", pieces: []) == nil)
    }
}
