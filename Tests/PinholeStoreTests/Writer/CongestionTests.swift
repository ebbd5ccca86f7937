import PinholeModel
import Testing

@testable import PinholeStore

@Suite("Congestion and trouble")
struct CongestionTests {
    @Test("is congested above the high water mark, and resumes each waiting sender once")
    func congestion() throws {
        let scratch = try ScratchDirectory()
        var options = CaptureStore.Options(path: scratch.capture)
        options.pendingBytes = 1 << 20
        options.flushInterval = .seconds(3600)
        let store = try CaptureStore.open(options, now: epoch)
        defer { store.close() }
        let relieved = Reports<Int>()
        store.whenRelieved { relieved.add(0) }
        #expect(relieved.all == [0])
        // The writer is kept away by a lock on the file.
        let blocker = try Database(path: scratch.capture)
        try blocker.transaction(.immediate) {
            var bytes = 0
            while bytes <= 1 << 20 {
                #expect(!store.isCongested)
                store.record([
                    .bodyPart(ExchangeID(rawValue: 1), .request, [UInt8](repeating: 1, count: 1 << 18))
                ])
                bytes += 1 << 18
                if store.isCongested { break }
            }
            #expect(store.isCongested)
            store.whenRelieved { relieved.add(1) }
            store.whenRelieved { relieved.add(2) }
            #expect(relieved.all == [0])
        }
        blocker.close()
        store.flush()
        store.flush()
        #expect(!store.isCongested)
        #expect(relieved.all == [0, 1, 2])
    }

    @Test("a full disk stops the capture with one message, and traffic flows on")
    func stopCapture() throws {
        let scratch = try ScratchDirectory()
        let troubles = Reports<CaptureProblem>()
        var options = CaptureStore.Options(path: scratch.capture)
        options.maxPages = 40
        let store = try CaptureStore.open(options, now: epoch) { troubles.add($0) }
        for id in 1...2000 {
            store.record([.exchange(try .sample(Int64(id), responseBody: [UInt8](repeating: 1, count: 1000)))]
            )
            if id.isMultiple(of: 100) { store.flush() }
        }
        #expect(troubles.all.count == 1)
        guard case .stopped(let standstill) = troubles.all.first else {
            Issue.record("expected that the capture stopped, got \(troubles.all)")
            return
        }
        #expect(standstill.path == scratch.capture && standstill.isFinal && standstill.since >= epoch)
        #expect(standstill.reason.contains("full"))
        #expect(store.standstill == standstill)
        #expect(!store.isCongested)
        let kept = try CaptureReader(path: scratch.capture).exchanges(limit: 9999).count
        #expect(kept > 100)
        #expect(store.lostEvents == Int64(2000 - kept))
        #expect(store.lostExchanges == store.lostEvents)
        store.close()
    }

    @Test("with the setting to stop traffic, a full disk pauses it, and nothing is lost")
    func stopTraffic() async throws {
        let scratch = try ScratchDirectory()
        let troubles = Reports<CaptureProblem>()
        var options = CaptureStore.Options(path: scratch.capture)
        options.maxPages = 40
        options.whenFull = .stopTraffic
        let store = try CaptureStore.open(options, now: epoch) { troubles.add($0) }
        for id in 1...1000 {
            store.record([.exchange(try .sample(Int64(id), responseBody: [UInt8](repeating: 1, count: 1000)))]
            )
        }
        store.flush()
        store.flush()
        #expect(store.isCongested)
        #expect(troubles.all.count == 1)
        #expect(store.standstill?.isFinal == false)
        store.allowPages(10_000)
        await withCheckedContinuation { done in store.whenRelieved { done.resume() } }
        #expect(troubles.all.last == .resumed(path: scratch.capture))
        #expect(store.standstill == nil)
        #expect(try CaptureReader(path: scratch.capture).exchanges(limit: 9999).count == 1000)
        #expect(store.lostEvents == 0)
        store.close()
    }
}
