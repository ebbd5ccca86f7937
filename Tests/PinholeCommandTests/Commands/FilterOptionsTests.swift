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
}
