import PinholeModel
import Testing

@testable import PinholeStore

@Suite("Traffic ledger")
struct TrafficLedgerTests {
    /// Long after all that is recorded.
    private static let later = epoch + .seconds(3600)

    /// What the ledger says, beside what is counted anew.
    private func check(
        _ ledger: TrafficLedger,
        _ reader: CaptureReader,
        at now: Timestamp = later,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var numbers = NumberDifferences()
        _ = try reader.trafficIDs(TrafficFilter()) { numbers.append($0) }
        #expect(try ledger.index(reader, at: now) == numbers.bytes, sourceLocation: sourceLocation)
        let hosts = try ledger.hosts(reader, at: now)
        #expect(hosts == (try reader.hosts(TrafficFilter())), sourceLocation: sourceLocation)
    }

    private func exchange(
        _ id: Int64,
        _ host: String = "a.test:443",
        outcome: ExchangeOutcome? = .completed
    )
        throws -> FlowEvent
    {
        var record = try ExchangeRecord.sample(id, authority: host)
        record.timings.started = epoch + .microseconds(id)
        record.outcome = outcome
        return .exchange(record)
    }

    private func flow(_ id: Int64, failed: Bool) -> FlowEvent {
        var flow = FlowRecord.sample(id)
        flow.authority = "pinned.test:443"
        flow.treatment = .passedThrough
        flow.closed = failed ? epoch + .seconds(1) : nil
        return .flow(flow)
    }

    @Test("says what counting anew says, whatever came, changed or went in between")
    func agrees() throws {
        let directory = try ScratchDirectory()
        let path = directory.capture
        let store = try CaptureStore.open(.init(path: path), now: epoch)
        defer { store.close() }
        let reader = try CaptureReader(path: path)
        let ledger = TrafficLedger()
        try check(ledger, reader)
        // Three blocks, with a hole of many between them, and something that goes on.
        store.record([flow(1, failed: false), try exchange(2), try exchange(3, "b.test:80")])
        store.record([try exchange(20_000, outcome: nil), try exchange(20_001, outcome: .failed("no"))])
        store.record([try exchange(900_000_000), try exchange(900_000_001, "b.test:80")])
        store.flush()
        try check(ledger, reader)
        try check(ledger, reader)
        // What went on ends, a flow that was there is shown from now on, and something new came.
        store.record([try exchange(20_000, outcome: .failed("cut")), flow(1, failed: true)])
        store.record([try exchange(900_000_002, "c.test:443")])
        store.flush()
        try check(ledger, reader, at: Self.later + .seconds(1))
        try check(ledger, reader, at: Self.later + .seconds(60))
        // Retention takes the oldest.
        let editor = try CaptureEditor(path: path)
        try editor.removeAll(upTo: 3)
        try check(ledger, reader, at: Self.later + .seconds(61))
        // Something in the middle is removed by hand.
        try editor.remove([20_001])
        ledger.forget()
        try check(ledger, reader, at: Self.later + .seconds(62))
    }

    @Test("tells the ports of a host apart, the scheme's own among them")
    func ports() throws {
        let directory = try ScratchDirectory()
        let path = directory.capture
        let store = try CaptureStore.open(.init(path: path), now: epoch)
        defer { store.close() }
        let reader = try CaptureReader(path: path)
        var plain = try ExchangeRecord.sample(4, authority: "a.test:80")
        plain.scheme = .http
        let events = [try exchange(1), try exchange(2, "a.test:8443"), try exchange(3), .exchange(plain)]
        store.record(events)
        store.flush()
        let ledger = TrafficLedger()
        try check(ledger, reader)
        let hosts = try #require(try ledger.hosts(reader, at: Self.later))
        #expect(hosts.allSatisfy { $0.place.host == "a.test" })
        let counts = hosts.map { [Int($0.place.port), $0.exchanges] }.sorted { $0[0] < $1[0] }
        #expect(counts == [[80, 1], [443, 2], [8443, 1]])
    }

    @Test("numbers that came out of order shortly after are not lost")
    func order() throws {
        let directory = try ScratchDirectory()
        let path = directory.capture
        let store = try CaptureStore.open(.init(path: path), now: epoch)
        defer { store.close() }
        let reader = try CaptureReader(path: path)
        let ledger = TrafficLedger()
        let now = epoch + .seconds(1)
        store.record([try exchange(2), try exchange(40_000)])
        store.flush()
        try check(ledger, reader, at: now)
        store.record([try exchange(7)])
        store.flush()
        try check(ledger, reader, at: now + .milliseconds(100))
        #expect(try ledger.hosts(reader, at: now, isCancelled: { true }) == nil)
    }
}
