package import PinholeWire

/// What a client of SOCKS is told.
package enum SOCKSAnswer: Sendable, Equatable {
    /// Whether its user name and password are right.
    case credentials(areRight: Bool)
    /// What became of its request; before one it is turned away.
    case reply(SOCKSReply)
}
