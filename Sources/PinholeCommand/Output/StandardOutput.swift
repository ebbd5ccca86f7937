import Glibc
import PinholeLock
import PinholeSession

/// Writes results to standard output: one line or JSON object after the other.
enum StandardOutput {
    private static let fault = Lock<Int32?>(nil)

    static func write(_ line: String) {
        note(FileDescriptorOutput.write("\(line)\n", to: STDOUT_FILENO))
    }

    /// Writes a text for users, which is wrapped for a terminal.
    ///
    /// - Parameters:
    ///   - text: The lines.
    ///   - hang: The columns before the further pieces of a line; `nil` for those before its text.
    static func show(_ text: String, hang: Int? = nil) {
        write(TextLayout.hanging(text, Terminal.width(STDOUT_FILENO), hang: hang))
    }

    /// Writes the name of a file as it is, since a script opens that file.
    static func write(path: String) {
        note(FileDescriptorOutput.write(Array("\(path)\n".utf8), to: STDOUT_FILENO))
    }

    /// Writes bytes as they are.
    static func write(bytes: [UInt8]) { note(FileDescriptorOutput.write(bytes, to: STDOUT_FILENO)) }

    private static func note(_ isWritten: Bool) {
        guard !isWritten else { return }
        let code = errno
        // A reader that closes the pipe early, as `head` does, is no fault.
        guard code != EPIPE else { return }
        fault.withLock { $0 = $0 ?? code }
    }

    /// The reason why not everything was written; `nil` if everything was.
    static var failure: CommandFailure? {
        fault.withLock(\.self).map { code in
            CommandFailure("standard output: \(String(cString: strerror(code))); not everything was written")
        }
    }
}
