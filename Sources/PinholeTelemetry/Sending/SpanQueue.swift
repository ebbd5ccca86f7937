import PinholeLock
package import PinholeModel

/// The numbers of exchanges and flows that wait for a collector, the oldest first.
///
/// Only numbers wait in memory, 8 bytes each; the capture holds the rest. So a collector may be away for long.
package final class SpanQueue: Sendable {
    private struct State {
        var numbers: [Int64] = []
        /// The place of the first number that was not taken.
        var start = 0
        var lost = 0
        var isFinished = false

        /// Frees the numbers that were taken or dropped, once they are an eighth of all.
        mutating func compact() {
            guard start * 8 > numbers.count else { return }
            numbers = Array(numbers[start...])
            start = 0
        }
    }

    private let capacity: Int
    private let state = Lock(State())
    private let news: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation

    /// Creates an empty queue.
    ///
    /// - Parameter capacity: The most numbers that wait; the oldest go first.
    package init(capacity: Int = 2_000_000) {
        self.capacity = capacity
        (news, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds the exchanges that ended and the flows that failed.
    ///
    /// - Parameter events: Events that are in the capture now.
    package func add(_ events: [FlowEvent]) {
        var ended: [Int64] = []
        for event in events {
            switch event {
            case .exchange(let record) where record.outcome != nil: ended.append(record.id.rawValue)
            case .flow(let record) where record.closed != nil && record.isFailed:
                // Exchanges tell other failures themselves, as in lists.
                let isTold = record.exchanges > 0 && record.handshakes.allSatisfy { $0.failure == nil }
                if !isTold { ended.append(record.id.rawValue) }
            default: break
            }
        }
        guard !ended.isEmpty else { return }
        state.withLock { state in
            state.numbers += ended
            let excess = state.numbers.count - state.start - capacity
            guard excess > 0 else { return }
            state.start += excess
            state.lost += excess
            state.compact()
        }
        tell.yield()
    }

    /// Ends the queue: after the numbers that wait now, there are no more.
    package func finish() {
        state.withLock { $0.isFinished = true }
        tell.yield()
    }

    /// Waits until there are numbers.
    ///
    /// - Returns: Whether there are; false at the end of the queue, or if the task was cancelled.
    package func wait() async -> Bool {
        while !Task.isCancelled {
            let (isEmpty, isFinished) = state.withLock { ($0.start == $0.numbers.count, $0.isFinished) }
            if !isEmpty { return true }
            if isFinished { return false }
            for await _ in news { break }
        }
        return false
    }

    /// Takes the oldest numbers.
    package func take(_ limit: Int) -> [Int64] {
        state.withLock { state in
            let taken = Array(state.numbers[state.start...].prefix(limit))
            state.start += taken.count
            state.compact()
            return taken
        }
    }

    /// The numbers that memory holds, with those that are still to be freed.
    var heldCount: Int { state.withLock { $0.numbers.count } }

    /// The number of exchanges and flows that wait.
    package var count: Int { state.withLock { $0.numbers.count - $0.start } }

    /// Returns how many numbers were dropped since the last call, because too many waited.
    package func takeLost() -> Int {
        state.withLock { state in
            defer { state.lost = 0 }
            return state.lost
        }
    }
}
