import PinholeFormats
import PinholeModel

/// The outcome of a repeated request as JSON; docs/EXCHANGE.md describes the keys.
struct ReplayResultJSON: Encodable {
    struct Answer: Encodable {
        let status: Int
        let bytes: Int64
        let milliseconds: Double

        init(_ answer: ReplayAnswer) {
            status = answer.status
            bytes = answer.length
            milliseconds = Double(answer.duration.microseconds) / 1000
        }
    }

    let type = "replay"
    let id: Int64
    let round: Int
    let method: String
    let url: String
    let recorded: Answer?
    let answer: Answer?
    let isSameStatus: Bool
    let differences: [String]?
    let failure: String?
    let refusal: String?

    init(_ result: ReplayResult) {
        id = result.id.rawValue
        round = result.round
        method = result.method
        url = result.url
        recorded = result.recorded.map(Answer.init)
        answer = result.answer.map(Answer.init)
        isSameStatus = result.hasSameStatus
        differences = result.outcome.differences
        failure = result.outcome.failure
        refusal = result.outcome.refusal
    }
}

/// The summary of all requests as JSON.
struct ReplaySummaryJSON: Encodable {
    /// Times in milliseconds.
    struct Times: Encodable {
        let least: Double
        let p50: Double
        let p90: Double
        let p99: Double
        let most: Double

        init(_ times: Percentiles) {
            let milliseconds = { (duration: Duration) in Double(duration.microseconds) / 1000 }
            least = milliseconds(times.least)
            p50 = milliseconds(times.p50)
            p90 = milliseconds(times.p90)
            p99 = milliseconds(times.p99)
            most = milliseconds(times.most)
        }
    }

    let type = "summary"
    let requests: Int
    let sameStatus: Int
    let otherStatus: Int
    let changed: Int
    let failed: Int
    let refused: Int
    let milliseconds: Double
    let times: Times?
    let recordedTimes: Times?

    init(_ summary: ReplaySummary, took: Duration) {
        requests = summary.count
        sameStatus = summary.same
        otherStatus = summary.different
        changed = summary.changed
        failed = summary.failed
        refused = summary.refused
        milliseconds = Double(took.microseconds) / 1000
        times = summary.times.map(Times.init)
        recordedTimes = summary.recordedTimes.map(Times.init)
    }
}
