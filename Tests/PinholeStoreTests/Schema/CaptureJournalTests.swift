import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite("CaptureJournal")
struct CaptureJournalTests {
    /// Copies a capture with what lies beside it, and says what a reader says of the copy.
    private func warning(_ source: ScratchDirectory, with endings: [String]) throws -> String? {
        let copy = try ScratchDirectory()
        for ending in [""] + endings {
            try FileManager.default.copyItem(
                atPath: source.capture + ending,
                toPath: copy.capture + ending
            )
        }
        let first = try CaptureReader(path: copy.capture).warning
        // Those who open it later say the same.
        #expect(try CaptureReader(path: copy.capture).warning == first)
        return first?.replacing(copy.capture, with: "copy")
    }

    @Test("a copy that was made during a recording is reported if its journal is missing")
    func copies() throws {
        let source = try ScratchDirectory()
        for _ in 1...2 {
            let store = try CaptureStore.open(.init(path: source.capture), now: epoch)
            let expected = "copy may lack its newest entries: it was still being recorded into"
            // Before anything came, and afterwards.
            for _ in 1...2 {
                #expect(try warning(source, with: [])?.hasPrefix(expected) == true)
                #expect(try warning(source, with: ["-wal"]) == nil)
                #expect(try CaptureReader(path: source.capture).warning == nil)
                store.record([.exchange(try .sample(store.nextID()))])
                store.flush()
            }
            store.close()
            #expect(try warning(source, with: []) == nil)
            #expect(try CaptureReader(path: source.capture).warning == nil)
        }
    }

    @Test("a killed recorder leaves a journal, which alone is enough to read the capture")
    func killed() async throws {
        let source = try ScratchDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = source.capture as String] in
            let store = try CaptureStore.open(.init(path: path), now: epoch)
            store.record([.exchange(try .sample(store.nextID()))])
            store.flush()
            raise(SIGKILL)
        }
        #expect(try warning(source, with: ["-wal"]) == nil)
        #expect(try warning(source, with: []) != nil)
        let store = try CaptureStore.open(.init(path: source.capture), now: epoch)
        #expect(try CaptureReader(path: source.capture).warning == nil)
        store.close()
        #expect(try warning(source, with: []) == nil)
    }

    @Test("a copied source is named")
    func copied() throws {
        let source = try ScratchDirectory()
        let alone = try ScratchDirectory()
        let target = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: source.capture), now: epoch)
        defer { store.close() }
        try FileManager.default.copyItem(atPath: source.capture, toPath: alone.capture)
        let copy = CaptureCopy(into: target.capture, now: epoch)
        _ = try copy.add(alone.capture, TrafficFilter())
        try copy.finish()
        #expect(copy.warnings.count == 1)
    }
}
