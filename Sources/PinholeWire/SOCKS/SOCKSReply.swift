/// The reply to a request of SOCKS5 (RFC 1928 §6).
package enum SOCKSReply: UInt8, Sendable, Equatable, CaseIterable {
    /// The connection is open.
    case succeeded = 0
    /// Another error happened.
    case generalFailure = 1
    /// A rule forbids the connection.
    case notAllowed = 2
    /// The network cannot be reached.
    case networkUnreachable = 3
    /// The host cannot be reached, or its name has no address.
    case hostUnreachable = 4
    /// The host refused the connection.
    case connectionRefused = 5
    /// The host did not answer in time.
    case expired = 6
    /// The command is not supported.
    case commandNotSupported = 7
    /// The type of address is not supported.
    case addressTypeNotSupported = 8

    /// The meaning in a few words.
    package var meaning: String {
        switch self {
        case .succeeded: "succeeded"
        case .generalFailure: "general failure"
        case .notAllowed: "not allowed by the rules"
        case .networkUnreachable: "network unreachable"
        case .hostUnreachable: "host unreachable"
        case .connectionRefused: "connection refused"
        case .expired: "no answer in time"
        case .commandNotSupported: "command not supported"
        case .addressTypeNotSupported: "address type not supported"
        }
    }
}
