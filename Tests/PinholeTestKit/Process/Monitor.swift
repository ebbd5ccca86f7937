import Dispatch
import PinholeLock

/// A value that threads change and tasks wait on.
final class Monitor<State: Sendable>: Sendable {
    private struct Waiter {
        let isSatisfied: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct Contents {
        var state: State
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    private let contents: Lock<Contents>

    init(_ state: State) {
        contents = Lock(Contents(state: state))
    }

    /// The value as it is now.
    var state: State { contents.withLock { $0.state } }

    /// Changes the value and wakes the tasks that waited for what it became.
    func update(_ change: (inout State) -> Void) {
        let satisfied = contents.withLock { contents in
            change(&contents.state)
            let state = contents.state
            let ready = contents.waiters.filter { $0.value.isSatisfied(state) }
            for id in ready.keys { contents.waiters[id] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in satisfied { continuation.resume(returning: true) }
    }

    /// Waits until the value satisfies `condition`.
    ///
    /// - Parameters:
    ///   - limit: How long to wait at most.
    ///   - condition: What to wait for.
    /// - Returns: Whether it came to that in time.
    func wait(within limit: Duration, until condition: @escaping @Sendable (State) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let id: Int? = contents.withLock { contents in
                guard !condition(contents.state) else { return nil }
                contents.nextWaiter += 1
                contents.waiters[contents.nextWaiter] = Waiter(
                    isSatisfied: condition,
                    continuation: continuation
                )
                return contents.nextWaiter
            }
            guard let id else { return continuation.resume(returning: true) }
            let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) * 1e-18
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
                self?.giveUp(id)
            }
        }
    }

    private func giveUp(_ id: Int) {
        let waiter = contents.withLock { $0.waiters.removeValue(forKey: id) }
        waiter?.continuation.resume(returning: false)
    }
}
