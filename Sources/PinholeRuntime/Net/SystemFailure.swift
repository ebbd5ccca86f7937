import Glibc

/// Why the system refused something.
package struct SystemFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was attempted.
    package let attempt: String
    /// The error number.
    package let code: Int32

    /// Creates the failure of `attempt` with an error number.
    package init(_ attempt: String, _ code: Int32) {
        self.attempt = attempt
        self.code = code
    }

    /// The system's words for the error number.
    package var reason: String { String(cString: strerror(code)) }

    /// The attempt and the reason.
    package var description: String { "\(attempt): \(reason)" }
}
