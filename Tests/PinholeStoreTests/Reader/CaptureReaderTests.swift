import PinholeModel
import PinholeStore
import Testing

@Suite("CaptureReader")
struct CaptureReaderTests {
    private static func capture() throws -> (ScratchDirectory, CaptureReader) {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        var failed = try ExchangeRecord.sample(4, authority: "[::1]:8443", after: .seconds(300))
        failed.outcome = .aborted(by: .server, "reset")
        var running = try ExchangeRecord.sample(5, after: .seconds(400))
        running.outcome = nil
        store.record([
            .flow(.sample(1)),
            .exchange(try .sample(2, path: "/Index?100%_sure", after: .seconds(100))),
            .exchange(
                try .sample(
                    3,
                    authority: "api.example.com:8443",
                    method: "POST",
                    responseHead: "HTTP/1.1 503 No\r\n\r\n",
                    after: .seconds(200)
                )
            ),
            .exchange(failed), .exchange(running),
        ])
        store.close()
        return (scratch, try CaptureReader(path: scratch.capture))
    }

    private static func filter(_ change: (inout ExchangeFilter) throws -> Void) rethrows -> ExchangeFilter {
        var filter = ExchangeFilter()
        try change(&filter)
        return filter
    }

    @Test("lists what every condition means")
    func conditions() throws {
        let (scratch, reader) = try Self.capture()
        defer { withExtendedLifetime(scratch) {} }
        func ids(_ change: (inout ExchangeFilter) throws -> Void) throws -> [Int64] {
            try reader.exchanges(try Self.filter(change), limit: 99).map(\.id.rawValue)
        }
        #expect(try ids { _ in } == [5, 4, 3, 2])
        #expect(try ids { $0.host = try HostPattern("*.example.com") } == [3])
        #expect(try ids { $0.host = try HostPattern("*:8443") } == [4, 3])
        #expect(try ids { $0.host = try HostPattern("example.com:443") } == [5, 2])
        #expect(try ids { $0.host = try HostPattern("[::1]") } == [4])
        #expect(try ids { $0.method = "post" } == [3])
        #expect(try ids { $0.status = 500...599 } == [3])
        #expect(try ids { $0.text = "EXAMPLE.com/index" } == [2])
        #expect(try ids { $0.text = "100%_s" } == [2])
        #expect(try ids { $0.text = "%" } == [2])
        #expect(try ids { $0.since = epoch + .seconds(250) } == [5, 4])
        #expect(try ids { $0.onlyFailed = true } == [4])
        #expect(try ids { $0.onlyEnded = true } == [4, 3, 2])
        #expect(try ids { $0.after = ExchangeID(rawValue: 3) } == [5, 4])
        #expect(try ids { $0.before = ExchangeID(rawValue: 3) } == [2])
        #expect(try ids { $0.among = [2, 5, 9].map(ExchangeID.init(rawValue:)) } == [5, 2])
        #expect(try ids { $0.flow = FlowID(rawValue: 1) } == [5, 4, 3, 2])
        #expect(try ids { $0.flow = FlowID(rawValue: 9) } == [])
    }

    @Test("stops at the limit, in either order, also behind a host pattern")
    func limits() throws {
        let (scratch, reader) = try Self.capture()
        defer { withExtendedLifetime(scratch) {} }
        let all = try Self.filter { $0.host = try HostPattern("*") }
        #expect(try reader.exchanges(all, order: .oldestFirst, limit: 2).map(\.id.rawValue) == [2, 3])
        #expect(try reader.exchanges(limit: 1).map(\.id.rawValue) == [5])
        #expect(try reader.exchanges(limit: 0).isEmpty)
    }

    @Test("counts what is there")
    func statistics() throws {
        let (scratch, reader) = try Self.capture()
        defer { withExtendedLifetime(scratch) {} }
        let statistics = try reader.statistics()
        #expect(statistics.flows == 1 && statistics.exchanges == 4 && statistics.failedFlows == 0)
        #expect(statistics.bodyBytes == 20 && statistics.capturedBytes == 20)
        #expect(statistics.first == epoch && statistics.last == epoch + .seconds(400))
    }

    @Test("finds nothing under a number that is not there")
    func missing() throws {
        let (scratch, reader) = try Self.capture()
        defer { withExtendedLifetime(scratch) {} }
        #expect(try reader.exchange(ExchangeID(rawValue: 99)) == nil)
        #expect(try reader.flow(FlowID(rawValue: 99)) == nil)
    }
}
