import PinholeFormats
import PinholeModel
import Testing

@testable import PinholeCommand

@Suite("ReplaySummary")
struct ReplaySummaryTests {
    private func result(_ outcome: ReplayResult.Outcome) -> ReplayResult {
        ReplayResult(
            id: ExchangeID(rawValue: 1),
            round: 1,
            method: "GET",
            url: "https://a.test/",
            recorded: ReplayAnswer(status: 200, length: 1, duration: .milliseconds(5)),
            outcome: outcome
        )
    }

    @Test("counts, and sorts times")
    func counts() throws {
        var summary = ReplaySummary()
        for number in 1...100 {
            let answer = ReplayAnswer(
                status: number == 1 ? 500 : 200,
                length: 1,
                duration: .milliseconds(number)
            )
            summary.add(result(.answered(answer, differences: [])))
        }
        summary.add(result(.failed("gone")))
        summary.add(result(.refused("cut")))
        #expect(summary.count == 102)
        #expect([summary.same, summary.different, summary.failed, summary.refused] == [99, 1, 1, 1])
        let times = try #require(summary.times)
        #expect(
            [times.least, times.p50, times.p90, times.p99, times.most].map(\.milliseconds) == [
                1, 50, 90, 99, 100,
            ]
        )
        #expect(summary.recordedTimes?.p99 == .milliseconds(5))
        #expect(
            ReplayText(style: .plain, width: nil).lines(summary, took: .seconds(2)) == [
                "102 requests in 2.0 s: 99 with the recorded status, 1 with another status, 1 failed, 1 not sent",
                "time      least 1.0 ms   p50 50 ms   p90 90 ms   p99 99 ms   most 100 ms",
                "recorded  least 5.0 ms   p50 5.0 ms   p90 5.0 ms   p99 5.0 ms   most 5.0 ms",
            ]
        )
    }

    @Test("a single value is every percentile, and no values have none")
    func few() {
        #expect(ReplaySummary().times == nil)
        let one = Percentiles([.seconds(1)])
        #expect(one?.p50 == .seconds(1) && one?.p99 == .seconds(1) && one?.least == .seconds(1))
    }
}
