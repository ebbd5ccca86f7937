/// The exit codes of every command.
enum ExitStatus: Int32, Sendable {
    /// It was done.
    case done = 0
    /// It was done, and the answer is no: nothing found, something wrong, a host not intercepted.
    case negative = 1
    /// The command line is wrong.
    case usage = 2
    /// It could not be done.
    case couldNotRun = 3
}

/// Why a command ends early.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    /// The exit code.
    let status: ExitStatus
    /// The expectation and the finding, in a sentence.
    let message: String
    /// The remedy: a command or a sentence; `nil` if the message says it.
    let remedy: String?

    /// Creates a failure.
    init(_ status: ExitStatus, _ message: String, remedy: String? = nil) {
        self.status = status
        self.message = message
        self.remedy = remedy
    }

    /// The message and the remedy.
    var description: String { remedy.map { "\(message)\n  to mend it: \($0)" } ?? message }
}
