import PinholeLock
import PinholeRuntime
import PinholeSession

/// Prints the items of event loops on a queue of its own, so that a slow reader of standard output never holds up
/// traffic.
///
/// The number of items that wait is bounded. Items beyond the bound are dropped, and a message says how many.
final class LinePrinter<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var dropped = 0
        /// Whether the next item is printed at once: the printer has started, and has rested since its last line.
        var isReady = false
        var isClosed = false
        /// Whether the reader of the output has not closed it.
        var isRead = true
    }

    /// The maximum count of waiting items; without it, a pipe to an idle `less` would cost unlimited memory.
    private static var room: Int { 4096 }
    /// The rest of the printer after each print, so that a burst of items becomes a few pieces of text.
    ///
    /// A wake-up of the printer for each item would cost a busy proxy more than the line.
    private static var pause: Duration { .milliseconds(20) }

    private let state = Lock(State())
    private let queue = WorkQueue("pinhole.printer")
    private let descriptor: Int32
    private let lines: @Sendable ([Item]) -> String
    private let note: @Sendable (_ dropped: Int) -> Void

    /// Creates a printer; it prints from ``start()`` on.
    ///
    /// - Parameters:
    ///   - descriptor: The output.
    ///   - lines: Makes the lines of some items, each with its end.
    ///   - note: Reports how many items were dropped.
    init(
        to descriptor: Int32,
        lines: @escaping @Sendable ([Item]) -> String,
        note: @escaping @Sendable (_ dropped: Int) -> Void
    ) {
        self.descriptor = descriptor
        self.lines = lines
        self.note = note
    }

    /// Begins to print.
    func start() { queue.perform { [self] in print() } }

    /// Hands over an item; never waits.
    func offer(_ item: Item) {
        let isFirst = state.withLock { state -> Bool in
            guard !state.isClosed else { return false }
            guard state.items.count < Self.room else {
                state.dropped += 1
                return false
            }
            state.items.append(item)
            defer { state.isReady = false }
            return state.isReady
        }
        if isFirst { queue.perform { [self] in print() } }
    }

    /// Prints the waiting items and ends; returns after that, or after a second if the output is not read.
    func finish() {
        state.withLock { $0.isClosed = true }
        queue.perform { [self] in print() }
        queue.finish(within: .seconds(1))
    }

    /// Prints the items that wait, and rests if there were some.
    private func print() {
        let (items, dropped, isRead) = state.withLock { state in
            defer { (state.items, state.dropped) = ([], 0) }
            if state.items.isEmpty, state.dropped == 0 { state.isReady = true }
            return (state.items, state.dropped, state.isRead)
        }
        if isRead, !items.isEmpty {
            let isRead = FileDescriptorOutput.write(lines(items), to: descriptor)
            state.withLock { $0.isRead = isRead }
        }
        if dropped > 0 { note(dropped) }
        if !items.isEmpty || dropped > 0 { queue.perform(after: Self.pause) { [self] in print() } }
    }
}
