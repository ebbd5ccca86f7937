package import PinholeModel

/// The server's end of one connection, without a socket: bytes in, bytes out, and the time of the next step.
///
/// An embedded server consists of such connections and a ``ConnectionHub``.
package protocol ServedConnection: ~Copyable {
    /// The bytes from the socket.
    var inbox: ByteQueue { get set }
    /// The bytes for the socket.
    var outbox: ByteQueue { get set }
    /// The way to end the connection; `nil` while it is open.
    var ending: ConnectionEnding? { get }
    /// The time of the next call of ``advance(at:)``; `nil` if it depends only on bytes.
    var wake: Timestamp? { get }
    /// Whether the connection wants more bytes of the peer.
    var wantsRead: Bool { get }
    /// Whether the answer continues as soon as there is room for it.
    var hasMoreToSay: Bool { get }
    /// The state by which the connection has a place: a stranger until the server has accepted a request.
    var standing: Admission.Standing { get }

    /// Makes progress as far as the bytes and the time allow.
    mutating func advance(at now: Timestamp)
    /// Handles the end of the peer's bytes.
    mutating func ended(at now: Timestamp)
    /// Refuses the current request, because all places of its holder are taken.
    mutating func turnAway(at now: Timestamp)
    /// Handles the loss of the socket; nothing is read or sent any more.
    mutating func abandoned()
}

extension ServedConnection where Self: ~Copyable {
    /// Does nothing by default.
    package mutating func abandoned() {}
}

/// The way to end a connection.
package enum ConnectionEnding: Equatable, Sendable {
    /// Sends the waiting bytes and then FIN.
    case close
    /// Sends RST.
    case reset
}
