import Glibc

/// The reason why a system call failed.
package struct SystemFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The operation that failed.
    package let attempt: String
    /// The error number.
    package let code: Int32

    /// Creates the failure of `attempt` with an error number.
    package init(_ attempt: String, _ code: Int32) {
        self.attempt = attempt
        self.code = code
    }

    /// The system's message for the error number.
    package var reason: String { String(cString: strerror(code)) }

    /// The attempt and the reason.
    package var description: String { "\(attempt): \(reason)" }
}
