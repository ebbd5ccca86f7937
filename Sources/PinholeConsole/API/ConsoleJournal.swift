import PinholeLock
import PinholeModel
import PinholeRuntime

/// What the proxy said since it began, for the page of events; the oldest lines go when there are many.
package final class ConsoleJournal: Sendable {
    /// How much a line matters.
    package enum Level: String, Sendable, Encodable {
        /// Something happened.
        case notice
        /// Something to look at.
        case warning
        /// Something failed.
        case failure
    }

    /// A line.
    struct Entry: Sendable, Encodable {
        let number: Int
        let time: String
        let level: Level
        let text: String
    }

    private struct State {
        var count = 0
        var entries: [Entry] = []
    }

    /// Lines that are kept.
    private static let most = 1000

    private let state = Lock(State())
    private let clock = LoopClock()

    /// Begins without a line.
    package init() {}

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - level: How much it matters.
    ///   - text: The line.
    package func note(_ level: Level, _ text: String) {
        let time = clock.now().iso8601Milliseconds
        state.withLock { state in
            state.count += 1
            state.entries.append(Entry(number: state.count, time: time, level: level, text: text))
            if state.entries.count > Self.most {
                state.entries.removeFirst(state.entries.count - Self.most)
            }
        }
    }

    /// The lines behind a number, the oldest first.
    func entries(after number: Int) -> [Entry] {
        state.withLock { state in Array(state.entries.drop { $0.number <= number }) }
    }
}
