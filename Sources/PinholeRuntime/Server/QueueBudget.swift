import PinholeLock
import Synchronization

/// Counts the bytes that wait in the queues of all connections of a proxy, and decides which connection may read more.
///
/// Below the limit, every connection may read. At the limit, only connections with less than an equal share
/// may read, and the others have to write first. Writing is never held back, so the queues can always shrink.
final class QueueBudget: Sendable {
    private let limit: Int
    private let used = Atomic<Int>(0)
    private let waiting = Lock<[@Sendable () -> Void]>([])

    init(limit: Int) { self.limit = limit }

    /// The number of waiting bytes.
    var count: Int { used.load(ordering: .relaxed) }

    /// Whether a connection may read more.
    ///
    /// - Parameters:
    ///   - held: The number of bytes that wait in its queues.
    ///   - connections: The number of connections.
    /// - Returns: Whether it may.
    func mayRead(holding held: Int, of connections: Int) -> Bool {
        count < limit || held < limit / max(1, connections)
    }

    /// Adds a difference to the number of waiting bytes.
    func change(by difference: Int) {
        let now = used.add(difference, ordering: .relaxed).newValue
        if now < limit, now - difference >= limit { tellWaiting() }
    }

    /// Calls `action` once, on any thread, as soon as the number of waiting bytes is below the limit.
    func whenRelieved(_ action: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(action) }
        // The queues may have shrunk before `action` was added.
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
