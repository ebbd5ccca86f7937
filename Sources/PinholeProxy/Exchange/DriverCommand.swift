package import PinholeCrypto
package import PinholeWire

/// Work that needs a socket, a timer or another thread.
///
/// A machine or a stack asks for it. The stack does its own part first, and the driver carries the same command out.
package enum DriverCommand: Sendable, Equatable {
    /// Connect to a server; answered by `dialed` or `dialFailed`.
    indirect case dial(LinkID, DialTarget)
    /// Verify the login that came with a request; answered by `authenticated`.
    indirect case authenticate(Lane, LoginCheck)
    /// Make a leaf; answered by `minted` or `mintFailed`.
    indirect case mint(LeafRequest)
    /// Hold an exchange and ask about it; answered by `decided`.
    case consult(Lane, Consultation)
    /// Withdraw the question about an exchange, because its answer is no longer needed.
    case withdraw(Lane)
    /// Read a piece of an answer; answered by `contentRead`.
    case read(Lane, AnswerContent, Range<Int>)
    /// Write as much of the outbox of a server's connection as is possible at once, then close its socket.
    case closeLink(LinkID)
    /// Take the engines of a server's connection, and give them to the pool.
    case releaseLink(LinkID)
    /// Write the outbox, then close the writing half of a server's socket.
    case closeLinkHalf(LinkID)
    /// Make the later close of a server's socket a reset (RST).
    case resetLink(LinkID)
    /// Write the outbox, then close the client's socket.
    case closeClient
    /// Make the later close of the client's socket a reset (RST), which no client takes for a proper end; bytes that
    /// wait for the client are dropped.
    case resetClient
    /// Tell the client, by its stream of HTTP/2, that the tunnel is open.
    case acceptStream
    /// Tell the client, by its stream of HTTP/2, why no tunnel was opened.
    indirect case refuseStream(Answer)
    /// Open a tunnel in the stream of a CONNECT; answered by `accept`, `refuse` or `decline`, and by `tunnelEnded`.
    case openTunnel(Lane, RequestHead)
    /// Let a tunnel read from its stream and write to it: bytes arrived, or there is room again.
    case stirTunnel(Lane)
    /// Close all sockets at once.
    case abort
    /// Start a deadline, which replaces the one before; answered by `expired`.
    case arm(Deadline, Duration)
    /// Start the deadline of a server's handshake; answered by `handshakeExpired`.
    case armHandshake(LinkID, Duration)
    /// Cancel the deadline of a handshake that has ended.
    case disarmHandshake(LinkID)
}
