import Glibc

/// Text for people: everything that is no result goes to standard error.
enum StandardError {
    /// Writes a line.
    static func write(_ line: String) {
        FileDescriptorOutput.write(Array("\(line)\n".utf8), to: STDERR_FILENO)
    }
}
