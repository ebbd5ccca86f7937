import PinholeFormats

/// The counts and times of all requests of a replay.
struct ReplaySummary: Sendable, Equatable {
    /// The number of answers with the recorded status.
    private(set) var same = 0
    /// The number of answers with another status, or without a recorded answer.
    private(set) var different = 0
    /// The number of answers that differ from the recorded one in any part.
    private(set) var changed = 0
    /// The number of requests without a response.
    private(set) var failed = 0
    /// The number of requests that were not sent.
    private(set) var refused = 0
    private var durations: [Duration] = []
    private var recorded: [Duration] = []

    /// Counts a result.
    mutating func add(_ result: ReplayResult) {
        switch result.outcome {
        case .answered(let answer, let differences):
            if !differences.isEmpty { changed += 1 }
            if result.hasSameStatus { same += 1 } else { different += 1 }
            durations.append(answer.duration)
            if let before = result.recorded { recorded.append(before.duration) }
        case .failed: failed += 1
        case .refused: refused += 1
        }
    }

    /// The number of all requests.
    var count: Int { same + different + failed + refused }

    /// The percentiles of the new answers' times.
    var times: Percentiles? { Percentiles(durations) }

    /// The percentiles of the recorded times of the same requests.
    var recordedTimes: Percentiles? { Percentiles(recorded) }
}
