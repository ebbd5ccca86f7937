/// Empty queues with memory that go round between the connections of one loop.
///
/// A connection borrows memory when bytes come and gives it back when it has drained, so that a
/// thousand idle connections hold none and a busy one allocates nothing.
package struct BufferPool: Sendable {
    /// Room for a read of 128 KiB and the records that it becomes.
    @usableFromInline static let capacity = 160 << 10
    /// More than one turn ever needs at once: both sides, in and out, plain and encrypted.
    @usableFromInline static let kept = 12
    @usableFromInline var spare: [ByteQueue] = []

    /// Creates an empty pool.
    package init() {}

    /// Gives `queue` memory if it has none.
    @inlinable
    package mutating func lend(to queue: inout ByteQueue) {
        guard queue.capacity == 0 else { return }
        if let spare = spare.popLast() {
            queue = spare
        } else {
            queue.append(capacity: Self.capacity) { _ in }
        }
    }

    /// Takes the memory of `queue` back if it is empty.
    @inlinable
    package mutating func reclaim(from queue: inout ByteQueue) {
        guard queue.isEmpty, queue.capacity > 0 else { return }
        if spare.count < Self.kept, queue.capacity <= 2 * Self.capacity {
            var lent = ByteQueue()
            swap(&lent, &queue)
            spare.append(lent)
        } else {
            queue.releaseIfEmpty()
        }
    }
}
