import PinholeLock

/// Counts the bytes of all messages that are held, whatever connection they came on: one for the proxy.
package final class HeldBudget: Sendable {
    private let used = Lock(0)

    /// Creates a budget of which nothing is used.
    package init() {}

    /// Bytes that are held.
    package var count: Int { used.withLock { $0 } }

    /// Takes room for `count` bytes more.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - limit: How many may be held together.
    /// - Returns: Whether there is room; else nothing is taken.
    func take(_ count: Int, limit: Int) -> Bool {
        used.withLock { used in
            guard used + count <= limit else { return false }
            used += count
            return true
        }
    }

    /// Gives room back that was taken.
    func giveBack(_ count: Int) { used.withLock { $0 -= count } }
}
