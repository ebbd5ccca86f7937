/// A pool of empty queues with memory, shared by the connections of one event loop.
///
/// A connection borrows memory when bytes arrive, and returns it when its queue is empty. So a thousand idle
/// connections hold no memory, and a busy one allocates nothing.
package struct BufferPool: Sendable {
    /// The capacity of a lent queue, in bytes: a read of 128 KiB and the TLS records made of it.
    @usableFromInline static let capacity = 160 << 10
    /// The largest number of spare queues, more than one turn ever needs: both sides, in and out, plain and encrypted.
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
