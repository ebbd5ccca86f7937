/// A counter of the changes of something, whose listeners are told of the next one.
///
/// A listener reads the count first and the thing afterwards. So it misses no change: if one came meanwhile, it is told
/// at once. All calls are possible on any thread.
package final class ChangeSignal: Sendable {
    private struct State {
        var count = 0
        /// The action of each listener; `nil` while it does not wait.
        var listeners: [ObjectIdentifier: (@Sendable () -> Void)?] = [:]
    }

    private let state = Lock(State())

    /// Creates a signal without changes.
    package init() {}

    /// The number of changes so far.
    package var count: Int { state.withLock { $0.count } }

    /// Whether there are listeners.
    package var isHeard: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Counts a change, and tells all listeners that wait.
    package func raise() {
        let actions = state.withLock { state in
            state.count += 1
            let actions = state.listeners.values.compactMap(\.self)
            for listener in state.listeners.keys { state.listeners[listener] = .some(nil) }
            return actions
        }
        for action in actions { action() }
    }

    /// Adds a listener, which does not wait yet.
    package func add(_ listener: AnyObject) {
        state.withLock { $0.listeners[ObjectIdentifier(listener)] = .some(nil) }
    }

    /// Tells a listener once, as soon as there is a change that it does not know.
    ///
    /// - Parameters:
    ///   - listener: The listener; a second call replaces its action.
    ///   - count: The number of changes that it knows.
    ///   - action: Called once, at once if there are more.
    package func tell(_ listener: AnyObject, after count: Int, _ action: @escaping @Sendable () -> Void) {
        let isNew = state.withLock { state in
            guard state.count == count else { return true }
            state.listeners[ObjectIdentifier(listener)] = action
            return false
        }
        if isNew { action() }
    }

    /// Removes a listener.
    package func remove(_ listener: AnyObject) {
        _ = state.withLock { $0.listeners.removeValue(forKey: ObjectIdentifier(listener)) }
    }
}
