import PinholeFilter
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@testable import PinholeFormats

@Suite("Statistics of exchanges")
struct ExchangeGroupsTests {
    private static let start = Timestamp(seconds: 1_767_323_045)

    private static func exchange(
        _ id: Int64,
        _ host: String,
        _ status: Int?,
        _ milliseconds: Int64
    ) throws -> FlowEvent {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority(host, defaultPort: 443),
            method: "GET",
            path: "/",
            request: MessageRecord(head: Array("GET / HTTP/1.1\r\n\r\n".utf8)),
            timings: ExchangeTimings(started: start)
        )
        record.status = status
        if let status {
            record.response = MessageRecord(head: Array("HTTP/1.1 \(status) OK\r\n\r\n".utf8))
            record.response?.body.length = 100 * id
        }
        record.timings.ended = start + .milliseconds(milliseconds)
        if milliseconds == 7 { record.notes.append(.webSocket) }
        record.outcome = status == nil ? .failed("no answer") : .completed
        return .exchange(record)
    }

    @Test("exchanges are counted by host and by status, with bytes, failures and times")
    func groups() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("capture.sqlite")
        let store = try CaptureStore.open(CaptureStore.Options(path: path), now: Self.start) { _ in }
        var message = WebSocketMessage(
            exchange: ExchangeID(rawValue: 5),
            number: 1,
            sender: .client,
            kind: .text,
            started: Self.start
        )
        message.length = 40
        store.record(
            try [
                Self.exchange(2, "a.test", 200, 10), Self.exchange(3, "a.test", 404, 30),
                Self.exchange(4, "a.test:8443", 200, 5), Self.exchange(5, "b.test", nil, 7),
                .webSocketMessage(message),
            ]
        )
        store.close()
        let reader = try CaptureReader(path: path)
        let found = try ExchangeGroups(by: .host, .everything, reader)
        let hosts = Dictionary(uniqueKeysWithValues: found.groups.map { ($0.name, $0) })
        #expect(Set(hosts.keys) == ["a.test", "a.test:8443", "b.test"])
        #expect(
            hosts["a.test"]?.count == 2 && hosts["a.test"]?.failed == 1 && hosts["a.test"]?.received == 500
        )
        #expect(hosts["b.test"]?.messages == 40 && hosts["a.test"]?.messages == 0 && found.all.messages == 40)
        #expect(
            hosts["a.test"]?.times?.p50 == .milliseconds(10)
                && hosts["a.test"]?.times?.most == .milliseconds(30)
        )
        #expect(hosts["b.test"]?.failed == 1)
        #expect(found.all.count == 4 && found.all.received == 900)
        // Hosts count failures as statistics do.
        for tallies in [try reader.hosts(TrafficFilter()), try TrafficIndex().hosts(reader)] {
            let failed = try #require(tallies).filter { $0.failed > 0 }
                .map { "\($0.place.host) \($0.failed)" }
            #expect(failed.sorted() == ["a.test 1", "b.test 1"])
        }
        #expect(found.all.failed == 2)
        let statuses = try ExchangeGroups(by: .status, Filter("host == a.test"), reader)
        #expect(statuses.groups.map { "\($0.name) \($0.count)" }.sorted() == ["200 2", "404 1"])
    }
}
