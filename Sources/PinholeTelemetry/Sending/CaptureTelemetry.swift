package import PinholeStore

/// Sends the spans of a capture to a collector while the capture is recorded.
///
/// The writer of the capture adds to the queue what it has written. The records are then read from the capture, so that
/// neither traffic nor memory depends on the collector.
package actor CaptureTelemetry {
    /// The number of exchanges and flows in one request.
    private static let batch = 500
    /// The wait for more records if there are few, so that a slow stream of traffic makes few requests.
    private static let gathering = Duration.milliseconds(500)

    private let queue: SpanQueue
    private let reader: CaptureReader
    private let spans = TrafficSpans()
    private let resource: SpanResource
    private let collector: Collector
    private let tell: @Sendable (String) -> Void
    /// The exchanges and failed flows whose spans nobody will get, because the collector refused them, too many waited,
    /// or the capture does not have them any more.
    private var lost = 0
    /// The number of records that were taken from the queue and are being sent.
    private var pending = 0
    private var isAway = false
    private var isEnding = false
    private var work: Task<Void, Never>?

    /// Creates a sender, which does not send yet.
    ///
    /// - Parameters:
    ///   - queue: The numbers of what is to be sent.
    ///   - reader: The capture.
    ///   - resource: The source of the spans.
    ///   - collector: The collector.
    ///   - tell: Receives messages for users.
    package init(
        _ queue: SpanQueue,
        of reader: CaptureReader,
        _ resource: SpanResource,
        to collector: Collector,
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.queue = queue
        self.reader = reader
        self.resource = resource
        self.collector = collector
        self.tell = tell
    }

    /// Begins to send.
    package func start() {
        guard work == nil else { return }
        work = Task(priority: .low) { await self.run() }
    }

    /// Sends what waits, and ends.
    ///
    /// - Parameter limit: The longest time.
    /// - Returns: The number of exchanges and failed flows of the whole run whose spans the collector did not get.
    package func finish(within limit: Duration) async -> Int {
        isEnding = true
        queue.finish()
        guard let work else { return queue.count }
        let timer = Task {
            try? await Task.sleep(for: limit)
            if !Task.isCancelled { work.cancel() }
        }
        await work.value
        timer.cancel()
        return lost + queue.count + pending
    }

    private func run() async {
        while await queue.wait() {
            if queue.count < Self.batch, !isEnding { try? await Task.sleep(for: Self.gathering) }
            let begin = ContinuousClock.now
            let numbers = queue.take(Self.batch)
            pending = numbers.count
            let found = read(numbers)
            let body = found.isEmpty ? [] : collector.encode(SpanBatch(resource, found))
            let work = ContinuousClock.now - begin
            if !body.isEmpty, await !deliver(body, found.count, of: numbers.count) { return }
            pending = 0
            noteLost()
            // The traffic goes first: at least three quarters of a core are left to it.
            if !isEnding { try? await Task.sleep(for: work * 3) }
        }
    }

    private func deliver(_ body: [UInt8], _ spans: Int, of records: Int) async -> Bool {
        switch await collector.send(body, failed: noteFailure) {
        case .unreached: return false
        case .refused(let reason):
            lost += records
            tell("the collector at \(collector.name) refused \(spans) spans: \(reason)")
        case .delivered(let answer):
            if isAway { tell("the collector at \(collector.name) takes spans again") }
            isAway = false
            if answer.rejected > 0 {
                tell("the collector at \(collector.name) rejected \(answer.rejected) spans: \(answer.reason)")
            }
        }
        return true
    }

    private func noteFailure(_ reason: String) {
        guard !isAway else { return }
        isAway = true
        tell("the collector at \(collector.name) takes no spans; they wait in the capture: \(reason)")
    }

    private func noteLost() {
        let dropped = queue.takeLost()
        guard dropped > 0 else { return }
        lost += dropped
        tell(
            "too many records wait for the collector at \(collector.name): the spans of the \(dropped) oldest are left out; "
                + "“pinhole flows export --otlp” can send them later"
        )
    }

    /// Returns the spans of records; one that was removed from the capture has none.
    private func read(_ numbers: [Int64]) -> [Span] {
        do throws(CaptureFailure) {
            let (found, missing) = try spans.spans(of: numbers, in: reader)
            lost += missing
            return found
        } catch {
            lost += numbers.count
            tell("\(numbers.count) records cannot be sent to the collector: \(error)")
            return []
        }
    }
}
