import Glibc
import PinholeLab
import PinholeLock

/// A bar on standard error while the lab runs; nothing where that is no terminal.
final class LabProgress: Sendable {
    private static let barWidth = 30

    private let total: Int
    private let isShown = ProgressLine.isPossible
    private let done = Lock(0)

    /// Creates a bar.
    ///
    /// - Parameter total: The number of cells.
    init(total: Int) { self.total = total }

    /// Moves the bar by one cell.
    func tell(_ cell: LabCell) {
        guard isShown else { return }
        done.withLock { done in
            done += 1
            let filled = total > 0 ? done * Self.barWidth / total : Self.barWidth
            let bar =
                String(repeating: "█", count: filled)
                + String(repeating: "░", count: max(0, Self.barWidth - filled))
            write("\r\(bar) \(done)/\(total)  \(TextLayout.fit("\(cell.policy) × \(cell.scenario)", 24))")
        }
    }

    /// Takes the bar away.
    func end() {
        guard isShown else { return }
        write("\r\u{1b}[K")
    }

    private func write(_ text: String) {
        FileDescriptorOutput.write(Array(text.utf8), to: STDERR_FILENO)
    }
}
