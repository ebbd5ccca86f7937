package import PinholeModel

/// An opening has one server, whose bytes pass or wait as those of a socket.
extension TunnelStack: ClientStack {
    /// Whether the stack opens a connection, so that its client may still be a stranger.
    package static var isOpening: Bool { true }
    /// Whether the queues of the proxy are so full that this connection must accept no more bytes.
    package var isShort: Bool {
        get { false }
        set {}
    }
    /// Whether bytes of a side show that the connection is not idle.
    package var isInUse: Bool { mutating get { true } }
    /// A number that grows with each sign of the client that it still uses the connection.
    package var progress: Int { mutating get { 0 } }
    /// Whether an open exchange was not recorded yet.
    package var hasUnrecorded: Bool { mutating get { false } }

    /// The handshake with the server of an opening has the deadline of its client.
    package mutating func handshakeExpired(_ id: LinkID, at now: Timestamp) {}
}
