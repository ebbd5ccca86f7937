import Dispatch

/// Runs an actor's jobs on one serial Dispatch queue, so that Dispatch handlers on that queue may enter the
/// actor without a hop.
///
/// Linux has no `DispatchSerialQueue` that could be used as an executor.
final class QueueExecutor: SerialExecutor {
    let queue: DispatchQueue

    /// Creates an executor with its own queue.
    init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
