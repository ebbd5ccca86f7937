import PinholeLock

/// What was changed through the console, so that every page that is open hears of it.
final class EditLog: Sendable {
    /// A change.
    enum Edit: Sendable, Equatable {
        /// Something was said of an exchange or a flow.
        case noted(Int64)
        /// So much was removed that lists are better read again.
        case removed
        /// Filters mean something else by the same words.
        case refiltered
        /// The proxy records, or records no more, or its rules are others.
        case switched
    }

    private struct State {
        var first = 0
        var edits: [Edit] = []
    }

    /// Changes that are remembered; who is further behind reads lists again.
    private static let most = 1000

    private let state = Lock(State())

    /// Where the log ends.
    var end: Int { state.withLock { $0.first + $0.edits.count } }

    /// Remembers a change.
    func append(_ edit: Edit) {
        state.withLock { state in
            state.edits.append(edit)
            guard state.edits.count > Self.most else { return }
            state.first += state.edits.count - Self.most
            state.edits.removeFirst(state.edits.count - Self.most)
        }
    }

    /// The changes since a place in the log, and where it ends.
    func edits(since place: Int) -> (edits: [Edit], end: Int) {
        state.withLock { state in
            let end = state.first + state.edits.count
            if place < state.first { return ([.removed], end) }
            return (Array(state.edits.dropFirst(place - state.first)), end)
        }
    }
}
