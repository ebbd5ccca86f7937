import Dispatch
import PinholeLock

/// Several readers of one capture, each with its own queue.
///
/// Callers do not wait: a query goes to the queue with the least work, and its answer comes from there. So a page can
/// be read while a search through the whole capture runs for another caller.
package final class CaptureReaders: Sendable {
    private struct Lane: Sendable {
        let queue: DispatchQueue
        let reader: CaptureReader
    }

    private let lanes: [Lane]
    private let waiting: Lock<[Int]>

    /// The largest number of waiting queries, all queues together.
    private static let most = 256

    /// Opens a capture.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - count: The number of readers.
    /// - Throws: ``CaptureFailure`` if the file is missing, is not a capture, or is too new.
    package init(path: String, count: Int = 3) throws(CaptureFailure) {
        var lanes: [Lane] = []
        for number in 0..<count {
            let queue = DispatchQueue(label: "pinhole.reader.\(number)")
            lanes.append(Lane(queue: queue, reader: try CaptureReader(path: path)))
        }
        self.lanes = lanes
        waiting = Lock(Array(repeating: 0, count: count))
    }

    /// Runs a query soon, on one of the queues.
    ///
    /// - Parameter work: The query; each reader runs one after the other.
    /// - Returns: Whether the query will run; `false` if too many are waiting.
    @discardableResult
    package func perform(_ work: @escaping @Sendable (CaptureReader) -> Void) -> Bool {
        let chosen = waiting.withLock { waiting -> Int? in
            guard waiting.reduce(0, +) < Self.most else { return nil }
            guard let least = waiting.indices.min(by: { waiting[$0] < waiting[$1] }) else { return nil }
            waiting[least] += 1
            return least
        }
        guard let chosen else { return false }
        let lane = lanes[chosen]
        lane.queue.async { [self] in
            work(lane.reader)
            waiting.withLock { $0[chosen] -= 1 }
        }
        return true
    }
}
