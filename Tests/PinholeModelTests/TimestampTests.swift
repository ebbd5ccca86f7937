import Foundation
import PinholeModel
import Testing

@Suite("Timestamp")
struct TimestampTests {
    @Test("adds and subtracts durations")
    func arithmetic() {
        let moment = Timestamp(seconds: 100)
        #expect(moment + .milliseconds(1500) == Timestamp(microseconds: 101_500_000))
        #expect(moment - .microseconds(1) == Timestamp(microseconds: 99_999_999))
        #expect(Timestamp(seconds: 103) - moment == Duration.seconds(3))
        #expect(moment - Timestamp(seconds: 103) == Duration.seconds(-3))
    }

    @Test("orders moments")
    func order() {
        #expect(Timestamp(microseconds: -1) < Timestamp(microseconds: 0))
        #expect(Timestamp(seconds: 1) > Timestamp(microseconds: 999_999))
    }

    @Test(
        "rounds seconds down, before 1970 too",
        arguments: [
            (0, 0), (999_999, 0), (1_000_000, 1), (-1, -1), (-999_999, -1), (-1_000_000, -1),
            (-1_000_001, -2),
        ] as [(Int64, Int64)]
    )
    func seconds(microseconds: Int64, expected: Int64) {
        #expect(Timestamp(microseconds: microseconds).seconds == expected)
    }

    @Test("is a bare number in JSON")
    func coding() throws {
        let moments = [Timestamp(microseconds: 1_700_000_000_123_456), Timestamp(microseconds: -1)]
        let data = try JSONEncoder().encode(moments)
        #expect(String(decoding: data, as: UTF8.self) == "[1700000000123456,-1]")
        #expect(try JSONDecoder().decode([Timestamp].self, from: data) == moments)
    }

    @Test(
        "counts durations in whole units, rounded toward zero",
        arguments: [
            (.nanoseconds(1_999), 1, 0), (.nanoseconds(-1_999), -1, 0),
            (.milliseconds(1_500), 1_500_000, 1_500),
            (.seconds(-2), -2_000_000, -2_000), (.microseconds(-1_500), -1_500, -1),
        ] as [(Duration, Int64, Int64)]
    )
    func durations(duration: Duration, microseconds: Int64, milliseconds: Int64) {
        #expect(duration.microseconds == microseconds)
        #expect(duration.milliseconds == milliseconds)
    }

    @Test("arithmetic ends at the first and last moment, whatever times a file holds")
    func extremes() {
        let (first, last) = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
        #expect(last + .seconds(1) == last && first - .seconds(1) == first)
        #expect((last - first).microseconds == .max && (first - last).microseconds == .min)
        #expect(last - .microseconds(Int64.min) == last && first + .microseconds(Int64.min) == first)
        #expect((Duration.microseconds(Int64.max) + .microseconds(Int64.max)).microseconds == .max)
        #expect(Timestamp(seconds: .max) == last && Timestamp(seconds: .min) == first)
        #expect(first.iso8601.hasSuffix("Z") && last.iso8601Milliseconds.hasSuffix("Z"))
        #expect(
            Timestamp(microseconds: -1).seconds == -1 && Timestamp(microseconds: -1_000_000).seconds == -1
        )
    }
}
