import Glibc

/// Text for people: everything that is no result goes to standard error.
enum StandardError {
    /// Writes a line.
    static func write(_ line: String) {
        FileDescriptorOutput.write("\(line)\n", to: STDERR_FILENO)
    }
}
