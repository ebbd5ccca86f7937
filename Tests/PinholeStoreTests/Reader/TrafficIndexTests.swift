import PinholeModel
import Testing

@testable import PinholeStore

@Suite("Traffic index")
struct TrafficIndexTests {
    /// Compares the index with a new count.
    private func check(
        _ index: TrafficIndex,
        _ reader: CaptureReader,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var numbers = NumberDifferences()
        _ = try reader.trafficIDs(TrafficFilter()) { numbers.append($0) }
        #expect(try index.index(reader) == numbers.bytes, sourceLocation: sourceLocation)
        let hosts = try index.hosts(reader)
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

    @Test("agrees with a new count after insertions, changes and removals")
    func agrees() throws {
        let directory = try ScratchDirectory()
        let path = directory.capture
        let store = try CaptureStore.open(.init(path: path), now: epoch)
        defer { store.close() }
        let reader = try CaptureReader(path: path)
        let index = TrafficIndex()
        try check(index, reader)
        // Three blocks, with a hole of many between them, and something that goes on.
        store.record([flow(1, failed: false), try exchange(2), try exchange(3, "b.test:80")])
        store.record([try exchange(20_000, outcome: nil), try exchange(20_001, outcome: .failed("no"))])
        store.record([try exchange(900_000_000), try exchange(900_000_001, "b.test:80")])
        store.flush()
        try check(index, reader)
        try check(index, reader)
        // What went on ends, a flow that was there is shown from now on, and something new came.
        store.record([try exchange(20_000, outcome: .failed("cut")), flow(1, failed: true)])
        store.record([try exchange(900_000_002, "c.test:443")])
        store.flush()
        try check(index, reader)
        // Retention takes the oldest.
        let editor = try CaptureEditor(path: path)
        try editor.removeAll(upTo: 3)
        try check(index, reader)
        // Something in the middle is removed by hand.
        try editor.remove([20_001])
        try check(index, reader)
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
        let index = TrafficIndex()
        try check(index, reader)
        let hosts = try #require(try index.hosts(reader))
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
        let index = TrafficIndex()
        store.record([try exchange(2), try exchange(40_000)])
        store.flush()
        try check(index, reader)
        store.record([try exchange(7)])
        store.flush()
        try check(index, reader)
        #expect(try index.hosts(reader, isCancelled: { true }) == nil)
    }

    @Test("a block is read again only after one of its rows has changed")
    func caches() throws {
        let directory = try ScratchDirectory()
        let path = directory.capture
        let store = try CaptureStore.open(.init(path: path), now: epoch)
        store.record([try exchange(2), try exchange(20_000)])
        store.close()
        let reader = try CaptureReader(path: path)
        let index = TrafficIndex()
        try check(index, reader)
        // This change is noted nowhere, so the index cannot know of it.
        let database = try Database(path: path)
        try database.execute("UPDATE exchange SET authority = 'hidden.test'")
        #expect(try index.hosts(reader)?.map(\.place.host) == ["a.test"])
        try database.transaction(.immediate) { try ChangeLog.append(.written, [20_000], to: database) }
        #expect(try index.hosts(reader)?.map(\.place.host).sorted() == ["a.test", "hidden.test"])
        try database.transaction(.immediate) { try ChangeLog.append(.removedUpTo, [1], to: database) }
        #expect(try index.hosts(reader)?.map(\.place.host) == ["hidden.test"])
    }

    @Test("two readers at one time agree with a new count, whichever is first")
    func concurrent() async throws {
        let directory = try ScratchDirectory()
        let path = directory.capture
        let store = try CaptureStore.open(.init(path: path), now: epoch)
        defer { store.close() }
        for id in Int64(1)...40 { store.record([try exchange(id * 10_000)]) }
        store.flush()
        let index = TrafficIndex()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let reader = try CaptureReader(path: path)
                    for _ in 0..<20 {
                        _ = number.isMultiple(of: 2) ? try index.hosts(reader) : nil
                        _ = try index.index(reader)
                    }
                }
            }
            for id in Int64(1)...40 {
                store.record([
                    try exchange(id * 9_000, "b.test:443"), try exchange(id * 10_000, outcome: .failed("x")),
                ])
                store.flush()
            }
            try await group.waitForAll()
        }
        try check(index, try CaptureReader(path: path))
    }
}
