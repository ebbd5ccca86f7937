import PinholeModel
import Synchronization

/// A sink that assigns numbers and discards the records.
final class NumberingSink: FlowSink {
    private let last = Atomic<Int64>(0)

    func nextID() -> Int64 { last.add(1, ordering: .relaxed).newValue }

    func record(_ events: [FlowEvent]) {}

    var isCongested: Bool { false }

    func whenRelieved(_ action: @escaping @Sendable () -> Void) { action() }
}
