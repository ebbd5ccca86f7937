import Glibc
import PinholeModel

/// A line on standard error that shows the progress of long work; if that is no terminal, it shows nothing.
final class ProgressLine {
    /// Whether a line can change in place.
    static let isPossible =
        isatty(STDERR_FILENO) == 1 && getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false

    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var told: ContinuousClock.Instant
    private var isShown = false

    private static let pause = Duration.milliseconds(100)

    /// Starts the clock; nothing is shown yet.
    init() {
        start = clock.now
        told = start
    }

    /// Shows the progress, at most ten times a second.
    ///
    /// - Parameters:
    ///   - done: The amount of work that is done.
    ///   - total: The whole amount of work; `nil` if unknown.
    ///   - text: The text beside the progress.
    func tell(_ done: Int64, of total: Int64?, _ text: @autoclosure () -> String) {
        guard Self.isPossible, clock.now - told >= Self.pause else { return }
        told = clock.now
        isShown = true
        let left = Self.left(done, of: total, after: told - start).map { ", \($0)" } ?? ""
        write("\r\u{1b}[K" + TextLayout.fit("\(text())\(left)", (Terminal.width(STDERR_FILENO) ?? 80) - 1))
    }

    /// Erases the line.
    func end() {
        guard isShown else { return }
        isShown = false
        write("\r\u{1b}[K")
    }

    /// The percentage and the remaining time; `nil` if the whole amount of work is unknown.
    static func left(_ done: Int64, of total: Int64?, after elapsed: Duration) -> String? {
        guard let total, total > 0, done > 0, done <= total else { return nil }
        let share = Double(done) / Double(total)
        let seconds = Double(elapsed.milliseconds) / 1000 * (1 - share) / share
        let percent = "\(Int(share * 100)) %"
        // In the first second, an estimate of the remaining time would be a guess.
        guard elapsed >= .seconds(1), seconds < 86_400 else { return percent }
        let rest = Int(seconds.rounded(.up))
        return "\(percent), \(rest < 60 ? "\(rest) s" : "\(rest / 60) min \(rest % 60) s") left"
    }

    private func write(_ text: String) {
        FileDescriptorOutput.write(Array(text.utf8), to: STDERR_FILENO)
    }
}
