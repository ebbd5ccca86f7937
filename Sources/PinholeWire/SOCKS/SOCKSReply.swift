/// What a request of SOCKS5 is answered with (RFC 1928 §6).
package enum SOCKSReply: UInt8, Sendable, Equatable, CaseIterable {
    /// The connection stands.
    case succeeded = 0
    /// Something else went wrong.
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
    /// The command is none that is served.
    case commandNotSupported = 7
    /// The kind of address is unknown.
    case addressTypeNotSupported = 8

    /// What it means, in a few words.
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
