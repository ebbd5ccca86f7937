import PinholeLock

/// Bounds the number of answers of one kind that are given at one time.
final class AnswerSlots: Sendable {
    private let free: Lock<Int>

    init(_ count: Int) { free = Lock(count) }

    /// Takes a slot, and returns whether one was free.
    func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    /// Gives a slot back.
    func release() { free.withLock { $0 += 1 } }
}
