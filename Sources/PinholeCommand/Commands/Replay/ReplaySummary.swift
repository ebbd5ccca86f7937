import PinholeModel

/// What became of all requests of a replay.
struct ReplaySummary: Sendable, Equatable {
    /// Answers with the recorded status.
    private(set) var same = 0
    /// Answers with another status, or where none was recorded.
    private(set) var different = 0
    /// Requests without an answer.
    private(set) var failed = 0
    /// Requests that were not sent.
    private(set) var refused = 0
    private var durations: [Duration] = []
    private var recorded: [Duration] = []

    /// Counts a result.
    mutating func add(_ result: ReplayResult) {
        switch result.outcome {
        case .answered(let answer, _):
            if result.hasSameStatus { same += 1 } else { different += 1 }
            durations.append(answer.duration)
            if let before = result.recorded { recorded.append(before.duration) }
        case .failed: failed += 1
        case .refused: refused += 1
        }
    }

    /// How many requests there were.
    var count: Int { same + different + failed + refused }

    /// The times of the answers that came.
    var times: Percentiles? { Percentiles(durations) }

    /// The recorded times of the same requests.
    var recordedTimes: Percentiles? { Percentiles(recorded) }

    /// Durations, each not reached by so many of a hundred.
    struct Percentiles: Sendable, Equatable {
        let least: Duration
        let p50: Duration
        let p90: Duration
        let p99: Duration
        let most: Duration

        /// Sorts durations; `nil` where there are none.
        init?(_ durations: [Duration]) {
            let sorted = durations.sorted()
            guard let least = sorted.first, let most = sorted.last else { return nil }
            // The nearest rank.
            let rank = { (share: Int) in sorted[(sorted.count * share + 99) / 100 - 1] }
            self.least = least
            self.most = most
            (p50, p90, p99) = (rank(50), rank(90), rank(99))
        }
    }
}
