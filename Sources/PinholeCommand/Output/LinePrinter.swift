import Foundation
import PinholeLock

/// Prints on a thread of its own what event loops hand over, so that a slow reader of standard output
/// never holds up traffic.
///
/// What waits is bounded; beyond that it is left out, and a line says how much.
final class LinePrinter<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var dropped = 0
        var isClosed = false
        var isDone = false
    }

    /// Lines that may wait; a pipe to `less` that nobody scrolls must not cost memory without end.
    private static var room: Int { 4096 }

    private let state = Lock(State())
    private let changed = NSCondition()
    private let descriptor: Int32
    private let format: @Sendable (Item) -> String?
    private let note: @Sendable (_ dropped: Int) -> Void

    /// Creates a printer; it prints from ``start()`` on.
    ///
    /// - Parameters:
    ///   - descriptor: Where to.
    ///   - format: Makes a line, without its end; `nil` for none.
    ///   - note: Is told how many items were left out.
    init(
        to descriptor: Int32,
        format: @escaping @Sendable (Item) -> String?,
        note: @escaping @Sendable (_ dropped: Int) -> Void
    ) {
        self.descriptor = descriptor
        self.format = format
        self.note = note
    }

    /// Starts the thread.
    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "pinhole.printer"
        thread.start()
    }

    /// Hands over an item; never waits.
    func offer(_ item: Item) {
        let isFirst = state.withLock { state -> Bool in
            guard !state.isClosed else { return false }
            guard state.items.count < Self.room else {
                state.dropped += 1
                return false
            }
            state.items.append(item)
            return state.items.count == 1
        }
        if isFirst { wake() }
    }

    /// Prints what waits and ends; returns when that is done, or after a second where nobody reads.
    func finish() {
        state.withLock { $0.isClosed = true }
        wake()
        let deadline = Date(timeIntervalSinceNow: 1)
        changed.lock()
        defer { changed.unlock() }
        while !state.withLock({ $0.isDone }), changed.wait(until: deadline) {}
    }

    private func wake() {
        changed.lock()
        changed.broadcast()
        changed.unlock()
    }

    private func run() {
        var isRead = true
        while let (items, dropped) = next() {
            if isRead, !items.isEmpty {
                let text = items.compactMap(format).map { "\($0)\n" }.joined()
                isRead = FileDescriptorOutput.write(text, to: descriptor)
            }
            if dropped > 0 { note(dropped) }
        }
        state.withLock { $0.isDone = true }
        wake()
    }

    /// Waits for items; `nil` when there will be none.
    private func next() -> (items: [Item], dropped: Int)? {
        changed.lock()
        defer { changed.unlock() }
        while true {
            let taken = state.withLock { state -> (items: [Item], dropped: Int)? in
                defer {
                    state.items = []
                    state.dropped = 0
                }
                return state.items.isEmpty && state.dropped == 0 ? nil : (state.items, state.dropped)
            }
            if let taken { return taken }
            if state.withLock({ $0.isClosed }) { return nil }
            changed.wait()
        }
    }
}
