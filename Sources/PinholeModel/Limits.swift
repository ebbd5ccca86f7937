/// All limits on the resources that a peer can use, each with its reason.
///
/// Sizes are in bytes. `config.json` can change the limits that a user may need to change.
package struct Limits: Sendable, Equatable {
    /// The largest head of a message, including the start line.
    ///
    /// Servers stop at 8 to 64 KiB; a debugging proxy should not be the strictest on the path.
    package var headBytes = 256 << 10
    /// The largest number of field lines in a head.
    ///
    /// Apache allows 100, nginx as many as fit; a larger number is an attack or a bug.
    package var fieldCount = 1000
    /// The largest trailer section of a chunked message.
    package var trailerBytes = 64 << 10
    /// The largest chunk-size line with its extensions (RFC 9112 §7.1.1 asks for a limit).
    package var chunkLineBytes = 4 << 10
    /// The largest ClientHello.
    ///
    /// The limit is that of OpenSSL 3 (`CLIENT_HELLO_MAX_LENGTH`): lists of suites and extensions of 64 KiB each.
    package var clientHelloBytes = 131_396
    /// The bytes of records after which a ClientHello must be complete.
    ///
    /// A record of one byte takes six; the rest is room for empty records.
    package var clientHelloRecords: Int { 8 * clientHelloBytes }
    /// The number of bytes waiting for one side at which reading from the other side pauses.
    package var outputHighWater = 256 << 10
    /// The bytes in all queues at which connections with more than an equal share stop reading.
    ///
    /// The bound suffices for a thousand connections with slow peers, and a machine that runs browsers can
    /// spare it. One connection may hold some megabytes, so without a bound a hundred would take a gigabyte.
    package var queued = 256 << 20
    /// The number of bytes that are read from a socket at once: eight full TLS records.
    package var readSize = 128 << 10
    /// The largest part of a body that is recorded.
    ///
    /// A longer body passes, and is recorded as truncated. 16 MiB hold what people read; writing more of a download to
    /// disk would halve its speed.
    package var bodyCapture: Int64 = 16 << 20
    /// The largest part of the heads of interim responses (1xx) that is recorded for one exchange.
    ///
    /// There are usually one or two. Further ones pass, and the record notes that they are missing.
    package var interimCapture = 64 << 10
    /// The largest body that is stored in the exchange's record; a longer one is recorded in parts.
    package var bodyInline = 64 << 10
    /// The largest part of a WebSocket message's payload that is recorded, as sent.
    ///
    /// A longer payload passes, and is recorded as truncated. The limit is that of a body.
    package var messageCapture: Int64 = 16 << 20
    /// The pause between two pieces of a body after which the body counts as a stream.
    ///
    /// The pieces of a stream are recorded with their times. Types such as text/event-stream are always streams. The
    /// pause is longer than a network stalls, and shorter than a person notices.
    package var streamPause = Duration.milliseconds(100)
    /// The interval at which an exchange is recorded while its body is a stream; its pieces are recorded as they
    /// arrive.
    ///
    /// A list may show data that is a second old.
    package var streamRecordInterval = Duration.seconds(1)
    /// The longest body that is held for a rule that needs all of it; a longer one passes unchanged.
    ///
    /// The limit is larger than what APIs and pages send, and small enough for a hundred bodies at one time.
    package var heldBody = 8 << 20
    /// The largest total size of all held bodies, on all connections; a body that does not fit passes unchanged.
    ///
    /// The limit is enough for thirty of the longest, and a machine that runs browsers can spare it.
    package var heldBodies = 256 << 20
    /// The longest wait for the rest of a held body; after that the body passes unchanged.
    ///
    /// A sender that takes longer sends a stream, whatever its head says.
    package var heldBodyTime = Duration.seconds(30)
    /// The largest number of tunnels at one time, in all loops together.
    ///
    /// A tunnel needs two descriptors, so the limit stays below the usual 65,536.
    package var tunnels = 10_000
    /// The number of connections to one server that may wait for the answer of a SOCKS proxy.
    ///
    /// A further one is refused, because that proxy seems to lead back to this one. Browsers wait for six to a server.
    /// SOCKS has no field in which a proxy could leave its name.
    package var unansweredDials = 128
    /// The number of clients of one event loop, waiting for one server, at which the proxy looks for a proxy circle.
    ///
    /// Some requests are then marked, because the way to the server may lead back to this proxy. The number is larger
    /// than one person causes, and small enough to find a circle within a tenth of a second.
    package var loopCheckThreshold = 32
    /// The number of idle server connections that are kept for reuse, per loop.
    package var pooledConnections = 64
    /// The largest number of server connections of one tunnel.
    ///
    /// A tunnel needs several if its client sends requests at the same time and the server takes one at a time.
    /// Browsers open six to a host; a client of HTTP/2 expects more from one connection.
    package var serverConnections = 16
    /// The time after which a tunnel without requests gives its server connection to the pool.
    ///
    /// The time is longer than a page takes between two of its requests. An idle tunnel without a server connection is
    /// half as large.
    package var pooledAfter = Duration.seconds(2)
    /// The time for which an idle server connection is kept.
    ///
    /// Shorter than the 60 s at which servers and middleboxes commonly close.
    package var pooledIdle = Duration.seconds(30)
    /// The time limit for opening a TCP connection, all addresses together.
    package var connectTimeout = Duration.seconds(15)
    /// The time limit for a TLS handshake, on each side.
    package var handshakeTimeout = Duration.seconds(15)
    /// The time limit for a head, from its first byte to its last, and for the first byte on a new connection.
    ///
    /// The limit stops slow-loris attacks.
    package var headTimeout = Duration.seconds(30)
    /// The time without any traffic after which an open tunnel is closed.
    ///
    /// Long polling and idle WebSockets need minutes.
    package var idleTimeout = Duration.seconds(600)
    /// The time that open tunnels get to finish when the proxy is asked to stop.
    package var drainTimeout = Duration.seconds(10)
    /// The time for which the answer of a name look-up is reused.
    package var resolutionLifetime = Duration.seconds(30)
    /// The delay before the next address is tried in addition to the first (RFC 8305 §5 recommends 250 ms).
    package var connectionAttemptDelay = Duration.milliseconds(250)

    /// The largest number of client connections without an accepted request.
    ///
    /// Browsers open some connections in advance. A machine with a hundred programs that do so needs fewer.
    package var strangers = 1024

    /// Creates the default limits.
    package init() {}

    /// The places for connections of clients.
    ///
    /// A tunnel ends slow heads and handshakes itself, and tells its client. The time of a stranger is longer than these
    /// times and than checking a password.
    package var admission: AdmissionBounds {
        AdmissionBounds(
            strangers: strangers,
            strangerTime: headTimeout + handshakeTimeout + .seconds(15),
            places: tunnels,
            share: tunnels,
            idleTime: idleTimeout + .seconds(15),
            descriptors: 2
        )
    }
}
