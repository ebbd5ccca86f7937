import PinholeFilter
import PinholeLock
import PinholeModel
import PinholeStore
import Testing

@Suite("Searches on all cores")
struct ExchangeJudgesTests {
    /// A capture of 1800 exchanges, of which each seventh says “teapot”.
    private static func withCapture(_ body: (CaptureReader) throws -> Void) throws {
        let scratch = try ScratchDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        store.record([.flow(.sample(1))])
        for id in Int64(2)...1801 {
            let text = id % 7 == 0 ? "a teapot" : "a kettle"
            store.record([.exchange(try .sample(id, responseBody: Array(text.utf8)))])
        }
        store.close()
        try body(try CaptureReader(path: scratch.capture))
    }

    private static let expected = (Int64(2)...1801).filter { $0 % 7 == 0 }

    @Test("find the same as one core, in both orders and up to a limit", arguments: [1, 37, 1000])
    func selection(limit: Int) throws {
        try Self.withCapture { reader in
            let filter = ExchangeFilter(try Filter("~b teapot"))
            let oldest = try reader.exchanges(filter, order: .oldestFirst, limit: limit)
            #expect(oldest.map(\.id.rawValue) == Array(Self.expected.prefix(limit)))
            let newest = try reader.exchanges(filter, order: .newestFirst, limit: limit)
            #expect(newest.map(\.id.rawValue) == Array(Self.expected.reversed().prefix(limit)))
        }
    }

    @Test("end when they are cancelled, and at a past deadline, with the results so far")
    func end() throws {
        try Self.withCapture { reader in
            let filter = ExchangeFilter(try Filter("~b teapot"))
            let asked = Lock(0)
            let cancelled = reader.until {
                asked.withLock { asked in
                    asked += 1
                    return asked > 900
                }
            }
            let found = try cancelled.exchanges(filter, order: .oldestFirst, limit: 1000).map(\.id.rawValue)
            #expect(!found.isEmpty && found.count < Self.expected.count)
            #expect(Set(found).isSubset(of: Self.expected))
            let over = reader.until(ContinuousClock.now)
            #expect(try over.exchanges(filter, limit: 1000).isEmpty)
            #expect(try over.exchanges(ExchangeFilter(), limit: 1000).count == 1000)
        }
    }
}
