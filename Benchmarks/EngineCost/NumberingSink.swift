import PinholeModel
import Synchronization

/// Gives out numbers; the records stay with the tunnel.
final class NumberingSink: FlowSink {
    private let last = Atomic<Int64>(0)

    func nextID() -> Int64 { last.add(1, ordering: .relaxed).newValue }

    func record(_ events: [FlowEvent]) {}

    var isCongested: Bool { false }

    func whenRelieved(_ action: @escaping @Sendable () -> Void) { action() }
}
