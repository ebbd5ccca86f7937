import PinholeFilter
import PinholeModel
import PinholeStore
import Testing

@Suite("Captured facts")
struct CapturedFactsTests {
    private static let agreement =
        "HTTP/1.1 101 X\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"

    @Test(
        "bodies are looked at as they are read: decoded, whole, with the messages of WebSockets",
        arguments: [
            ("~b teapot", [2, 4]), ("~bs teapot", [2]), ("~bq teapot", [4]), ("~b 'end$'", [3]),
            ("~bs kettle", [4]),
            ("~bq kettle", []), ("~b broken", [5]), ("body contains TEAPOT ~d example", [2, 4]),
            ("!(~b teapot | ~b .)", [6]),
        ]
    )
    func bodies(_ filter: String, _ expected: [Int64]) throws {
        let scratch = try ScratchDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        store.record([.flow(.sample(1)), .exchange(try .sample(6, responseBody: []))])
        store.record([.exchange(try Self.packed())])
        try Self.recordLong(store)
        try Self.recordWebSocket(store)
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
        store.record([.exchange(try .sample(5, responseHead: head, responseBody: Array("broken".utf8)))])
        store.close()
        let reader = try CaptureReader(path: scratch.capture)
        let found = try reader.exchanges(ExchangeFilter(try Filter(filter)), order: .oldestFirst, limit: 9)
        #expect(found.map(\.id.rawValue) == expected)
    }

    @Test(
        "bodies are read in their declared encoding",
        arguments: [("~b café", [2]), ("~b 'caf\\xe9'", [2]), ("~bs é", [2, 3])]
    )
    func encodings(_ filter: String, _ expected: [Int64]) throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n"
        let other = head.replacing("iso-8859-1", with: "utf-8")
        store.record([
            .flow(.sample(1)),
            .exchange(try .sample(2, responseHead: head, responseBody: [0x63, 0x61, 0x66, 0xe9])),
            .exchange(try .sample(3, responseHead: other, responseBody: Array("é".utf8))),
        ])
        store.close()
        let reader = try CaptureReader(path: scratch.capture)
        let found = try reader.exchanges(ExchangeFilter(try Filter(filter)), order: .oldestFirst, limit: 9)
        #expect(found.map(\.id.rawValue) == expected)
    }

    private static func packed() throws -> ExchangeRecord {
        let packed = try run("/usr/bin/gzip", ["-c"], input: Array("one teapot".utf8)).output
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
        return try .sample(2, responseHead: head, responseBody: packed)
    }

    /// A body whose end lies in parts.
    private static func recordLong(_ store: CaptureStore) throws {
        var long = try ExchangeRecord.sample(3, responseBody: Array(repeating: 0x78, count: 1000))
        long.response?.body.length = 2003
        long.response?.body.capturedLength = 2003
        let rest = Array(repeating: UInt8(0x79), count: 1000) + Array("end".utf8)
        store.record([.bodyPart(long.id, .response, rest), .exchange(long)])
    }

    private static func recordWebSocket(_ store: CaptureStore) throws {
        var socket = try ExchangeRecord.sample(4, responseHead: agreement, responseBody: [])
        socket.notes = [.webSocket, .upgraded]
        var events: [FlowEvent] = [.exchange(socket)]
        for (number, sender, text) in [(1, Side.client, "a Teapot"), (2, .server, "a kettle")] {
            var message = WebSocketMessage(
                exchange: socket.id,
                number: Int64(number),
                sender: sender,
                kind: .text,
                started: epoch
            )
            message.inline = Array(text.utf8)
            message.length = Int64(text.utf8.count)
            message.capturedLength = message.length
            message.isComplete = true
            events.append(.webSocketMessage(message))
        }
        store.record(events)
    }
}
