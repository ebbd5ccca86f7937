import PinholeLock
import PinholeModel
import PinholeRuntime

/// The messages of the proxy since its start, for the page of events; the oldest lines are dropped beyond a bound.
package final class ConsoleJournal: Sendable {
    /// The severity of a line.
    package enum Level: String, Sendable, Codable, CaseIterable {
        /// An event that needs no attention.
        case notice
        /// An event that a user should look at.
        case warning
        /// An operation that failed.
        case failure
    }

    /// A line of the journal.
    package struct Entry: Sendable, Codable {
        let number: Int
        let time: String
        let level: Level
        let text: String
    }

    private struct State {
        var count = 0
        var entries: [Entry] = []
    }

    /// The maximum count of lines that are kept.
    private static let most = 1000

    private let state = Lock(State())
    private let clock = LoopClock()

    /// Creates an empty journal.
    package init() {}

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - level: The severity of the line.
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

    /// Returns the lines after a number, the oldest first.
    package func entries(after number: Int) -> [Entry] {
        state.withLock { state in Array(state.entries.drop { $0.number <= number }) }
    }
}
