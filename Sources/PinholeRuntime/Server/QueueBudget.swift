import PinholeLock
import Synchronization

/// Counts the bytes that wait in the queues of all connections of a proxy, and says which connection may read more.
///
/// While less than the limit waits, each may. From then on only those may that hold less than an equal share: a
/// connection that holds little goes on, and one that holds much writes before it reads again. Writing is never held back,
/// so what waits can always become less.
final class QueueBudget: Sendable {
    private let limit: Int
    private let used = Atomic<Int>(0)
    private let waiting = Lock<[@Sendable () -> Void]>([])

    /// Creates a budget of which nothing is used.
    init(limit: Int) { self.limit = limit }

    /// Bytes that wait.
    var count: Int { used.load(ordering: .relaxed) }

    /// Whether a connection may read more.
    ///
    /// - Parameters:
    ///   - held: The bytes that wait in its queues.
    ///   - connections: How many connections there are.
    /// - Returns: Whether it may.
    func mayRead(holding held: Int, of connections: Int) -> Bool {
        count < limit || held < limit / max(1, connections)
    }

    /// Takes note that more bytes wait, or fewer.
    func change(by difference: Int) {
        let now = used.add(difference, ordering: .relaxed).newValue
        if now < limit, now - difference >= limit { tellWaiting() }
    }

    /// Calls `action` once, from any thread, as soon as less than the limit waits.
    func whenRelieved(_ action: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(action) }
        // It may have become less before anybody waited.
        if count < limit { tellWaiting() }
    }

    private func tellWaiting() {
        let actions = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for action in actions { action() }
    }
}
