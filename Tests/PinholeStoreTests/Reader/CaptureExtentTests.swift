import PinholeModel
import Testing

@testable import PinholeStore

@Suite("Extent of a capture")
struct CaptureExtentTests {
    @Test("a count that continues from an earlier one agrees with a new count, also after removals")
    func continues() throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        defer { store.close() }
        let reader = try CaptureReader(path: scratch.capture)
        let editor = try CaptureEditor(path: scratch.capture)
        var open = FlowRecord.sample(1)
        open.closed = nil
        store.record([.flow(open)] + (try (2...100).map { .exchange(try .sample($0)) }))
        var extent = CaptureExtent()
        func check(exchanges: Int, flows: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
            store.flush()
            extent = try reader.extent(since: extent)
            #expect(try extent.exchanges == reader.extent().exchanges, sourceLocation: sourceLocation)
            #expect(extent.exchanges == exchanges && extent.flows == flows, sourceLocation: sourceLocation)
        }
        try check(exchanges: 99, flows: 1)
        store.record([.exchange(try .sample(101))])
        try check(exchanges: 100, flows: 1)
        try editor.remove([50])
        try check(exchanges: 99, flows: 1)
        // The open flow is recorded again with its number, so the first number is the same as before.
        try editor.removeAll(upTo: 101)
        store.record([.flow(.sample(1)), .exchange(try .sample(102))])
        try check(exchanges: 1, flows: 1)
    }
}
