import Glibc

/// Text for people: everything that is no result goes to standard error.
enum StandardError {
    /// Writes lines; a terminal gets them wrapped, except a remedy that is a command, which people copy.
    static func write(_ text: String) {
        let width = Terminal.width(STDERR_FILENO)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("\(CommandFailure.remedyLabel)pinhole ")
                ? String(line) : TextLayout.hanging(String(line), width)
        }
        FileDescriptorOutput.write(lines.joined(separator: "\n") + "\n", to: STDERR_FILENO)
    }
}
