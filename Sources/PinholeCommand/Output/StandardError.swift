import Glibc
import PinholeSession

/// Writes text for users to standard error: everything that is not a result.
enum StandardError {
    /// Writes lines, which are wrapped for a terminal.
    static func write(_ text: String) {
        FileDescriptorOutput.write(
            TextLayout.hanging(text, Terminal.width(STDERR_FILENO)) + "\n",
            to: STDERR_FILENO
        )
    }
}
