import PinholeConsole
import PinholeModel
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("Programs that joined a proxy")
struct PrivateTalliesTests {
    private let started = Timestamp(seconds: 0)

    private func flow(_ id: Int64, _ listener: String, isClosed: Bool = false) -> FlowEvent {
        var record = FlowRecord(
            id: FlowID(rawValue: id),
            opened: started,
            client: "127.0.0.1:5000",
            listener: listener
        )
        record.treatment = .plain
        if isClosed {
            record.closed = started
            record.outcome = Outcome(.completed, detail: "")
        }
        return .flow(record)
    }

    private func exchange(_ id: Int64, of flow: Int64) throws -> FlowEvent {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: flow),
            scheme: .http,
            authority: try Authority("a.test:80"),
            method: "GET",
            path: "/",
            request: MessageRecord(head: []),
            timings: ExchangeTimings(started: started)
        )
        record.outcome = .completed
        return .exchange(record)
    }

    @Test("only traffic of the listener is counted")
    func counts() throws {
        let tallies = PrivateTallies()
        tallies.begin("127.0.0.1:4000")
        tallies.take([flow(1, "127.0.0.1:4000"), flow(2, "127.0.0.1:8080")])
        tallies.take([try exchange(3, of: 1), try exchange(4, of: 2), try exchange(5, of: 1)])
        #expect(tallies.isOpen("127.0.0.1:4000") && !tallies.isOpen("127.0.0.1:8080"))
        tallies.take([flow(1, "127.0.0.1:4000", isClosed: true), flow(6, "127.0.0.1:4000", isClosed: true)])
        #expect(!tallies.isOpen("127.0.0.1:4000"))
        let outcome = try #require(tallies.end("127.0.0.1:4000"))
        #expect(outcome.connections == 2 && outcome.lines == ["2 exchanges with 1 host"])
        #expect(tallies.end("127.0.0.1:4000") == nil)
    }
}
