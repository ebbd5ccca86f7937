import PinholeLock
import PinholeModel
import Synchronization

/// What the lab's proxy records: it stays in memory, and goes with the scenario.
final class LabSink: FlowSink {
    private struct State {
        var flows: [FlowID: FlowRecord] = [:]
        var exchanges: [ExchangeID: ExchangeRecord] = [:]
        var waiting: CheckedContinuation<Void, Never>?

        var isSettled: Bool { flows.values.allSatisfy { $0.closed != nil } }
    }

    private let number = Atomic<Int64>(0)
    private let state = Lock(State())

    func nextID() -> Int64 { number.add(1, ordering: .relaxed).newValue }

    func record(_ events: [FlowEvent]) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            for event in events {
                switch event {
                case .flow(let flow): state.flows[flow.id] = flow
                case .exchange(let exchange): state.exchanges[exchange.id] = exchange
                case .bodyPart: break
                }
            }
            return state.isSettled ? state.waiting.take() : nil
        }
        waiting?.resume()
    }

    var isCongested: Bool { false }

    func whenRelieved(_ action: @escaping @Sendable () -> Void) { action() }

    /// Waits until every connection that was seen is over, hands out what was seen, and forgets it.
    ///
    /// - Parameter limit: How long to wait at most.
    /// - Returns: What was seen.
    func collect(within limit: Duration) async -> WireObservation {
        let timeout = Task {
            try await Task.sleep(for: limit)
            state.withLock { $0.waiting.take() }?.resume()
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
            var observation = WireObservation()
            observation.flows = state.flows.values.sorted { $0.id.rawValue < $1.id.rawValue }
            observation.exchanges = state.exchanges.values.sorted { $0.id.rawValue < $1.id.rawValue }
            state = State()
            return observation
        }
    }
}
