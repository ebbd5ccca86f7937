package import PinholeModel

/// The engines of a client's connection and of its connections to servers, as their driver uses them.
///
/// A stack has no socket and reads no clock. The driver puts received bytes into inboxes and calls ``advance(at:)``.
/// Then it writes the outboxes, carries out ``driverCommands``, and passes ``records`` on. A ``TunnelStack`` opens a
/// connection, and a ``ConversationStack`` continues one whose messages are read.
///
/// Properties are read by mutating functions, because otherwise Swift 6.3 copies the stack first, which has 3.5 KB.
package protocol ClientStack: ~Copyable {
    /// Whether the stack opens a connection, so that its client may still be a stranger.
    static var isOpening: Bool { get }

    /// The engines toward the client.
    var client: HTTPPeer { get set }
    /// The driver's work, in order; the driver empties the list.
    var driverCommands: [DriverCommand] { get set }
    /// The new records, in order; the driver empties the list.
    var records: [FlowEvent] { get set }
    /// The record of the connection in its latest recorded state.
    var flow: FlowRecord { get }
    /// Whether the connection has ended.
    var isClosed: Bool { get }
    /// Whether the client gets only the bytes that already wait for it.
    var isClosing: Bool { get }

    /// Whether the queues of the proxy are so full that this connection must accept no more bytes.
    var isShort: Bool { get set }
    /// Whether more should be read from the client.
    var wantsReadFromClient: Bool { mutating get }
    /// Whether more should be read from a server.
    mutating func wantsRead(_ id: LinkID) -> Bool
    /// Whether waiting bytes may be processed once an outbox has room.
    var hasMoreToDo: Bool { mutating get }
    /// Whether so many bytes wait to be sent to one side that nothing more is taken from the other side for it.
    var isFull: Bool { mutating get }
    /// Whether bytes wait to be written to a side.
    var hasPendingOutput: Bool { mutating get }
    /// The memory of the bytes that wait in both directions, in bytes.
    var queued: Int { mutating get }
    /// Whether bytes of a side show that the connection is not idle.
    var isInUse: Bool { mutating get }
    /// A number that grows with each sign of the client that it still uses the connection.
    var progress: Int { mutating get }
    /// The time at which throttled bytes may pass; `nil` if none wait.
    var wake: Timestamp? { mutating get }
    /// The time at which lines that a side has begun must be complete; `nil` if there are none.
    var linesDeadline: Timestamp? { mutating get }
    /// Whether an open exchange was not recorded yet.
    var hasUnrecorded: Bool { mutating get }

    /// Returns the engines of a connection to a server; `nil` if it does not exist.
    mutating func link(_ id: LinkID) -> LinkStack?
    /// Removes and returns the engines of a connection to a server; `nil` if it does not exist.
    mutating func takeLink(_ id: LinkID) -> LinkStack?

    /// Processes the bytes at hand as far as possible.
    mutating func advance(at now: Timestamp)
    /// Notes that the client's stream ended or broke.
    mutating func clientEnded(_ kind: CloseKind, at now: Timestamp)
    /// Notes that a server's stream ended or broke.
    mutating func linkEnded(_ id: LinkID, _ kind: CloseKind, at now: Timestamp)
    /// Takes a connection to a server that was made, with its engines if it was used before or leads through a proxy.
    mutating func dialed(
        _ id: LinkID,
        _ facts: DialedServer,
        _ peer: consuming Boxed<HTTPPeer>?,
        at now: Timestamp
    )
    /// Notes that no connection to the server could be made.
    mutating func dialFailed(
        _ id: LinkID,
        _ failure: DialFailure,
        _ dials: [DialRecord],
        at now: Timestamp
    )
    /// Notes that a deadline passed.
    mutating func expired(_ deadline: Deadline, at now: Timestamp)
    /// Notes that the handshake with a server took too long.
    mutating func handshakeExpired(_ id: LinkID, at now: Timestamp)
    /// Notes why the connection is about to end for others, for its record.
    mutating func displace(_ detail: String, at now: Timestamp)
    /// Notes that the proxy stops now.
    mutating func stop(at now: Timestamp)
}
