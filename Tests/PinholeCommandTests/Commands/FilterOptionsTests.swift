import PinholeConsole
import PinholeModel
import Testing

@testable import PinholeCommand

@Suite("Filters")
struct FilterOptionsTests {
    @Test("a moment is so long ago, or a date")
    func moments() throws {
        let now = Timestamp(seconds: 1_000_000_000)
        #expect(try Moment("90s", now: now).timestamp == Timestamp(seconds: 999_999_910))
        #expect(try Moment("2h", now: now).timestamp == Timestamp(seconds: 999_992_800))
        #expect(try Moment("2001-09-09T01:46:40Z", now: now).timestamp == now)
        #expect(try Moment("1970-01-02", now: now).timestamp == Timestamp(seconds: 86_400))
        #expect(throws: AddressFailure.self) { try Moment("yesterday", now: now) }
    }

    @Test("what is followed is told once, when it has ended")
    func following() throws {
        func flow(_ id: Int64, isClosed: Bool) -> TrafficEvent {
            var record = FlowRecord(
                id: FlowID(rawValue: id),
                opened: Timestamp(seconds: 0),
                client: "",
                listener: ""
            )
            if isClosed { record.closed = Timestamp(seconds: 1) }
            return .flow(record)
        }
        var progress = ListingProgress(after: 0)
        #expect(
            progress.take([flow(1, isClosed: true), flow(2, isClosed: false), flow(3, isClosed: true)]).map(
                \.number
            ) == [1, 3]
        )
        #expect(progress.base == 1)
        #expect(progress.take([flow(2, isClosed: true), flow(3, isClosed: true)]).map(\.number) == [2])
        #expect(progress.base == 3)
        // One that goes on for long is told when it ends, however many have come since.
        let crowd = (5...Int64(ListingProgress.window) + 4).map { flow($0, isClosed: true) }
        #expect(progress.take([flow(4, isClosed: false)] + crowd).count == ListingProgress.window)
        #expect(progress.awaited == [4] && progress.base == Int64(ListingProgress.window) + 4)
        #expect(progress.takeAwaited([flow(4, isClosed: false)]).isEmpty && progress.awaited == [4])
        #expect(progress.takeAwaited([flow(4, isClosed: true)]).map(\.number) == [4])
        #expect(progress.awaited.isEmpty)
    }
}
