import PinholeLock
import PinholeRuntime

/// Calls a closure at regular intervals until it is stopped, on a thread of its own.
///
/// A command that blocks its thread needs a heartbeat, because a task would wait for the same thread.
final class Heartbeat: Sendable {
    private let isOver = Lock(false)
    private let queue = WorkQueue("pinhole.heartbeat")
    private let interval: Duration
    private let beat: @Sendable () -> Void

    /// Starts the calls.
    ///
    /// - Parameters:
    ///   - interval: The time before each call.
    ///   - beat: The closure.
    init(every interval: Duration, _ beat: @escaping @Sendable () -> Void) {
        self.interval = interval
        self.beat = beat
        schedule()
    }

    /// Stops the calls; a call that has begun goes on to its end.
    func stop() { isOver.withLock { $0 = true } }

    private func schedule() {
        queue.perform(after: interval) { [self] in
            guard !isOver.withLock(\.self) else { return }
            beat()
            schedule()
        }
    }
}
