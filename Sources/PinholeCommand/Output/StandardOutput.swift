import Glibc

/// Results: one line, or one JSON object, after the other.
enum StandardOutput {
    /// Writes a line.
    static func write(_ line: String) {
        FileDescriptorOutput.write(Array("\(line)\n".utf8), to: STDOUT_FILENO)
    }
}
