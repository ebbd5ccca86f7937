import Dispatch
import PinholeModel

/// Runs tasks one after another outside of the event loops; a task may wait for a file or another program.
package final class WorkQueue: Sendable {
    private let queue: DispatchQueue

    /// Creates a queue.
    ///
    /// - Parameter label: The name for debuggers.
    package init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Runs `work` after all previous tasks.
    package func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs `work` after a pause, but not before previous tasks are done.
    package func perform(after pause: Duration, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .microseconds(Int(pause.microseconds)), execute: work)
    }

    /// Waits until all previous tasks are done, for at most `limit`.
    package func finish(within limit: Duration) {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        _ = isDone.wait(timeout: .now() + .microseconds(Int(limit.microseconds)))
    }
}
