import PinholeConsole
import PinholeLock
import PinholeModel
import PinholeRules
import PinholeStore
import Synchronization

/// Receives what is recorded, gives it to the capture, and tells whoever watches.
final class TrafficSink: FlowSink {
    private let store: CaptureStore?
    private let watcher: (@Sendable (TrafficEvent) -> Void)?
    private let ids = Atomic<Int64>(0)
    private let pauses = Lock(RecordingPauses())
    private let hasPauses = Atomic<Bool>(false)
    private let rules: RuleBook?
    /// How often rules have acted.
    let tally = RuleTally()

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - store: The capture; `nil` to keep nothing.
    ///   - rules: The rules that count; `nil` where nobody asks how often they act.
    ///   - watcher: Is told what is worth a line, on the event loops; it must not wait.
    init(store: CaptureStore?, rules: RuleBook? = nil, watcher: (@Sendable (TrafficEvent) -> Void)?) {
        self.store = store
        self.rules = rules
        self.watcher = watcher
    }

    func nextID() -> Int64 { store?.nextID() ?? ids.add(1, ordering: .relaxed).newValue }

    func record(_ events: [FlowEvent]) {
        if let rules, !rules.isEmpty { tally.take(events) }
        // Nothing is asked under the lock until somebody has paused for the first time.
        if hasPauses.load(ordering: .relaxed) {
            let kept = pauses.withLock { pauses in events.filter(pauses.keeps) }
            if !kept.isEmpty { store?.record(kept) }
        } else {
            store?.record(events)
        }
        guard let watcher else { return }
        for event in events { TrafficEvent(event).map(watcher) }
    }

    /// Whether what begins now is recorded.
    var isRecording: Bool { store != nil && pauses.withLock { !$0.isPaused } }

    /// Records what begins from now on, or not; what goes on stays as it is.
    func setRecording(_ isOn: Bool) {
        let id = nextID()
        pauses.withLock { pauses in
            if isOn { pauses.end(at: id) } else { pauses.begin(at: id) }
        }
        hasPauses.store(true, ordering: .relaxed)
    }

    var isCongested: Bool { store?.isCongested ?? false }

    func whenRelieved(_ action: @escaping @Sendable () -> Void) {
        if let store { store.whenRelieved(action) } else { action() }
    }
}
