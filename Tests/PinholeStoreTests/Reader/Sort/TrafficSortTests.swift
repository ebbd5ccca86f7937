import PinholeFilter
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeStore

@Suite("Order of traffic")
struct TrafficSortTests {
    /// What something is sorted by, worked out without a store.
    private enum Value: Comparable {
        case number(Int64)
        case text([UInt8])

        init(_ text: String) {
            self = .text(text.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 })
        }

        static func < (one: Value, other: Value) -> Bool {
            switch (one, other) {
            case (.number(let one), .number(let other)): one < other
            case (.text(let one), .text(let other)): one.lexicographicallyPrecedes(other)
            default: false
            }
        }
    }

    private static func value(_ key: TrafficSort.Key, _ entry: RandomCapture.Entry) -> Value? {
        let record = entry.record
        let timings = record.timings
        func number(_ duration: Duration?) -> Value? { duration.map { .number($0.microseconds) } }
        return switch key.rawValue {
        case "id": .number(record.id.rawValue)
        case "flow": .number(record.flow.rawValue)
        case "time": .number(timings.started.microseconds)
        case "method": Value(record.method)
        case "status": record.status.map { .number(Int64($0)) }
        case "protocol": .number(1)
        case "scheme": Value(record.scheme.rawValue)
        case "host": Value(record.authority.host.description)
        case "port": .number(Int64(record.authority.port))
        case "path": Value(record.path)
        case "url": Value(record.url)
        case "type": record.response?.fields.first("content-type").map { Value($0) }
        case "size": .number(record.request.body.length + (record.response?.body.length ?? 0))
        case "request.size": .number(record.request.body.length)
        case "response.size": record.response.map { .number($0.body.length) }
        case "duration": number(timings.ended.map { $0 - timings.started })
        case "firstbyte": number(timings.responseStarted.map { $0 - timings.started })
        case "blocked": number(timings.blocked)
        case "resolve": number(timings.resolve)
        case "connect": number(timings.connect)
        case "tls.time": number(timings.tls)
        case "outcome": record.outcome.map { Value($0.kind.rawValue) }
        case "client": entry.flow.map { Value($0.client) }
        case "process": (entry.flow?.clientProcess?.name).map { Value($0) }
        case "proxy.user": record.proxyUser.map { Value($0) }
        case "response.server": record.responseServer.map { Value($0) }
        case "graphql": record.graphQL.map { Value($0) }
        case "tls.ja4": (entry.flow?.clientHello?.ja4).map { Value($0) }
        case "tls.group": (entry.flow?.clientHandshake?.group).map { Value($0) }
        case "comment": record.id.rawValue % 5 == 0 ? Value("Why \(record.id.rawValue % 3)?") : nil
        case "marked": record.id.rawValue % 7 == 0 ? .number(1) : nil
        default: nil
        }
    }

    private static func value(_ key: TrafficSort.Key, _ flow: FlowRecord) -> Value? {
        let authority = flow.authority.flatMap { try? Authority($0, defaultPort: 443) }
        return switch key.rawValue {
        case "id", "flow": .number(flow.id.rawValue)
        case "time": .number(flow.opened.microseconds)
        case "host": authority.map { Value($0.host.description) }
        case "port": authority.map { .number(Int64($0.port)) }
        case "url": flow.authority.map { Value($0) }
        case "size": .number(flow.bytesFromClient + flow.bytesFromServer)
        case "request.size": .number(flow.bytesFromClient)
        case "response.size": .number(flow.bytesFromServer)
        case "duration": flow.closed.map { .number(($0 - flow.opened).microseconds) }
        case "outcome": flow.outcome.map { Value($0.kind.rawValue) }
        case "client": Value(flow.client)
        case "process": (flow.clientProcess?.name).map { Value($0) }
        case "proxy.user": flow.proxyUser.map { Value($0) }
        case "tls.ja4": (flow.clientHello?.ja4).map { Value($0) }
        case "tls.group": (flow.clientHandshake?.group).map { Value($0) }
        case "comment": flow.id.rawValue % 5 == 0 ? Value("Why \(flow.id.rawValue % 3)?") : nil
        case "marked": flow.id.rawValue % 7 == 0 ? .number(1) : nil
        default: nil
        }
    }

    @Test(
        "every key sorts the recorded rows in both directions and under filters",
        arguments: 0..<3
    )
    func property(seed: Int) throws {
        let capture = try RandomCapture(seed: UInt64(seed), count: 150)
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        store.record(capture.events)
        store.close()
        let ids = capture.exchanges.map(\.record.id.rawValue) + capture.flows.map(\.id.rawValue)
        let editor = try CaptureEditor(path: scratch.capture)
        for id in ids {
            _ = try editor.note(id) { note in
                note.isMarked = id % 7 == 0
                note.comment = id % 5 == 0 ? "Why \(id % 3)?" : nil
            }
        }
        let reader = try CaptureReader(path: scratch.capture)
        let filters = try [
            "", "host ~ *example.com", "status >= 400", "body contains teapot", "status == 999",
        ].map { text in
            let filter = TrafficFilter(try Filter(text))
            var meant: [Int64] = []
            _ = try reader.trafficIDs(filter) { meant.append($0) }
            return (text: text, filter: filter, meant: meant)
        }
        for key in TrafficSort.Key.allCases {
            var values: [Int64: Value] = [:]
            for entry in capture.exchanges { values[entry.record.id.rawValue] = Self.value(key, entry) }
            for flow in capture.flows { values[flow.id.rawValue] = Self.value(key, flow) }
            #expect(key == .field("resolve") || values.count > 20, "\(key)")
            for (text, filter, meant) in filters {
                let valued = meant.filter { values[$0] != nil }.sorted { one, other in
                    guard let left = values[one], let right = values[other] else { return false }
                    return left == right ? one < other : left < right
                }
                let missing = meant.filter { values[$0] == nil }
                let sort = TrafficSort(key)
                #expect(
                    try reader.trafficIDs(filter, sortedBy: sort) == valued + missing,
                    "\(key) \(text)"
                )
                let turned = TrafficSort(key, isDescending: true)
                #expect(
                    try reader.trafficIDs(filter, sortedBy: turned) == valued.reversed() + missing.reversed(),
                    "\(key) \(text), descending"
                )
            }
        }
    }

    @Test("the versions of HTTP, then WebSockets; a media type has no parameters and no case")
    func heads() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        let types = ["text/html", "IMAGE/png; q=1", "image/PNG", "application/json;charset=utf-8"]
        for (index, type) in types.enumerated() {
            var record = try ExchangeRecord.sample(
                Int64(index + 1),
                path: "/HTTP/2",
                responseHead: "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n"
            )
            if index == 0 { record.notes = [.webSocket] }
            if index == 2 { record.request.head = Array("GET / HTTP/2\r\nhost: a\r\n\r\n".utf8) }
            store.record([.exchange(record)])
        }
        store.close()
        let reader = try CaptureReader(path: scratch.capture)
        #expect(try reader.trafficIDs(TrafficFilter(), sortedBy: TrafficSort(.protocol)) == [2, 4, 3, 1])
        #expect(try reader.trafficIDs(TrafficFilter(), sortedBy: TrafficSort(.type)) == [4, 2, 3, 1])
    }

    @Test("imported rows are sorted by time, not by number")
    func imported() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        for (id, years) in [(1, 0), (2, -7), (3, 3), (4, -7), (5, 0)] as [(Int64, Int64)] {
            store.record([.exchange(try .sample(id, after: .seconds(years * 365 * 86_400 + id)))])
        }
        store.close()
        let reader = try CaptureReader(path: scratch.capture)
        #expect(
            try reader.trafficIDs(TrafficFilter(), sortedBy: TrafficSort(.field("time"))) == [2, 4, 1, 5, 3]
        )
        let newest = TrafficSort(.field("time"), isDescending: true)
        #expect(try reader.trafficIDs(TrafficFilter(), sortedBy: newest) == [3, 5, 1, 4, 2])
    }

    @Test("several reads, and none after the request was abandoned")
    func long() throws {
        let scratch = try ScratchDirectory()
        try CaptureStore.open(.init(path: scratch.capture), now: epoch).close()
        try Database(path: scratch.capture).execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)
            INSERT INTO exchange(id, flow, started, ended, scheme, authority, method, path, status, outcome,
                notes, state, request_length, request_captured, response_length, response_captured)
            SELECT i, 1, i, i * 7919 % 70001, 1, 'a.test', 'GET', '/' || (i * 7919 % 70001), 200, 0, 0, 7, 0, 0, 0, 0
            FROM n
            """
        )
        let reader = try CaptureReader(path: scratch.capture)
        let ids = (1...70000 as ClosedRange<Int64>).sorted { $0 * 7919 % 70001 < $1 * 7919 % 70001 }
        #expect(try reader.trafficIDs(TrafficFilter(), sortedBy: TrafficSort(.field("duration"))) == ids)
        let paths = try reader.trafficIDs(
            TrafficFilter(),
            sortedBy: TrafficSort(.field("path"), isDescending: true)
        )
        #expect(paths == ids.sorted { "\($0 * 7919 % 70001)" > "\($1 * 7919 % 70001)" })
        var asked = 0
        let cancelled = try reader.trafficIDs(TrafficFilter(), sortedBy: TrafficSort(.field("id"))) {
            asked += 1
            return asked > 1
        }
        #expect(cancelled == nil)
    }
}
