import Dispatch
import PinholeLock

/// Several readers of one capture, each with a queue of its own.
///
/// Whoever asks does not wait: a question goes to the queue that has the least to do, and its answer comes
/// from there. A page is so answered while the whole capture is walked for somebody else.
package final class CaptureReaders: Sendable {
    private struct Lane: Sendable {
        let queue: DispatchQueue
        let reader: CaptureReader
    }

    private let lanes: [Lane]
    private let waiting: Lock<[Int]>

    /// Questions that may wait at one time, all queues together.
    private static let most = 256

    /// Opens a capture.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - count: How many readers.
    /// - Throws: ``CaptureFailure`` when there is none, it is something else or too new.
    package init(path: String, count: Int = 3) throws(CaptureFailure) {
        var lanes: [Lane] = []
        for number in 0..<count {
            let queue = DispatchQueue(label: "pinhole.reader.\(number)")
            lanes.append(Lane(queue: queue, reader: try CaptureReader(path: path)))
        }
        self.lanes = lanes
        waiting = Lock(Array(repeating: 0, count: count))
    }

    /// Asks soon, on a queue.
    ///
    /// - Parameter work: What is asked; each reader answers one question after the other.
    /// - Returns: Whether it will be asked; not where too much waits already.
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
