package import PinholeModel

/// The server's end of one connection, without a socket: bytes in, bytes out, and when to go on.
///
/// An embedded server is one of these and a ``ConnectionHub``.
package protocol ServedConnection: ~Copyable {
    /// What came from the socket.
    var inbox: ByteQueue { get set }
    /// What goes to the socket.
    var outbox: ByteQueue { get set }
    /// How the connection is to be ended; `nil` while it goes on.
    var ending: ConnectionEnding? { get }
    /// When ``advance(at:)`` has to be called again; `nil` where only bytes matter.
    var wake: Timestamp? { get }
    /// Whether more of the peer's bytes are wanted.
    var wantsRead: Bool { get }
    /// Whether the answer goes on as soon as there is room for it.
    var hasMoreToSay: Bool { get }
    /// Whether it may be closed so that another connection can be accepted.
    var isExpendable: Bool { get }
    /// Whether its peer has not yet sent an accepted request; such connections are closed before others.
    var isStranger: Bool { get }

    /// Goes on as far as the bytes and the time allow.
    mutating func advance(at now: Timestamp)
    /// The peer sends nothing more.
    mutating func ended(at now: Timestamp)
    /// The socket is gone; nothing is read or sent any more.
    mutating func abandoned()
}

extension ServedConnection where Self: ~Copyable {
    /// Nothing is to be told.
    package mutating func abandoned() {}
    /// By default, a connection is not closed for another one.
    package var isExpendable: Bool { false }
    /// By default, every peer is known.
    package var isStranger: Bool { false }
}

/// How a connection is to be ended.
package enum ConnectionEnding: Equatable, Sendable {
    /// FIN behind what waits.
    case close
    /// RST.
    case reset
}
