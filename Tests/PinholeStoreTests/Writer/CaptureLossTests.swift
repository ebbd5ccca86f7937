import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite("A capture that is lost while it is recorded into")
struct CaptureLossTests {
    private static let moved = "it was deleted or moved away while it was recorded into"

    /// Asks until the writer has looked for the file.
    private func standstill(_ store: CaptureStore) async throws -> CaptureStandstill {
        let standstill = try await Patience.poll {
            store.flush()
            return store.standstill
        }
        return try #require(standstill)
    }

    @Test(
        "a file that was deleted stops the capture with one message, and traffic flows on",
        arguments: [true, false]
    )
    func deleted(hasTraffic: Bool) async throws {
        let scratch = try ScratchDirectory()
        let troubles = Reports<CaptureProblem>()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch) { troubles.add($0) }
        defer { store.close() }
        #expect(store.standstill == nil)
        try FileManager.default.removeItem(atPath: scratch.capture)
        if hasTraffic { store.record([.exchange(try .sample(store.nextID()))]) }
        let standstill = try await standstill(store)
        #expect(standstill.isFinal && standstill.reason == Self.moved)
        #expect(standstill.remedy.hasPrefix("Start Pinhole again"))
        #expect(troubles.all == [.stopped(standstill)])
        #expect(
            standstill.description.hasPrefix(
                "THE CAPTURE HAS STOPPED: \(scratch.capture) cannot be written: "
            )
        )
        store.record([.exchange(try .sample(store.nextID()))])
        #expect(store.lostEvents == (hasTraffic ? 2 : 1) && !store.isCongested)
    }

    @Test("a file that another one has replaced stops the capture, and the other one is left as it is")
    func replaced() async throws {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        defer { store.close() }
        try FileManager.default.moveItem(atPath: scratch.capture, toPath: scratch.capture + ".old")
        try Data("mine".utf8).write(to: URL(filePath: scratch.capture))
        #expect(try await standstill(store).reason.hasPrefix("another file has taken its place"))
        #expect(FileManager.default.contents(atPath: scratch.capture) == Data("mine".utf8))
    }

    @Test("traffic that was stopped for a missing file continues when the file is back")
    func putBack() async throws {
        let scratch = try ScratchDirectory()
        var options = CaptureStore.Options(path: scratch.capture)
        options.whenFull = .stopTraffic
        let store = try CaptureStore.open(options, now: epoch)
        defer { store.close() }
        try FileManager.default.moveItem(atPath: scratch.capture, toPath: scratch.capture + ".old")
        store.record([.exchange(try .sample(store.nextID()))])
        #expect(try await !standstill(store).isFinal && store.isCongested)
        try FileManager.default.moveItem(atPath: scratch.capture + ".old", toPath: scratch.capture)
        await withCheckedContinuation { done in store.whenRelieved { done.resume() } }
        #expect(store.lostEvents == 0 && store.standstill == nil)
        #expect(try CaptureReader(path: scratch.capture).exchanges(limit: 9).count == 1)
    }

    @Test("a store that was not closed leaves a complete capture")
    func dropped() throws {
        let scratch = try ScratchDirectory()
        // A proxy that cannot listen gives up its store like this.
        do { try CaptureStore.open(.init(path: scratch.capture), now: epoch).flush() }
        #expect(try CaptureReader(path: scratch.capture).warning == nil)
    }
}
