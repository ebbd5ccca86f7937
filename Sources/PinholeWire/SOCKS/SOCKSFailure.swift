/// The reason why bytes are no SOCKS, or why a request is not supported.
package struct SOCKSFailure: Error, Equatable, Sendable {
    /// The rule that was broken; one case per rule.
    package enum Code: String, Sendable, Equatable, CaseIterable {
        /// The client offers no authentication method that the proxy accepts.
        case noCommonMethod
        /// The message with user name and password does not have version 1 (RFC 1929 §2).
        case badSubnegotiation
        /// The request has another version than the greeting, or its reserved byte is not 0.
        case badRequest
        /// The command is not CONNECT.
        case badCommand
        /// The type of address is unknown.
        case badAddressType
        /// The name is invalid, or the port is 0.
        case badDestination
        /// A text of SOCKS4 does not end within the limit.
        case tooLong
    }

    /// The rule that was broken.
    package let code: Code
    /// A sentence with what was expected and what came; safe to print.
    package let detail: String

    /// Creates a failure.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}
