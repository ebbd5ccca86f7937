import PinholeLock

/// The number of bytes in all held messages of the proxy, on all connections.
package final class HeldBudget: Sendable {
    private let used = Lock(0)

    /// Creates an empty budget.
    package init() {}

    /// The number of bytes that are held.
    package var count: Int { used.withLock { $0 } }

    /// Takes room for more bytes.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - limit: The number of bytes that may be held together.
    /// - Returns: Whether there was room; otherwise nothing is taken.
    func take(_ count: Int, limit: Int) -> Bool {
        used.withLock { used in
            guard used + count <= limit else { return false }
            used += count
            return true
        }
    }

    /// Gives room back.
    func giveBack(_ count: Int) { used.withLock { $0 -= count } }
}
