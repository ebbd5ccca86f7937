import PinholeLock
import PinholeModel
import Synchronization

/// The sink for the records of the lab's proxy, which are kept in memory until the scenario ends.
final class LabSink: FlowSink {
    private struct State {
        var flows: [FlowID: FlowRecord] = [:]
        var exchanges: [ExchangeID: ExchangeRecord] = [:]
        var waiting: CheckedContinuation<Void, Never>?
        var isFrozen = false

        var isSettled: Bool { flows.values.allSatisfy { $0.closed != nil } }

        var observation: WireObservation {
            var observation = WireObservation()
            observation.flows = flows.values.sorted { $0.id.rawValue < $1.id.rawValue }
            observation.exchanges = exchanges.values.sorted { $0.id.rawValue < $1.id.rawValue }
            return observation
        }
    }

    private let number = Atomic<Int64>(0)
    private let state = Lock(State())

    func nextID() -> Int64 { number.add(1, ordering: .relaxed).newValue }

    func record(_ events: [FlowEvent]) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.isFrozen else { return nil }
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
            return state.isSettled ? state.waiting.take() : nil
        }
        waiting?.resume()
    }

    var isCongested: Bool { false }

    func whenRelieved(_ action: @escaping @Sendable () -> Void) { action() }

    /// Waits until every recorded connection is over, then returns the records and forgets them.
    ///
    /// - Parameter limit: The longest wait.
    /// - Returns: The records.
    func collect(within limit: Duration) async -> WireObservation {
        let timeout = Task {
            try await Task.sleep(for: limit)
            state.withLock { $0.waiting.take() }?.resume()
        }
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                let isSettled = state.isSettled || state.isFrozen
                if !isSettled { state.waiting = continuation }
                return isSettled
            }
            if isSettled { continuation.resume() }
        }
        timeout.cancel()
        return state.withLock { state in
            defer { state = State() }
            return state.observation
        }
    }

    /// The connections and requests that were recorded so far.
    var observation: WireObservation { state.withLock { $0.observation } }

    /// Stops the recording: later events change nothing.
    func freeze() {
        state.withLock { $0.isFrozen = true }
    }
}
