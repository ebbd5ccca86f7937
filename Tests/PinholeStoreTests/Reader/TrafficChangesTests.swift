import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite("TrafficChanges")
struct TrafficChangesTests {
    /// A capture, and somebody who is told what changes in it.
    private final class Watch {
        let scratch: ScratchDirectory
        let store: CaptureStore
        let reader: CaptureReader
        var changes: TrafficChanges
        var now = epoch

        init(_ ids: Int64...) throws {
            scratch = try ScratchDirectory()
            store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
            for id in ids { store.record([.exchange(try .sample(id))]) }
            store.flush()
            reader = try CaptureReader(path: scratch.capture)
            changes = try TrafficChanges(from: nil, now: epoch, in: reader)
        }

        /// The numbers that are told once these were recorded, a moment later.
        func told(
            _ events: FlowEvent...,
            after pause: Duration = .milliseconds(100)
        ) throws -> [Int64] {
            store.record(events)
            store.flush()
            now = now + pause
            return try changes.next(at: now, in: reader).rows.map(\.id)
        }
    }

    private static func running(_ id: Int64) throws -> ExchangeRecord {
        var record = try ExchangeRecord.sample(id)
        record.outcome = nil
        record.timings.ended = nil
        return record
    }

    @Test("what takes long is told, though others with higher numbers were told before, and nothing twice")
    func late() throws {
        let watch = try Watch(2, 4)
        #expect(try watch.told() == [])
        #expect(try watch.told(.exchange(.sample(7)), .exchange(.sample(9))) == [7, 9])
        #expect(try watch.told(.exchange(Self.running(5)), .exchange(.sample(10))) == [5, 10])
        #expect(try watch.told(.exchange(.sample(3)), .exchange(.sample(5)), after: .seconds(4)) == [3, 5])
        #expect(try watch.told(.exchange(.sample(11)), after: .seconds(9)) == [11])
        #expect(try watch.told(.exchange(.sample(12))) == [12])
        watch.store.close()
    }

    @Test("what a filter of the capture has decided about at its end is told minutes later")
    func filtered() throws {
        let watch = try Watch(2)
        watch.changes.isFiltered = true
        #expect(try watch.told(.exchange(.sample(7))) == [7])
        #expect(try watch.told(.exchange(.sample(9)), after: .seconds(300)) == [9])
        #expect(try watch.told(.exchange(.sample(3))) == [3])
        #expect(try watch.told(.exchange(.sample(10)), after: .seconds(601)) == [10])
        #expect(try watch.told(.exchange(.sample(5))) == [])
        watch.store.close()
    }

    @Test("a row is told again, once, when the program is found out that made its connection")
    func identified() throws {
        let watch = try Watch(2)
        let curl = ClientProcess(pid: 7, name: "curl", path: nil)
        let flow = FlowRecord.sample(4)
        var relay = FlowRecord.sample(7)
        relay.treatment = .passedThrough
        #expect(
            try watch.told(.flow(flow), .exchange(.sample(5, flow: 4)), .exchange(.sample(6, flow: 4))) == [
                5, 6,
            ]
        )
        #expect(try watch.told(.flow(relay)) == [7])
        #expect(try watch.told(.exchange(.sample(8))) == [8], "nothing is known yet")
        #expect(
            try watch.told(
                .clientProcess(flow.id, curl),
                .clientProcess(relay.id, curl),
                .exchange(.sample(9))
            )
                == [5, 6, 7, 9]
        )
        #expect(try watch.told(.exchange(.sample(10))) == [10])
        watch.store.close()
    }

    @Test("so it is where more came than is told at once")
    func pages() throws {
        let watch = try Watch(2)
        for id in Int64(4)...1200 { watch.store.record([.exchange(try .sample(id))]) }
        #expect(try watch.told().count == 500)
        #expect(try watch.told(.exchange(.sample(3))).contains(3))
        #expect(try watch.told().count == 1197 - 1000)
        #expect(try watch.told() == [])
        watch.store.close()
    }
}
