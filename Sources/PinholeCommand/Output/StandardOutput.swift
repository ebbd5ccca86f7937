import Glibc
import PinholeLock

/// Results: one line, or one JSON object, after the other.
enum StandardOutput {
    private static let fault = Lock<Int32?>(nil)

    /// Writes a line.
    static func write(_ line: String) {
        guard !FileDescriptorOutput.write(Array("\(line)\n".utf8), to: STDOUT_FILENO) else { return }
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
