import Glibc
import PinholeLock
import PinholeModel
import PinholeSession

/// A line on standard error that shows the progress of long work in place; if that is no terminal, it shows nothing.
///
/// The line is drawn anew twice a second, so that its times go on between two steps.
final class ProgressLine: Sendable {
    /// The place where the line is shown, and the clock that it follows.
    struct Screen: Sendable {
        /// Whether the line can be changed in place.
        let isPossible: Bool
        /// The columns; the line stays one column below them.
        let width: @Sendable () -> Int
        let write: @Sendable (String) -> Void
        let now: @Sendable () -> ContinuousClock.Instant
        /// Whether a thread draws the line anew; tests do that themselves.
        var hasHeartbeat = true

        /// The screen on standard error, with the clock of the system.
        static var standardError: Screen {
            Screen(
                isPossible: Terminal.hasEscapes(STDERR_FILENO),
                width: { Terminal.width(STDERR_FILENO) ?? 80 },
                write: { FileDescriptorOutput.write(Array($0.utf8), to: STDERR_FILENO) },
                now: { ContinuousClock.now }
            )
        }
    }

    /// The work that the line shows.
    private struct Work {
        let done: Int64
        let total: Int64?
        let text: String
        /// The time of the step before.
        let moment: ContinuousClock.Instant
        var isWait = false
    }

    private struct State {
        var work: Work?
        /// The time of the last change; `nil` before the first one.
        var drawn: ContinuousClock.Instant?
        var isShown = false
        /// The number of completed steps, for work that consists of steps.
        var steps: Int64 = 0
        var heartbeat: Heartbeat?
    }

    private let screen: Screen
    private let start: ContinuousClock.Instant
    private let delay: Duration
    private let state: Lock<State>
    private let isPossible: Bool

    /// The shortest time between two changes of the line.
    private static let pause = Duration.milliseconds(100)
    /// The time between two changes if no step ends.
    private static let interval = Duration.milliseconds(500)
    /// The columns of the bar.
    private static let barWidth = 20
    /// Shorter waits show nothing: the line would only flicker.
    private static let shortWait = Duration.seconds(1)

    /// Starts the clock, and shows nothing yet.
    ///
    /// - Parameters:
    ///   - isWanted: Whether the line is shown.
    ///   - delay: The time before the line is shown for the first time.
    ///   - screen: The place where the line is shown.
    init(isWanted: Bool = true, after delay: Duration = .zero, on screen: Screen = .standardError) {
        self.screen = screen
        self.delay = delay
        start = screen.now()
        state = Lock(State())
        isPossible = isWanted && screen.isPossible
    }

    deinit { state.withLock { $0.heartbeat?.stop() } }

