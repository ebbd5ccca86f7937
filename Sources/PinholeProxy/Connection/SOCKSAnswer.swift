package import PinholeWire

/// An answer to a client of SOCKS.
package enum SOCKSAnswer: Sendable, Equatable {
    /// The result of checking the user name and the password.
    case credentials(areRight: Bool)
    /// The result of the client's request. A client may also get it before its request, if it is refused.
    case reply(SOCKSReply)
}
