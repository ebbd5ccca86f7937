import PinholeFormats
import PinholeLock
import PinholeModel
import Synchronization

/// Counts the traffic of listeners that serve one program each.
final class PrivateTallies: Sendable {
    private struct Tally {
        let summary = TrafficSummary()
        var connections = 0
        var open: Set<FlowID> = []
    }

    private struct State {
        var tallies: [String: Tally] = [:]
        /// The listeners of the open connections.
        var listeners: [FlowID: String] = [:]
    }

    private let state = Lock(State())
    private let isInUse = Atomic<Bool>(false)

    /// Begins to count the traffic of a listener.
    func begin(_ listener: String) {
        state.withLock { $0.tallies[listener] = Tally() }
        isInUse.store(true, ordering: .relaxed)
    }

    /// Whether a connection of the listener is open.
    func isOpen(_ listener: String) -> Bool {
        state.withLock { $0.tallies[listener]?.open.isEmpty == false }
    }

    /// Ends the counting for a listener, and returns the counts.
    func end(_ listener: String) -> RunOutcome? {
        let tally = state.withLock { state in
            state.listeners = state.listeners.filter { $0.value != listener }
            isInUse.store(state.tallies.count > 1, ordering: .relaxed)
            return state.tallies.removeValue(forKey: listener)
        }
        return tally.map { tally in
            RunOutcome(
                connections: tally.connections,
                lines: tally.summary.lines(connections: tally.connections, unreached: [])
            )
        }
    }

    /// Counts the events that belong to such listeners.
    func take(_ events: [FlowEvent]) {
        guard isInUse.load(ordering: .relaxed) else { return }
        state.withLock { state in
            for event in events { Self.take(event, &state) }
        }
    }

    private static func take(_ event: FlowEvent, _ state: inout State) {
        let flow: FlowID
        switch event {
        case .flow(let record):
            flow = record.id
            if state.listeners[flow] == nil, state.tallies[record.listener] != nil,
                record.closed == nil || record.exchanges == 0
            {
                state.listeners[flow] = record.listener
                state.tallies[record.listener]?.connections += 1
                state.tallies[record.listener]?.open.insert(flow)
            }
        case .exchange(let record): flow = record.flow
        default: return
        }
        guard let listener = state.listeners[flow] else { return }
        if let told = TrafficEvent(event) { state.tallies[listener]?.summary.note(told) }
        guard case .flow(let record) = event, record.closed != nil else { return }
        state.tallies[listener]?.open.remove(flow)
        state.listeners[flow] = nil
    }
}
