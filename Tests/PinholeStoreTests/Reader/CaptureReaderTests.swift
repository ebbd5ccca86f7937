import PinholeFilter
import PinholeModel
import PinholeStore
import Synchronization
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

    @Test(
        "lists the matches of every condition",
        arguments: [
            ("", [5, 4, 3, 2]), ("host ~ *.example.com", [3]), ("host ~ *:8443", [4, 3]),
            ("host ~ example.com:443", [5, 2]), ("host ~ [::1]", [4]), ("host ~ *", [5, 4, 3, 2]),
            ("host ~ ::*", [4]), ("host !~ example.com", [4]), ("host ~ ample", [5, 3, 2]),
            ("method == post", [3]), ("status == 5xx", [3]),
            ("url contains EXAMPLE.com/index", [2]), ("url contains 100%_s", [2]), ("url contains %", [2]),
            ("time >= 2026-01-02T03:08:15Z", [5, 4]), ("failed", [4, 3]), ("!failed", [2]),
            ("broken", [4]), ("!broken", [3, 2]), ("running", [5]),
            ("port == 8443", [4, 3]), ("path == /index", [2]), ("query startswith 100", [2]),
            ("header[content-type] == text/plain", [5, 4, 2]), ("~hs plain ~u index", [2]),
            ("~b HELLO", [5, 4, 3, 2]),
            ("~b h.l{2}o & status != 200", [3]), ("outcome == abortedByServer", [4]),
            ("error contains ese", [4]),
            ("intercepted", [5, 4, 3, 2]), ("client == 127.0.0.1:50000 id <= 3", [3, 2]),
            ("tls.version == tlsv1.3", [5, 4, 3, 2]),
            ("pinned", []), ("!pinned", [5, 4, 3, 2]), (#"~u ^https://api\.\w+"#, [3]),
            ("duration > 5ms", [5, 4, 3, 2]),
            ("!(duration < 5ms)", [5, 4, 3, 2]), ("~m post | ~u index", [3, 2]), ("grpc", []),
        ]
    )
    func conditions(_ filter: String, _ expected: [Int64]) throws {
        let (scratch, reader) = try Self.capture()
        defer { withExtendedLifetime(scratch) {} }
        let filter = try Filter(filter)
        let found = try reader.exchanges(ExchangeFilter(filter), limit: 99)
        #expect(found.map(\.id.rawValue) == expected, "\(FilterPlan.exchanges(filter).sql)")
    }

    @Test("lists the current matches")
    func selection() throws {
        let (scratch, reader) = try Self.capture()
        defer { withExtendedLifetime(scratch) {} }
        func ids(_ change: (inout ExchangeFilter) -> Void) throws -> [Int64] {
            var filter = ExchangeFilter()
            change(&filter)
            return try reader.exchanges(filter, limit: 99).map(\.id.rawValue)
        }
        #expect(try ids { $0.onlyEnded = true } == [4, 3, 2])
        #expect(try ids { $0.after = ExchangeID(rawValue: 3) } == [5, 4])
        #expect(try ids { $0.before = ExchangeID(rawValue: 3) } == [2])
        #expect(try ids { $0.among = [2, 5, 9].map(ExchangeID.init(rawValue:)) } == [5, 2])
        #expect(try ids { $0.flow = FlowID(rawValue: 1) } == [5, 4, 3, 2])
        #expect(try ids { $0.flow = FlowID(rawValue: 9) } == [])
    }

    @Test(
        "stops at the limit, in either order, also where rows are looked at one by one",
        arguments: ["~u /", "~b l+"]
    )
    func limits(_ filter: String) throws {
        let (scratch, reader) = try Self.capture()
        defer { withExtendedLifetime(scratch) {} }
        let all = ExchangeFilter(try Filter(filter))
        #expect(try reader.exchanges(all, order: .oldestFirst, limit: 2).map(\.id.rawValue) == [2, 3])
        #expect(try reader.exchanges(limit: 1).map(\.id.rawValue) == [5])
        #expect(try reader.exchanges(all, limit: 0).isEmpty)
    }

    @Test(
        "an abandoned search ends at the next row",
        arguments: [("~b nothing", 0), ("~b hello", 2)]
    )
    func cancellation(_ filter: String, _ found: Int) throws {
        let (scratch, reader) = try Self.capture()
        defer { withExtendedLifetime(scratch) {} }
        let filter = ExchangeFilter(try Filter(filter))
        let asked = Atomic(0)
        let impatient = reader.until { asked.wrappingAdd(1, ordering: .relaxed).newValue > 2 }
        #expect(try impatient.exchanges(filter, limit: 99).count == found)
        #expect(asked.load(ordering: .relaxed) == 3)
        #expect(try reader.exchanges(filter, limit: 99).count == (found == 0 ? 0 : 4))
    }

    @Test("counts the rows")
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
