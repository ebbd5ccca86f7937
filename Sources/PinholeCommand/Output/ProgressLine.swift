import Glibc
import PinholeLock
import PinholeModel

/// A line on standard error that shows the progress of long work in place; if that is no terminal, it shows nothing.
final class ProgressLine: Sendable {
    private struct State {
        /// The time of the last change; `nil` before the first one.
        var told: ContinuousClock.Instant?
        var isShown = false
        /// The steps that are done, where the work consists of steps.
        var steps: Int64 = 0
    }

    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let state: Lock<State>
    private let isPossible: Bool

    /// The shortest time between two changes of the line.
    private static let pause = Duration.milliseconds(100)
    /// The columns of the bar.
    private static let barWidth = 20

    /// Starts the clock; nothing is shown yet.
    ///
    /// - Parameter isWanted: Whether the line is shown; it would stand between results on the same terminal.
    init(isWanted: Bool = true) {
        start = clock.now
        state = Lock(State())
        isPossible = isWanted && Terminal.hasEscapes(STDERR_FILENO)
    }

    /// Shows the progress, at most ten times a second; any thread may call it.
    ///
    /// - Parameters:
    ///   - done: The amount of work that is done.
    ///   - total: The whole amount of work; `nil` if unknown.
    ///   - text: The text beside the progress.
    func tell(_ done: Int64, of total: Int64?, _ text: @autoclosure () -> String) {
        guard isPossible else { return }
        let now = clock.now
        state.withLock { state in
            if let told = state.told, now - told < Self.pause { return }
            state.told = now
            state.isShown = true
            let width = (Terminal.width(STDERR_FILENO) ?? 80) - 1
            let work = Plain.printable(text())
            write("\r\u{1b}[K" + Self.line(done, of: total, after: now - start, work, width))
        }
    }

    /// Counts a step of the work and shows the progress.
    ///
    /// - Parameters:
    ///   - total: The number of all steps.
    ///   - text: The text beside the progress.
    func advance(of total: Int, _ text: @autoclosure () -> String) {
        let done = state.withLock { state in
            state.steps += 1
            return state.steps
        }
        tell(done, of: Int64(total), text())
    }

    /// Erases the line, also before a result is written to the same terminal; the next progress shows it again.
    func end() {
        state.withLock { state in
            guard state.isShown else { return }
            state.isShown = false
            state.told = nil
            write("\r\u{1b}[K")
        }
    }

    /// The line: a bar, the percentage and the remaining time where they are known, and the text.
    static func line(
        _ done: Int64,
        of total: Int64?,
        after elapsed: Duration,
        _ text: String,
        _ width: Int
    ) -> String {
        guard let total, let left = left(done, of: total, after: elapsed) else {
            return TextLayout.fit(text, min(text.count, width))
        }
        let filled = Int(Double(done) / Double(total) * Double(barWidth))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
        let line = "\(bar) \(left)  \(text)"
        return TextLayout.fit(line, min(line.count, width))
    }

    /// The percentage and the remaining time; `nil` if the whole amount of work is unknown.
    static func left(_ done: Int64, of total: Int64?, after elapsed: Duration) -> String? {
        guard let total, total > 0, done > 0, done <= total else { return nil }
        let share = Double(done) / Double(total)
        let seconds = Double(elapsed.milliseconds) / 1000 * (1 - share) / share
        let percent = "\(Int(share * 100)) %"
        // In the first second, and before the first percent, an estimate of the remaining time would be a guess.
        guard elapsed >= .seconds(1), share >= 0.01, seconds < 86_400 else { return percent }
        let rest = Int(seconds.rounded(.up))
        return "\(percent), \(rest < 60 ? "\(rest) s" : "\(rest / 60) min \(rest % 60) s") left"
    }

    private func write(_ text: String) {
        FileDescriptorOutput.write(Array(text.utf8), to: STDERR_FILENO)
    }
}