    /// Shows the progress, at most ten times a second; any thread may call it.
    ///
    /// - Parameters:
    ///   - done: The amount of work that is done.
    ///   - total: The whole amount of work; `nil` if unknown.
    ///   - text: The text beside the progress.
    func tell(_ done: Int64, of total: Int64?, _ text: @autoclosure () -> String) {
        guard isPossible else { return }
        show(Work(done: done, total: total, text: Plain.printable(text()), moment: screen.now()))
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

    /// Shows a step that begins, and counts it as done for the next call.
    ///
    /// - Parameters:
    ///   - total: The number of all steps.
    ///   - text: The step.
    func begin(of total: Int, _ text: @autoclosure () -> String) {
        let done = state.withLock { state in
            defer { state.steps += 1 }
            return state.steps
        }
        tell(done, of: Int64(total), text())
    }

    /// Draws the line anew, with the times of this moment.
    func refresh() {
        let now = screen.now()
        state.withLock { draw(&$0, now) }
    }

    /// Writes a result, which may go to the same terminal; the line is erased before it.
    func aside(_ write: () -> Void) {
        state.withLock { state in
            erase(&state)
            write()
        }
    }

    /// Erases the line; the next progress shows it again.
    func end() {
        state.withLock { state in
            state.heartbeat?.stop()
            (state.heartbeat, state.work, state.drawn) = (nil, nil, nil)
            erase(&state)
        }
    }

    /// Creates a line that shows the time of a wait, for example for a server; the caller ends it.
    ///
    /// - Parameters:
    ///   - text: The text before the time.
    ///   - screen: The place where the line is shown.
    /// - Returns: The line, which appears after a second.
    static func waiting(_ text: @autoclosure () -> String, on screen: Screen = .standardError) -> ProgressLine
    {
        let line = ProgressLine(after: shortWait, on: screen)
        guard line.isPossible else { return line }
        line.show(
            Work(done: 0, total: nil, text: Plain.printable(text()), moment: line.start, isWait: true)
        )
        return line
    }

    private func show(_ work: Work) {
        state.withLock { state in
            state.work = work
            if state.heartbeat == nil, screen.hasHeartbeat {
                state.heartbeat = Heartbeat(every: Self.interval) { [weak self] in self?.refresh() }
            }
            if let drawn = state.drawn, work.moment - drawn < Self.pause { return }
            draw(&state, work.moment)
        }
    }

    private func draw(_ state: inout State, _ now: ContinuousClock.Instant) {
        guard let work = state.work, now - start >= delay else { return }
        let width = screen.width() - 1
        let line =
            work.isWait
            ? Self.fit(Self.waiting(work.text, for: now - start), width)
            : Self.line(
                work.done,
                of: work.total,
                after: now - start,
                since: now - work.moment,
                work.text,
                width
            )
        state.drawn = now
        state.isShown = true
        screen.write("\r\u{1b}[K" + line)
    }

    private func erase(_ state: inout State) {
        guard state.isShown else { return }
        state.isShown = false
        screen.write("\r\u{1b}[K")
    }

    /// Returns the line: a bar, the percentage and the remaining time if they are known, and the text.
    static func line(
        _ done: Int64,
        of total: Int64?,
        after elapsed: Duration,
        since step: Duration = .zero,
        _ text: String,
        _ width: Int
    ) -> String {
        guard let total, let left = left(done, of: total, after: elapsed, since: step) else {
            return fit(total != nil && done == 0 ? waiting(text, for: elapsed) : text, width)
        }
        let filled = Int(Double(done) / Double(total) * Double(barWidth))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
        return fit("\(bar) \(left)  \(text)", width)
    }

    /// Returns the percentage and the remaining time; `nil` if the whole amount of work is unknown.
    ///
    /// - Parameters:
    ///   - done: The amount of work that is done.
    ///   - total: The whole amount of work.
    ///   - elapsed: The time since the start.
    ///   - step: The time since the last step.
    /// - Returns: A text such as `25 %, 30 s left`. The rest of the work is never shorter than its steps without the
    ///   one that is under way.
    static func left(
        _ done: Int64,
        of total: Int64?,
        after elapsed: Duration,
        since step: Duration = .zero
    ) -> String? {
        guard let total, total > 0, done > 0, done <= total else { return nil }
        let share = Double(done) / Double(total)
        let rest = Double(total - done)
        let since = Double(step.milliseconds) / 1000
        let each = (Double(elapsed.milliseconds) / 1000 - since) / Double(done)
        let seconds = max(0, each * rest - since, each * (rest - 1))
        let percent = "\(Int(share * 100)) %"
        // In the first second, and before the first percent, an estimate of the remaining time would be a guess.
        guard elapsed >= .seconds(1), share >= 0.01, seconds < 86_400 else { return percent }
        return "\(percent), \(time(Int(seconds.rounded(.up)))) left"
    }

    /// Returns the text of a wait with the time that it has taken so far.
    private static func waiting(_ text: String, for elapsed: Duration) -> String {
        elapsed < shortWait ? text : "\(text), \(time(Int(elapsed.milliseconds / 1000))) so far"
    }

    private static func time(_ seconds: Int) -> String {
        seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
    }

    private static func fit(_ text: String, _ width: Int) -> String {
        TextLayout.fit(text, min(TextLayout.columns(of: text), width))
    }
}
