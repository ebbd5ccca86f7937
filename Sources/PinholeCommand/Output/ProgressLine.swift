import Glibc
import PinholeModel

/// A line on standard error that changes in place while something takes long; nothing where that is no terminal.
final class ProgressLine {
    /// Whether a line can change in place.
    static let isPossible =
        isatty(STDERR_FILENO) == 1 && getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false

    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var told: ContinuousClock.Instant
    private var isShown = false

    private static let pause = Duration.milliseconds(100)

    /// Begins now; nothing is shown yet.
    init() {
        start = clock.now
        told = start
    }

    /// Shows how far it has come, at most ten times a second.
    ///
    /// - Parameters:
    ///   - done: How much is done.
    ///   - total: How much there is; `nil` where that is not known.
    ///   - text: What else is to be said.
    func tell(_ done: Int64, of total: Int64?, _ text: @autoclosure () -> String) {
        guard Self.isPossible, clock.now - told >= Self.pause else { return }
        told = clock.now
        isShown = true
        let left = Self.left(done, of: total, after: told - start).map { ", \($0)" } ?? ""
        write("\r\u{1b}[K" + TextLayout.fit("\(text())\(left)", (Terminal.width(STDERR_FILENO) ?? 80) - 1))
    }

    /// Takes the line away.
    func end() {
        guard isShown else { return }
        isShown = false
        write("\r\u{1b}[K")
    }

    /// How much is done and how long the rest will take; `nil` where that cannot be told.
    static func left(_ done: Int64, of total: Int64?, after elapsed: Duration) -> String? {
        guard let total, total > 0, done > 0, done <= total else { return nil }
        let share = Double(done) / Double(total)
        let seconds = Double(elapsed.milliseconds) / 1000 * (1 - share) / share
        let percent = "\(Int(share * 100)) %"
        // In the first second the rest is a guess.
        guard elapsed >= .seconds(1), seconds < 86_400 else { return percent }
        let rest = Int(seconds.rounded(.up))
        return "\(percent), \(rest < 60 ? "\(rest) s" : "\(rest / 60) min \(rest % 60) s") left"
    }

    private func write(_ text: String) {
        FileDescriptorOutput.write(Array(text.utf8), to: STDERR_FILENO)
    }
}
