import PinholeLock
package import PinholeModel

/// A sink that gives out numbers and lets the harness read the records itself.
package final class CountingSink: FlowSink {
    private let count = Lock<Int64>(0)

    /// Creates a sink that begins with 1.
    package init() {}

    /// The next number.
    package func nextID() -> Int64 {
        count.withLock { count in
            count += 1
            return count
        }
    }

    /// Takes nothing: a harness reads the records from the stack.
    package func record(_ events: [FlowEvent]) {}

    /// Never: there is no writer that could fall behind.
    package var isCongested: Bool { false }

    /// Runs `action` at once.
    package func whenRelieved(_ action: @escaping @Sendable () -> Void) { action() }
}
