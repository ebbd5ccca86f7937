/// Why a connection of HTTP/2 is over, or why a verb was refused.
package struct HTTP2Failure: Error, Equatable, Sendable {
    /// Whose fault it was.
    package enum Fault: Sendable, Equatable {
        /// The peer sent something that is refused.
        case peer
        /// We tried to do something that must not be done.
        case misuse
    }

    /// Whose fault it was.
    package let fault: Fault
    /// The code that the peer is told.
    package let code: HTTP2ErrorCode
    /// What was expected, and what came, in a sentence; safe to print.
    package let detail: String

    /// Creates a failure.
    package init(_ fault: Fault, _ code: HTTP2ErrorCode, _ detail: String) {
        self.fault = fault
        self.code = code
        self.detail = detail
    }
}

extension HTTP2Failure: CustomStringConvertible {
    /// The detail and the code.
    package var description: String { "\(detail): \(code)" }
}
