import PinholeConsole
import PinholeModel
import PinholeStore
import Synchronization

/// Receives what is recorded, gives it to the capture, and tells whoever watches.
final class TrafficSink: FlowSink {
    private let store: CaptureStore?
    private let watcher: (@Sendable (TrafficEvent) -> Void)?
    private let ids = Atomic<Int64>(0)

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - store: The capture; `nil` to keep nothing.
    ///   - watcher: Is told what is worth a line, on the event loops; it must not wait.
    init(store: CaptureStore?, watcher: (@Sendable (TrafficEvent) -> Void)?) {
        self.store = store
        self.watcher = watcher
    }

    func nextID() -> Int64 { store?.nextID() ?? ids.add(1, ordering: .relaxed).newValue }

    func record(_ events: [FlowEvent]) {
        store?.record(events)
        guard let watcher else { return }
        for event in events { TrafficEvent(event).map(watcher) }
    }

    var isCongested: Bool { store?.isCongested ?? false }

    func whenRelieved(_ action: @escaping @Sendable () -> Void) {
        if let store { store.whenRelieved(action) } else { action() }
    }
}
