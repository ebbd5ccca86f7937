import PinholeLock
import PinholeModel
import PinholeStore

/// A sink between the proxy and the capture, which lets the demo show records as they are written.
final class DemoWatch: FlowSink {
    /// The records since the last ``begin()``.
    struct Sighting: Sendable {
        /// The flows, in the order of their numbers.
        var flows: [FlowRecord] = []
        /// The exchanges, in the order of their numbers.
        var exchanges: [ExchangeRecord] = []
    }

    private struct State {
        var flows: [FlowID: FlowRecord] = [:]
        var exchanges: [ExchangeID: ExchangeRecord] = [:]
        var waiting: CheckedContinuation<Void, Never>?

        /// Whether at least one flow was seen and all flows are over.
        var isSettled: Bool { !flows.isEmpty && flows.values.allSatisfy { $0.closed != nil } }
    }

    private let store: CaptureStore
    private let state = Lock(State())

    /// Creates a watch that passes all records on to `store`.
    init(_ store: CaptureStore) {
        self.store = store
    }

    /// Forgets the records so far.
    func begin() {
        state.withLock { state in
            state.flows = [:]
            state.exchanges = [:]
        }
    }

    /// Waits until at least one flow was seen and all flows are over.
    ///
    /// - Parameter limit: The maximum time to wait.
    /// - Returns: The records so far.
    func settled(within limit: Duration = .seconds(5)) async -> Sighting {
        let timeout = Task {
            try await Task.sleep(for: limit)
            release()
        }
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                if !state.isSettled { state.waiting = continuation }
                return state.isSettled
            }
            if isSettled { continuation.resume() }
        }
        timeout.cancel()
        return state.withLock { state in
            Sighting(
                flows: state.flows.values.sorted { $0.id.rawValue < $1.id.rawValue },
                exchanges: state.exchanges.values.sorted { $0.id.rawValue < $1.id.rawValue }
            )
        }
    }

    private func release() {
        state.withLock { $0.waiting.take() }?.resume()
    }

    // MARK: What the proxy calls

    func nextID() -> Int64 { store.nextID() }

    func record(_ events: [FlowEvent]) {
        store.record(events)
        let isSettled = state.withLock { state in
            for event in events {
                switch event {
                case .flow(let flow): state.flows[flow.id] = flow
                case .exchange(let exchange): state.exchanges[exchange.id] = exchange
                case .clientProcess, .bodyPart, .bodyPiece, .webSocketMessage, .webSocketPart, .leftOut,
                    .packet,
                    .secret:
                    break
                }
            }
            return state.isSettled
        }
        if isSettled { release() }
    }

    var isCongested: Bool { store.isCongested }

    func whenRelieved(_ action: @escaping @Sendable () -> Void) { store.whenRelieved(action) }
}
