import Foundation
import PinholeFilter
import PinholeFormats
import PinholeModel
import PinholeStore
import PinholeTestKit

/// A capture with one item of each protocol, which shows what can be done with it.
struct CapabilityCapture {
    /// A word in the content of each item.
    static let content = "zebra"
    /// The word, compressed by gzip.
    private static let compressed: [UInt8] = [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0xab, 0x4a, 0x4d, 0x2a, 0x4a, 4, 0, 0xb6, 0x5d, 0x57, 0x15, 5, 0,
        0, 0,
    ]
    /// The number of a call of gRPC whose message is compressed.
    private static let compressedCall: Int64 = 100
    private static let start = Timestamp(microseconds: 1_767_323_045_678_901)

    private let directory: TemporaryDirectory
    let reader: CaptureReader

    /// Records the items.
    init() throws {
        directory = try TemporaryDirectory()
        let store = try CaptureStore.open(.init(path: directory.file("capture.sqlite")), now: Self.start)
        for wire in Capability.allCases { store.record(try Self.events(wire)) }
        let message = [1] + Self.prefix(Self.compressed).dropFirst() + Self.compressed
        store.record([.exchange(try Self.exchange(Self.compressedCall, .grpc, Array(message)))])
        store.close()
        reader = try CaptureReader(path: directory.file("capture.sqlite"))
    }

    /// Says whether a filter by the host finds the item.
    func filter(_ wire: Capability) throws -> String {
        try found("host == \(Self.host(wire))").contains(Self.number(wire)) ? "yes" : "no"
    }

    /// Says whether a search for the content finds the item.
    func search(_ wire: Capability) throws -> String {
        let found = try found("~b \(Self.content)")
        guard found.contains(Self.number(wire)) else { return "no" }
        return wire == .grpc && !found.contains(Self.compressedCall) ? "uncompressed messages" : "yes"
    }

