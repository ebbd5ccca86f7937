import Glibc

/// Text for people: everything that is no result goes to standard error.
enum StandardError {
    /// Writes lines; a terminal gets them wrapped.
    static func write(_ text: String) {
        FileDescriptorOutput.write(
            TextLayout.hanging(text, Terminal.width(STDERR_FILENO)) + "\n",
            to: STDERR_FILENO
        )
    }
}
