import PinholeFormats
import PinholeRuntime
import PinholeSession
import PinholeStore

/// Requests that compare the capture with another recording.
extension ConsoleCall {
    /// The largest number of exchanges of a recording: they are all in memory while they are paired.
    private static let mostExchanges = 100_000
    /// The largest number of exchanges for which the nearest one is looked for.
    private static let mostNearest = 50
    /// The largest number of pairs in an answer, of differences of a pair, and of characters of a value.
    private static let (mostPairs, mostDifferences, longestValue) = (500, 100, 500)

    func recordings() throws -> ConsoleAnswer {
        .json(RecordingList(recordings: api.recordings.jobs))
    }

    func takeRecording() throws -> ConsoleAnswer {
        let (file, name) = try receivedFile()
        guard let job = api.recordings.take(file, named: name, now: api.clock.now()) else {
            let most = ComparedRecordings.limit
            throw Problem(409, "full", "there are \(most) recordings already", remedy: "remove one of them")
        }
        return .json(job, status: 202)
    }

    func removeRecording() throws -> ConsoleAnswer {
        let id = try id()
        guard api.recordings.remove(id) else { throw unknownRecording(id) }
        return ConsoleAnswer(204)
    }

    /// Compares a recording with the capture; what differs between it and a second run of the same is left out.
    func comparison(_ reader: CaptureReader) throws -> ConsoleAnswer {
        guard request.value("before") != nil else {
            throw Problem.bad("before", expected: "the number of a recording", instead: "none")
        }
        let before = try number("before", default: 0, in: 1...Int64.max)
        let filter = ExchangeFilter(try condition(request.value("filter")))
        let abandonment = request.abandonment
        let isCancelled = { @Sendable in abandonment.isAbandoned }
        return try reading(before, filter, isCancelled) { recording in
            var comparison = CaptureComparison()
            if request.value("again") != nil {
                let again = try number("again", default: 0, in: 1...Int64.max)
                try reading(again, filter, isCancelled) { second in
                    try comparison.learn(recording, second, isCancelled: isCancelled)
                }
            }
            var summary = ComparisonSummary()
            var pairs: [DifferenceJSON] = []
            let shown = try self.recording(reader, filter, "the capture")
            let most = Self.mostNearest
            try comparison.compare(recording, shown, nearest: most) { result throws(CaptureFailure) in
                if isCancelled() { throw .cancelled }
                summary.count(result)
                guard !result.isSame, pairs.count < Self.mostPairs else { return }
                pairs.append(
                    DifferenceJSON(result, longest: Self.longestValue, most: Self.mostDifferences)
                )
            }
            return .json(RecordingComparison(summary: summary, pairs: pairs))
        }
    }

    /// Calls `use` with the exchanges of a recording that was read to its end.
    private func reading<Result>(
        _ id: Int64,
        _ filter: ExchangeFilter,
        _ isCancelled: @escaping @Sendable () -> Bool,
        _ use: (CaptureComparison.Recording) throws -> Result
    ) throws -> Result {
        let result = try api.recordings.reading(id) { reader, job in
            guard job.isOver else {
                throw Problem(409, "not read yet", "\(job.name) is still being read", remedy: "ask again")
            }
            guard let reader else {
                let reason = job.failure ?? "it was cancelled"
                throw Problem(409, "not read", "\(job.name) could not be read: \(reason)")
            }
            return try use(try recording(reader.until(isCancelled), filter, job.name))
        }
        guard let result else { throw unknownRecording(id) }
        return result
    }

    private func recording(
        _ reader: CaptureReader,
        _ filter: ExchangeFilter,
        _ name: String
    ) throws -> CaptureComparison.Recording {
        let recording = try CaptureComparison.Recording(reader, filter, limit: Self.mostExchanges + 1)
        guard recording.items.count <= Self.mostExchanges else {
            throw Problem(
                422,
                "too many",
                "expected at most \(Self.mostExchanges) exchanges, found more in \(name)",
                remedy: "select fewer with a filter, or compare with “pinhole flows diff”"
            )
        }
        return recording
    }

    private func unknownRecording(_ id: Int64) -> Problem {
        Problem(404, "not here", "no recording has the number \(id)")
    }
}

/// The recordings.
struct RecordingList: Codable {
    let recordings: [ImportJob]
}

/// A recording beside the capture.
struct RecordingComparison: Codable {
    let summary: ComparisonSummary
    let pairs: [DifferenceJSON]
}
