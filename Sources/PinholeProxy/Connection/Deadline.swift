package import PinholeModel

/// An event that a connection awaits for a limited time.
package enum Deadline: Sendable, Equatable {
    /// A complete request head.
    case head
    /// The end of the handshake with this side.
    case handshake(Side)
    /// Any activity on the connection.
    case idle
    /// The client's next request, for which the connection to the server is kept.
    case rest

    /// Whether the end of a handshake is awaited.
    package var isHandshake: Bool {
        if case .handshake = self { true } else { false }
    }
}
