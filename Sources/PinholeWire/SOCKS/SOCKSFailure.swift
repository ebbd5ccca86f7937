/// Why bytes are no SOCKS, or ask for something that is not served.
package struct SOCKSFailure: Error, Equatable, Sendable {
    /// What is wrong; one case per rule.
    package enum Code: String, Sendable, Equatable, CaseIterable {
        /// The client offers no way of authentication that is accepted.
        case noCommonMethod
        /// The message with user name and password is not of version 1 (RFC 1929 §2).
        case badSubnegotiation
        /// The request is of another version than the greeting, or its reserved byte is used.
        case badRequest
        /// The command is not CONNECT.
        case badCommand
        /// The kind of address is unknown.
        case badAddressType
        /// The name is none, or the port is 0.
        case badDestination
        /// A text of SOCKS4 does not end.
        case tooLong
    }

    /// What is wrong.
    package let code: Code
    /// What was expected and what came, in a sentence; safe to print.
    package let detail: String

    /// Creates a failure.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}
