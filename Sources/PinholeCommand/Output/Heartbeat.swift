import Foundation
import PinholeLock

/// Calls a closure at regular intervals, on a thread of its own, until it is stopped.
///
/// Commands that block their thread need it: a task would wait for the same thread.
final class Heartbeat: Sendable {
    private let isOver = Lock(false)
    private let changed = NSCondition()

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - interval: The time between two calls, in seconds.
    ///   - beat: The closure.
    init(every interval: TimeInterval, _ beat: @escaping @Sendable () -> Void) {
        let thread = Thread { [self] in
            while pauses(for: interval) { beat() }
        }
        thread.name = "pinhole.heartbeat"
        thread.start()
    }

    /// Ends the thread; a call that is under way goes on to its end.
    func stop() {
        isOver.withLock { $0 = true }
        changed.lock()
        changed.broadcast()
        changed.unlock()
    }

    /// Waits for an interval; returns false as soon as the heartbeat is stopped.
    private func pauses(for interval: TimeInterval) -> Bool {
        let end = Date(timeIntervalSinceNow: interval)
        changed.lock()
        defer { changed.unlock() }
        while !isOver.withLock(\.self) {
            guard changed.wait(until: end) else { return !isOver.withLock(\.self) }
        }
        return false
    }
}
