import Glibc
import PinholeLock
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeStore

@Suite("TrafficChanges")
struct TrafficChangesTests {
    /// A capture with a reader that is told of its changes.
    private final class Watch {
        let scratch: ScratchDirectory
        let store: CaptureStore
        let editor: CaptureEditor
        let reader: CaptureReader
        var changes: TrafficChanges

        init(_ ids: Int64...) throws {
            scratch = try ScratchDirectory()
            store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
            for id in ids { store.record([.exchange(try .sample(id))]) }
            store.flush()
            reader = try CaptureReader(path: scratch.capture)
            editor = try CaptureEditor(path: scratch.capture)
            changes = try TrafficChanges(after: nil, in: reader)
        }

        deinit { store.close() }

        /// Records events in one batch, and returns the next step.
        func step(_ events: FlowEvent...) throws -> TrafficChanges.Step {
            store.record(events)
            store.flush()
            return try changes.next(in: reader)
        }

        /// The numbers that are told after these events were recorded.
        func told(_ events: FlowEvent...) throws -> [Int64] {
            store.record(events)
            store.flush()
            let step = try changes.next(in: reader)
            return (step.rows + step.amended).map(\.id)
        }
    }

    fileprivate static func running(_ id: Int64) throws -> ExchangeRecord {
        var record = try ExchangeRecord.sample(id)
        record.outcome = nil
        record.timings.ended = nil
        return record
    }

    @Test("a long exchange is listed after later ones with higher numbers, and no change is listed twice")
    func late() throws {
        let watch = try Watch(2, 4)
        #expect(try watch.told() == [])
        #expect(try watch.told(.exchange(.sample(7)), .exchange(.sample(9))) == [7, 9])
        #expect(try watch.told(.exchange(Self.running(5)), .exchange(.sample(10))) == [5, 10])
        #expect(try watch.told(.exchange(.sample(3)), .exchange(.sample(5))) == [3, 5])
        #expect(try watch.told(.exchange(.sample(11))) == [11])
        #expect(try watch.told(.exchange(.sample(1))) == [1], "however long it took")
        #expect(try watch.changes.next(in: watch.reader).isEmpty)
    }

    @Test("a row is listed once more when the program of its connection is found")
    func identified() throws {
        let watch = try Watch(2)
        let curl = ClientProcess(pid: 7, name: "curl", path: nil)
        let flow = FlowRecord.sample(4)
        var relay = FlowRecord.sample(7)
        relay.treatment = .passedThrough
        let exchanges = [FlowEvent.exchange(try .sample(5, flow: 4)), .exchange(try .sample(6, flow: 4))]
        #expect(try watch.told(.flow(flow), exchanges[0], exchanges[1]) == [5, 6])
        #expect(try watch.told(.flow(relay)) == [7])
        #expect(try watch.told(.exchange(.sample(8))) == [8], "no program is known yet")
        let step = try watch.step(
            .clientProcess(flow.id, curl),
            .clientProcess(relay.id, curl),
            .exchange(.sample(9))
        )
        #expect(step.rows.map(\.id) == [9] && step.amended.map(\.id) == [5, 6, 7])
        #expect(step.amended.allSatisfy { $0.connection?.clientProcess == curl || $0.id == 7 })
        #expect(try watch.told(.exchange(.sample(10))) == [10])
    }

    @Test("more changes than one step holds come in several steps, each number once")
    func pages() throws {
        let watch = try Watch(2)
        for id in Int64(4)...1200 { watch.store.record([.exchange(try .sample(id))]) }
        #expect(try watch.told() == Array(4...503))
        #expect(try watch.told(.exchange(.sample(3))) == Array(504...1003))
        let last = try watch.step()
        #expect(last.rows.map(\.id) == [3] + Array(1004...1200) && !last.hasMore)
        #expect(try watch.told() == [])
    }

    @Test("a reader continues where another one has stopped, also in the middle of a batch")
    func continues() throws {
        let watch = try Watch(2)
        let first = watch.changes.revision
        watch.store.record(try (3...9).map { .exchange(try .sample($0)) })
        watch.store.flush()
        for skipped in Int64(0)...7 {
            var other = try TrafficChanges(after: first + skipped, in: watch.reader)
            #expect(try other.next(in: watch.reader).rows.map(\.id) == Array((3 + skipped)..<10))
        }
    }

    @Test("notes and removals by another process are listed as changes")
    func edits() throws {
        let watch = try Watch(2, 3, 4, 5)
        #expect(try watch.editor.note(3) { $0.isMarked = true })
        let noted = try watch.step()
        #expect(noted.rows.isEmpty && noted.amended.map(\.id) == [3])
        #expect(noted.amended.first?.note.isMarked == true)
        try watch.editor.remove([4])
        #expect(try watch.step() == TrafficChanges.Step(hasRemovals: true))
        try watch.editor.removeAll(upTo: 3)
        #expect(try watch.step() == TrafficChanges.Step(goneUpTo: 3))
        #expect(try watch.step().isEmpty)
    }

    @Test("hidden flows and flows that have only opened cause no change")
    func flows() throws {
        let watch = try Watch(2)
        var open = FlowRecord.sample(3)
        open.closed = nil
        #expect(try watch.told(.flow(open), .flow(.sample(4)), .flow(.failed(5))) == [5])
    }