    /// Says what of the item a format holds.
    func export(_ format: TrafficExport.Format, _ wire: Capability) throws -> String {
        let path = directory.file("\(format.rawValue)-\(Self.number(wire))")
        try Data().write(to: URL(filePath: path))
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteUnknown) }
        let count = try TrafficExport(format: format, filter: TrafficFilter(), ids: [Self.number(wire)])
            .write(to: file.fileDescriptor, from: reader)
        try file.close()
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        guard count.exchanges + count.flows > 0, !text.isEmpty else { return "no" }
        switch format {
        case .curl where text.hasPrefix("#"): return "no"
        case .raw where !text.contains(Self.content): return "the opening"
        case .har, .jsonl, .mitm, .curl, .raw, .pcapng, .csv: return "yes"
        }
    }

    private func found(_ filter: String) throws -> [Int64] {
        try reader.traffic(TrafficFilter(try Filter(filter)), limit: 100).map(\.id)
    }

    static func number(_ wire: Capability) -> Int64 {
        Int64(Capability.allCases.firstIndex(of: wire) ?? 0) + 10
    }

    static func host(_ wire: Capability) -> String { "item\(number(wire)).test" }

    /// The five bytes before a message of gRPC that is not compressed.
    private static func prefix(_ message: [UInt8]) -> [UInt8] { [0, 0, 0, 0, UInt8(message.count)] }

    /// What the proxy records of an item.
    private static func events(_ wire: Capability) throws -> [FlowEvent] {
        let id = number(wire)
        var flow = FlowRecord(
            id: FlowID(rawValue: wire == .tunnel ? id : id + 100),
            opened: start,
            client: "127.0.0.1:50000",
            listener: "127.0.0.1:8080"
        )
        flow.authority = "\(host(wire)):443"
        flow.treatment = wire == .tunnel ? .opaque : .intercepted
        flow.closed = start + .seconds(1)
        flow.bytesFromServer = 5
        flow.outcome = Outcome(.completed, detail: "both sides were done")
        let word = Array(content.utf8)
        switch wire {
        case .tunnel: return [.flow(flow)]
        case .webSocket1, .webSocket2:
            var message = WebSocketMessage(
                exchange: ExchangeID(rawValue: id),
                number: 1,
                sender: .server,
                kind: .text,
                started: start
            )
            message.inline = word
            message.length = Int64(word.count)
            message.capturedLength = message.length
            message.isComplete = true
            return [.flow(flow), .exchange(try exchange(id, wire, [])), .webSocketMessage(message)]
        case .events:
            return [.flow(flow), .exchange(try exchange(id, wire, Array("data: \(content)\n\n".utf8)))]
        case .grpc:
            // A message of Protocol Buffers: field 1 is a text.
            let message = [0x0a, UInt8(word.count)] + word
            return [.flow(flow), .exchange(try exchange(id, wire, prefix(message) + message))]
        case .graphQL:
            return [
                .flow(flow), .exchange(try exchange(id, wire, Array("{\"query\":\"{ \(content) }\"}".utf8))),
            ]
        case .http10, .http11, .http2: return [.flow(flow), .exchange(try exchange(id, wire, word))]
        }
    }

    /// A completed exchange whose request and response have the same content.
    private static func exchange(
        _ id: Int64,
        _ wire: Capability,
        _ content: [UInt8]
    ) throws -> ExchangeRecord {
        let heads = heads(wire)
        let method = wire == .webSocket1 ? "GET" : wire == .webSocket2 ? "CONNECT" : "POST"
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: number(wire) + 100),
            scheme: .https,
            authority: try Authority("\(host(wire)):443"),
            method: method,
            path: "/",
            request: MessageRecord(head: Array(heads.request.utf8)),
            timings: ExchangeTimings(started: start)
        )
        record.request.body = body(content)
        record.response = MessageRecord(head: Array(heads.response.utf8))
        record.response?.body = body(content)
        record.status = wire == .webSocket1 ? 101 : 200
        record.timings.requestEnded = start + .milliseconds(1)
        record.timings.responseStarted = start + .milliseconds(2)
        record.timings.ended = start + .milliseconds(3)
        record.outcome = .completed
        if wire.isWebSocket { record.notes = [.upgraded, .webSocket] }
        return record
    }

    private static func heads(_ wire: Capability) -> (request: String, response: String) {
        let host = host(wire)
        let pseudo = ":scheme: https\r\n:authority: \(host)\r\n:path: /\r\n"
        return switch wire {
        case .http10:
            (
                "POST / HTTP/1.0\r\nHost: \(host)\r\n\r\n",
                "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n"
            )
        case .http11, .tunnel:
            (
                "POST / HTTP/1.1\r\nHost: \(host)\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
            )
        case .http2:
            (
                "POST / HTTP/2\r\n:method: POST\r\n\(pseudo)\r\n",
                "HTTP/2 200\r\ncontent-type: text/plain\r\n\r\n"
            )
        case .webSocket1:
            (
                "GET / HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"
            )
        case .webSocket2:
            (
                "CONNECT / HTTP/2\r\n:method: CONNECT\r\n:protocol: websocket\r\n\(pseudo)\r\n",
                "HTTP/2 200\r\n\r\n"
            )
        case .events:
            (
                "POST / HTTP/1.1\r\nHost: \(host)\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
            )
        case .grpc:
            (
                "POST / HTTP/2\r\n:method: POST\r\n\(pseudo)content-type: application/grpc\r\nte: trailers\r\n"
                    + "grpc-encoding: gzip\r\n\r\n",
                "HTTP/2 200\r\ncontent-type: application/grpc\r\ngrpc-encoding: gzip\r\n\r\n"
            )
        case .graphQL:
            (
                "POST / HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/json\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
            )
        }
    }

    private static func body(_ bytes: [UInt8]) -> BodyRecord {
        var body = BodyRecord()
        body.inline = bytes
        body.length = Int64(bytes.count)
        body.capturedLength = Int64(bytes.count)
        body.isComplete = true
        return body
    }
}
