/// The reason why a connection of HTTP/2 failed, or why a call was refused.
package struct HTTP2Failure: Error, Equatable, Sendable {
    /// The side whose fault a failure is.
    package enum Fault: Sendable, Equatable {
        /// The peer sent something that the engine refuses.
        case peer
        /// The caller asked for something that must not be done.
        case misuse
    }

    /// The side whose fault the failure is.
    package let fault: Fault
    /// The error code that is sent to the peer.
    package let code: HTTP2ErrorCode
    /// A sentence that says what was expected and what was received; it is safe to print.
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