    @Test(
        "after too many changes, or with a revision of another file, a reader is behind and continues at the end"
    )
    func behind() throws {
        let watch = try Watch(2)
        for first in stride(from: Int64(10), to: 20_100, by: 1000) {
            watch.store.record(try (first..<first + 1000).map { .exchange(try .sample($0)) })
        }
        #expect(try watch.step() == TrafficChanges.Step(isBehind: true))
        #expect(try watch.told(.exchange(.sample(3))) == [3])
        var other = try TrafficChanges(after: 1_000_000, in: watch.reader)
        #expect(try other.next(in: watch.reader) == TrafficChanges.Step(isBehind: true))
        #expect(other.revision == watch.changes.revision)
    }

    @Test("only the latest changes are kept")
    func kept() throws {
        let watch = try Watch(2)
        let most = ChangeLog.kept
        let database = try Database(path: watch.scratch.capture)
        try database.transaction(.immediate) {
            for _ in 0..<4 {
                try ChangeLog.append(.noted, [Int64](repeating: 2, count: Int(most / 2)), to: database)
            }
        }
        let rows = try database.number("change", "SELECT count(*) FROM change")
        #expect(try rows == most / 1000 && watch.reader.revision() == 2 * most + 1)
        #expect(try watch.reader.changes(after: 1, limit: 9) == nil)
        #expect(try watch.reader.changes(after: 2 * most, limit: 9)?.map(\.number) == [2])
    }

    @Test("reports an unknown kind of change and a value that is no list as errors")
    func damaged() throws {
        for (kind, numbers) in [
            (9, "[1]"), (0, "[1"), (0, #"["a"]"#), (0, "[-1]"), (0, "[1e99]"), (0, ""), (0, "[]"), (0, "[,]"),
            (0, "[9007199254740993]"), (0, "[1,2,3,4,5,6]"),
        ] {
            let watch = try Watch(2)
            let database = try Database(path: watch.scratch.capture)
            try database.execute(
                "INSERT INTO change VALUES (5, ?, ?)",
                [.number(Int64(kind)), .text(numbers)]
            )
            var changes = try TrafficChanges(after: 4, in: watch.reader)
            #expect(throws: CaptureFailure.self) { _ = try changes.next(in: watch.reader) }
        }
    }

    @Test(
        "a revision that no capture has is an error when the capture is opened to record",
        arguments: [-1, .max]
    )
    func wrongRevision(revision: Int64) throws {
        let scratch = try ScratchDirectory()
        try CaptureStore.open(.init(path: scratch.capture), now: epoch).close()
        let database = try Database(path: scratch.capture)
        try database.execute("INSERT INTO change VALUES (?, 0, '[1]')", [.number(revision)])
        database.close()
        #expect(throws: CaptureFailure.self) {
            try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        }
        let reader = try CaptureReader(path: scratch.capture)
        #expect(throws: CaptureFailure.self) { try TrafficChanges(after: nil, in: reader) }
    }

    @Test("retention reports the removed rows")
    func retention() throws {
        let watch = try Watch(2, 3)
        var changes = watch.changes
        watch.store.close()
        var options = CaptureStore.Options(path: watch.scratch.capture)
        options.retention.maxAge = .seconds(60)
        let store = try CaptureStore.open(options, now: epoch + .seconds(600))
        store.flush()
        // The first step may have run before this line.
        #expect(store.changes.count > 0)
        #expect(try changes.next(in: watch.reader) == TrafficChanges.Step(goneUpTo: 3))
        store.close()
    }

    @Test(
        "exchanges and relays of a killed process cause changes when the capture is opened again"
    )
    func killed() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.capture
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try CaptureStore.open(.init(path: path), now: epoch)
            var relay = FlowRecord.sample(3)
            (relay.treatment, relay.closed) = (.passedThrough, nil)
            store.record([
                .exchange(try TrafficChangesTests.running(2)), .flow(relay), .exchange(try .sample(4)),
            ])
            store.flush()
            raise(SIGKILL)
        }
        let reader = try CaptureReader(path: path)
        var changes = try TrafficChanges(after: nil, in: reader)
        let store = try CaptureStore.open(.init(path: path), now: epoch)
        defer { store.close() }
        let step = try changes.next(in: reader)
        #expect(step.rows.map(\.id) == [2, 3] && step.rows.allSatisfy(\.hasEnded))
    }

    @Test("a flow that is removed with its last exchange causes a change")
    func removedFlow() throws {
        let watch = try Watch()
        var flow = FlowRecord.failed(1)
        flow.exchanges = 1
        watch.store.record([.flow(flow), .exchange(try .sample(2))])
        #expect(try watch.step().rows.map(\.id) == [1, 2])
        try watch.editor.remove([2])
        let changes = try #require(try watch.reader.changes(after: watch.changes.revision))
        #expect(changes.map(\.number) == [2, 1] && changes.allSatisfy { $0.kind == .removed })
    }

    @Test("the store calls its listeners once for each batch")
    func signal() async throws {
        let watch = try Watch(2)
        let changes = watch.store.changes
        let (count, exchange) = (changes.count, FlowEvent.exchange(try .sample(3)))
        await withCheckedContinuation { continuation in
            changes.tell(watch, after: count) { continuation.resume() }
            watch.store.record([exchange])
        }
        #expect(changes.count == count + 1)
        #expect(try watch.changes.next(in: watch.reader).rows.map(\.id) == [3])
        // A waiter that missed a change is woken at once, and one that has left is not.
        await withCheckedContinuation { continuation in
            changes.tell(watch, after: count) { continuation.resume() }
        }
        changes.tell(watch, after: count + 1) { Issue.record("it has left") }
        #expect(changes.isHeard)
        changes.remove(watch)
        changes.raise()
        #expect(!changes.isHeard)
    }
}
