import PinholeConsole
import PinholeModel
import Testing

@testable import PinholeCommand

@Suite("FlowTable")
struct FlowTableTests {
    private static let now = Timestamp(seconds: 1_700_000_000)

    private func flow(
        _ id: Int64,
        _ opened: Timestamp,
        to authority: String? = "example.test:443"
    ) -> TrafficEvent {
        var record = FlowRecord(
            id: FlowID(rawValue: id),
            opened: opened,
            client: "127.0.0.1:5",
            listener: "127.0.0.1:6"
        )
        record.authority = authority
        return .flow(record)
    }

    private func lines(_ events: TrafficEvent...) -> [String] {
        FlowTable(style: .plain, width: 120, now: Self.now).lines(events)
    }

    @Test("what is of today has no date, and its list is no wider")
    func today() {
        let lines = lines(flow(1, Self.now))
        #expect(lines.first?.hasPrefix("ID  TIME      METHOD") == true, "\(lines)")
        #expect(lines.last?.contains(#/^ 1  \d\d:\d\d:\d\d  RELAYED/#) == true, "\(lines)")
    }

    @Test("what is of another day has its date, and the others stand below its time")
    func otherDays() {
        let lines = lines(flow(1, Timestamp(seconds: 1_600_000_000)), flow(2, Self.now))
        #expect(lines[0].hasPrefix("ID  TIME                 METHOD"), "\(lines)")
        #expect(lines[1].contains(/^ 1  2020-09-1[34] \d\d:\d\d:\d\d  RELAYED/), "\(lines)")
        #expect(lines[2].contains(/^ 2             \d\d:\d\d:\d\d  RELAYED/), "\(lines)")
        #expect(lines.allSatisfy { $0.count <= 120 }, "\(lines)")
    }

    @Test("what named no server is told by its client, as that")
    func noServer() {
        let lines = lines(flow(1, Self.now, to: nil))
        #expect(lines.last?.contains("  from 127.0.0.1:5") == true, "\(lines)")
    }
}
