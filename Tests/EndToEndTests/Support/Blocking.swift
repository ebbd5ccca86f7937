import Foundation
import PinholeTestKit

/// Runs `body`, which may wait, on a thread of its own, so that it blocks no task.
///
/// It stays a task, so that what it expects belongs to the test that called it.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await Task(executorPreference: ThreadExecutor()) { try body() }.value
}

/// Runs each job on a thread of its own.
private final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// Hands values from thread to thread.
///
/// Sendable: guarded by `condition`.
final class Mailbox<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var values: [Value] = []

    /// Puts `value` in.
    func put(_ value: Value) {
        condition.lock()
        values.append(value)
        condition.signal()
        condition.unlock()
    }

    /// Takes the oldest value out; waits for one, but not for ever.
    func take() throws -> Value {
        let end = Date(timeIntervalSinceNow: TimeInterval(Patience.seconds))
        condition.lock()
        defer { condition.unlock() }
        while values.isEmpty {
            guard condition.wait(until: end) else { throw ConnectionFailure.timedOut }
        }
        return values.removeFirst()
    }

    /// What is in it.
    var contents: [Value] {
        condition.lock()
        defer { condition.unlock() }
        return values
    }
}
