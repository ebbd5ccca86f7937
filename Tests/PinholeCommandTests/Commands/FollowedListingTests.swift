import PinholeFilter
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@testable import PinholeCommand

@Suite("Followed lists")
struct FollowedListingTests {
    private static let start = Timestamp(seconds: 1_700_000_000)

    private static func flow(_ id: Int64, isClosed: Bool = true) -> FlowEvent {
        var record = FlowRecord(id: FlowID(rawValue: id), opened: start, client: "", listener: "")
        record.treatment = .intercepted
        if isClosed {
            record.closed = start + .seconds(1)
            record.outcome = Outcome(.dialFailed, fault: .server, detail: "nobody listens")
        }
        return .flow(record)
    }

    private static func exchange(_ id: Int64, hasEnded: Bool = true) throws -> FlowEvent {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("api.test:443"),
            method: "GET",
            path: "/item",
            request: MessageRecord(head: Array("GET /item HTTP/1.1\r\n\r\n".utf8)),
            timings: ExchangeTimings(started: start)
        )
        if hasEnded { (record.status, record.outcome) = (200, .completed) }
        return .exchange(record)
    }

    /// A capture that a list follows.
    private final class Stage {
        let directory: TemporaryDirectory
        let store: CaptureStore
        var followed: FollowedListing

        init(_ events: [FlowEvent] = [], filter: String = "all") throws {
            directory = try TemporaryDirectory()
            let path = directory.file("capture.sqlite")
            store = try CaptureStore.open(.init(path: path), now: start)
            store.record(events)
            store.flush()
            followed = try FollowedListing(
                CaptureListing(reader: try CaptureReader(path: path), condition: try Filter(filter))
            )
        }

        deinit { store.close() }

        func present() throws -> [Int64] { try followed.present(2).map(\.number) }

        func next(_ events: [FlowEvent]) throws -> [Int64] {
            store.record(events)
            store.flush()
            let (new, isBehind) = try followed.next()
            #expect(!isBehind)
            return new.map(\.number)
        }
    }

    @Test("an exchange is printed at its beginning and its end, a flow at its end, each once")
    func once() throws {
        let stage = try Stage([
            try Self.exchange(1, hasEnded: false), try Self.exchange(2),
            try Self.exchange(3, hasEnded: false),
        ])
        #expect(try stage.present() == [2, 3])
        // It is open and older than the entries that are printed.
        #expect(try stage.next([Self.exchange(1, hasEnded: false)]) == [])
        #expect(try stage.next([Self.flow(4, isClosed: false), Self.exchange(5, hasEnded: false)]) == [5])
        #expect(try stage.next([Self.exchange(5, hasEnded: false), Self.flow(4)]) == [4])
        #expect(try stage.next([Self.exchange(5), Self.exchange(3)]) == [3, 5])
        #expect(try stage.next([]) == [])
        // A mark is no new entry.
        let editor = try CaptureEditor(path: stage.store.path)
        _ = try editor.note(5) { $0.isMarked = true }
        #expect(try stage.next([]) == [])
    }

    @Test("an exchange that ends between the list and the first changes is printed once")
    func overlap() throws {
        let stage = try Stage([try Self.exchange(1)])
        stage.store.record([try Self.exchange(2)])
        stage.store.flush()
        #expect(try stage.present() == [1, 2])
        #expect(try stage.next([Self.exchange(3)]) == [3])
    }

    @Test("a filter is applied to the end of an exchange, if it does not match its beginning")
    func filtered() throws {
        let stage = try Stage(filter: "status == 200")
        #expect(try stage.next([Self.exchange(2, hasEnded: false), Self.exchange(3)]) == [3])
        #expect(try stage.next([Self.exchange(2)]) == [2])
    }

    @Test("more entries than one read returns are printed together")
    func many() throws {
        let stage = try Stage()
        #expect(try stage.next((2...3000).map { try Self.exchange($0) }) == Array(2...3000))
        stage.store.record(try (4000...24_100).map { try Self.exchange($0) })
        stage.store.flush()
        let (events, isBehind) = try stage.followed.next()
        #expect(events.map(\.number) == Array(4000...24_100) && !isBehind)
    }

    @Test("an exchange that ends while its beginning is printed is printed once")
    func ahead() throws {
        let stage = try Stage()
        // The beginning is in the first step of changes, and the end in the last one.
        stage.store.record([try Self.exchange(2, hasEnded: false)])
        stage.store.flush()
        #expect(
            try stage.next((3...1500).map { try Self.exchange($0) } + [Self.exchange(2)]) == Array(2...1500)
        )
        #expect(try stage.next([Self.exchange(1600)]) == [1600])
    }
}
