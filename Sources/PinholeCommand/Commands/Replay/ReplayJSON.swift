import PinholeFormats
import PinholeModel

/// The results of a replay as JSON; docs/EXCHANGE.md describes the keys.
enum ReplayJSON {
    /// Returns the outcome of a repeated request.
    static func object(_ result: ReplayResult) -> JSONObject {
        [
            "type": "replay", "id": result.id.rawValue, "round": result.round, "method": result.method,
            "url": result.url, "recorded": result.recorded.map(answer), "answer": result.answer.map(answer),
            "isSameStatus": result.hasSameStatus, "differences": result.outcome.differences,
            "failure": result.outcome.failure, "refusal": result.outcome.refusal,
        ]
    }

    private static func answer(_ answer: ReplayAnswer) -> JSONObject {
        [
            "status": answer.status, "bytes": answer.length,
            "milliseconds": milliseconds(answer.duration),
        ]
    }

    /// Returns the summary of all requests.
    static func object(_ summary: ReplaySummary, took: Duration) -> JSONObject {
        [
            "type": "summary", "requests": summary.count, "sameStatus": summary.same,
            "otherStatus": summary.different, "changed": summary.changed, "failed": summary.failed,
            "refused": summary.refused, "milliseconds": milliseconds(took),
            "times": summary.times.map(times), "recordedTimes": summary.recordedTimes.map(times),
        ]
    }

    private static func times(_ times: Percentiles) -> JSONObject {
        [
            "least": milliseconds(times.least), "p50": milliseconds(times.p50),
            "p90": milliseconds(times.p90), "p99": milliseconds(times.p99),
            "most": milliseconds(times.most),
        ]
    }

    private static func milliseconds(_ duration: Duration) -> Double { Double(duration.microseconds) / 1000 }
}
