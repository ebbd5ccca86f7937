package import PinholeFiles
import PinholeModel
package import PinholeStore

/// The exit codes of every command.
package enum ExitStatus: Int32, Sendable {
    /// The command did its work.
    case done = 0
    /// The command did its work with a negative result: nothing found, a fault found, or a host not intercepted.
    case negative = 1
    /// The command line is wrong.
    case usage = 2
    /// The command could not do its work.
    case couldNotRun = 3
}

/// The failure of a command, with its exit code and the text for the user.
package struct CommandFailure: DescribedFailure, Equatable, CustomStringConvertible {
    /// The exit code.
    package let status: ExitStatus
    /// The expectation and the finding, in a sentence.
    package let message: String
    /// The remedy: a command or a sentence; `nil` if the message says it.
    package let remedy: String?

    /// Creates a failure.
    package init(_ status: ExitStatus, _ message: String, remedy: String? = nil) {
        self.status = status
        self.message = message
        self.remedy = remedy
    }

    /// Creates the failure of a command that could not do its work.
    package init(_ message: String, remedy: String?) { self.init(.couldNotRun, message, remedy: remedy) }

    /// Creates the failure of a command that could not do its work, without a remedy.
    package init(_ message: String) { self.init(.couldNotRun, message) }

    /// Creates the failure for an error, which stays as it is if it is one.
    package init(of error: any Error) {
        self = error as? CommandFailure ?? CommandFailure("\(error)")
    }

    /// Creates the failure of a command line that is wrong.
    package static func usage(_ message: String, remedy: String? = nil) -> CommandFailure {
        CommandFailure(.usage, message, remedy: remedy)
    }

    /// Creates a failure for a file that cannot be written, with the reason of the system.
    package init(writing path: String, _ error: Errno) {
        self.init(.couldNotRun, "could not write \(path): \(error)")
    }

    /// Creates the failure of a capture that cannot be read.
    package init(_ failure: CaptureFailure) { self.init(.couldNotRun, failure.description) }

    /// The message and the remedy.
    package var description: String { remedy.map { "\(message)\n  to fix it: \($0)" } ?? message }
}
