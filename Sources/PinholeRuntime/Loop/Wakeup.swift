/// Wakes the one task that waits on a loop.
///
/// A wake-up that comes while nobody waits is kept for the next wait, so none is lost. A task may be suspended at each
/// `await`, also between its look at a condition and its wait: a task with a preferred executor is, whenever it calls
/// an isolated function. So a wait may end without a change, and its caller looks at the condition again.
package final class Wakeup {
    private var waiter: CheckedContinuation<Void, Never>?
    private var isKept = false

    /// Creates a wake-up that was not sent yet.
    package init() {}

    /// Wakes the task that waits, or the next one that will.
    package func send(on loop: isolated EventLoop) {
        if let waiter = waiter.take() { waiter.resume() } else { isKept = true }
    }

    /// Waits for the next wake-up, or takes the one that was kept.
    package func wait(on loop: isolated EventLoop) async {
        await withCheckedContinuation { continuation in
            if isKept { continuation.resume() } else { waiter = continuation }
            isKept = false
        }
    }
}
