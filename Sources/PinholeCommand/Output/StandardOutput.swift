import Glibc
import PinholeLock

/// Results: one line, or one JSON object, after the other.
enum StandardOutput {
    private static let fault = Lock<Int32?>(nil)

    /// Writes a line.
    static func write(_ line: String) {
        note(FileDescriptorOutput.write("\(line)\n", to: STDOUT_FILENO))
    }

    /// Writes the name of a file as it is, since a script opens that file.
    static func write(path: String) {
        note(FileDescriptorOutput.write(Array("\(path)\n".utf8), to: STDOUT_FILENO))
    }

    private static func note(_ isWritten: Bool) {
        guard !isWritten else { return }
        let code = errno
        // Whoever reads no further, as `head` does, has what it wanted.
        guard code != EPIPE else { return }
        fault.withLock { $0 = $0 ?? code }
    }

    /// Why not everything was written; `nil` where it was.
    static var failure: CommandFailure? {
        fault.withLock(\.self).map { code in
            CommandFailure(
                .couldNotRun,
                "standard output: \(String(cString: strerror(code))); not everything was written"
            )
        }
    }
}
