/// Every number that bounds what a peer may cost us, each with its reason.
///
/// Sizes are bytes. `config.json` can change those that a user may need to change.
package struct Limits: Sendable, Equatable {
    /// The head of a message, start line included.
    ///
    /// Servers stop at 8 to 64 KiB; a debugging proxy should not be the strictest on the path.
    package var headBytes = 256 << 10
    /// Field lines in a head.
    ///
    /// Apache allows 100, nginx as many as fit; more is an attack or a bug.
    package var fieldCount = 1000
    /// The trailer section of a chunked message.
    package var trailerBytes = 64 << 10
    /// One chunk-size line with its extensions (RFC 9112 §7.1.1 asks for a limit).
    package var chunkLineBytes = 4 << 10
    /// A ClientHello.
    ///
    /// Post-quantum key shares and padding reach 2 KiB; 64 KiB is what the length of a few records can
    /// hold.
    package var clientHelloBytes = 64 << 10
    /// Bytes that wait to be written to a side before reading from the other one pauses.
    package var outputHighWater = 256 << 10
    /// The bytes in all queues at which connections with more than an equal share stop reading.
    ///
    /// The bound suffices for a thousand connections with slow peers, and a machine that runs browsers can
    /// spare it. One connection may hold some megabytes, so without a bound a hundred would take a gigabyte.
    package var queued = 256 << 20
    /// Bytes that are read from a socket at once: eight full TLS records.
    package var readSize = 128 << 10
    /// Bytes kept of one body.
    ///
    /// What is longer passes, and is recorded as truncated. 16 MiB hold what people read; writing more of a
    /// download than that to disk halves its speed.
    package var bodyCapture: Int64 = 16 << 20
    /// Bytes kept of the heads of interim responses (1xx) of one exchange.
    ///
    /// There are one or two; what is more passes, and the record says so.
    package var interimCapture = 64 << 10
    /// Bytes of a body that lie in the exchange's record; a longer one is recorded in parts.
    package var bodyInline = 64 << 10
    /// Bytes kept of the payload of one WebSocket message, as it was sent.
    ///
    /// What is longer passes, and is recorded as truncated. As much as of a body.
    package var messageCapture: Int64 = 16 << 20
    /// What makes a body a stream, whose pieces are recorded with their times, when it lies between two of
    /// them; types such as text/event-stream are streams anyway.
    ///
    /// Longer than a network stalls, shorter than a person notices.
    package var streamPause = Duration.milliseconds(100)
    /// How often an exchange whose body is a stream is recorded as it stands; its pieces are, as they come.
    ///
    /// What is read in a list may be a second old.
    package var streamRecordInterval = Duration.seconds(1)
    /// The longest body that is held for a rule that wants all of it; a longer one passes as it came.
    ///
    /// Larger than what APIs and pages send, small enough for a hundred at one time.
    package var heldBody = 8 << 20
    /// What all bodies that are held come to together, whatever connection they came on; one that does not fit
    /// passes as it came.
    ///
    /// Thirty of the longest, and as much as a machine that runs browsers can spare.
    package var heldBodies = 256 << 20
    /// How long the rest of a body is awaited that is held; then it passes as it came.
    ///
    /// Who sends slower than that sends a stream, whatever it says.
    package var heldBodyTime = Duration.seconds(30)
    /// Tunnels at one time, all loops together.
    ///
    /// Two descriptors each, below the usual 65,536.
    package var tunnels = 10_000
    /// Connections to one server that wait for the answer of a proxy of SOCKS; one more is refused, since that proxy
    /// seems to lead back to this one.
    ///
    /// Browsers wait for six to a server. SOCKS has no field in which a proxy could say that it was there.
    package var unansweredDials = 128
    /// Clients of one loop that wait for one server; from then on requests are marked now and then, since the way there
    /// may lead back to this proxy.
    ///
    /// More than one person makes wait, and few enough to find a circle within a tenth of a second.
    package var crowd = 32
    /// Idle server connections that are kept for reuse, per loop.
    package var pooledConnections = 64
    /// Connections to servers of one tunnel, where its client asks for many things at one time and the
    /// server takes one after the other.
    ///
    /// Browsers make six to a host; a client of HTTP/2 expects more from one connection.
    package var serverConnections = 16
    /// How long a tunnel whose client asks for nothing keeps its connection to the server; then others may have it.
    ///
    /// Longer than a page takes between two of its requests. A tunnel at rest is half as large as one with a server.
    package var pooledAfter = Duration.seconds(2)
    /// How long an idle server connection is kept.
    ///
    /// Shorter than the 60 s at which servers and middleboxes commonly close.
    package var pooledIdle = Duration.seconds(30)
    /// Until a TCP connection stands, all addresses together.
    package var connectTimeout = Duration.seconds(15)
    /// Until a TLS handshake is finished, each side.
    package var handshakeTimeout = Duration.seconds(15)
    /// From the first byte of a head to its last (slow-loris), and until the first one on a new connection.
    package var headTimeout = Duration.seconds(30)
    /// Nothing moved on an open tunnel.
    ///
    /// Long polling and idle WebSockets need minutes.
    package var idleTimeout = Duration.seconds(600)
    /// What open tunnels get to finish when the proxy is asked to stop.
    package var drainTimeout = Duration.seconds(10)
    /// How long the answer of a name look-up is used again.
    package var resolutionLifetime = Duration.seconds(30)
    /// After how long the next address is tried beside the first (RFC 8305 §5: 250 ms recommended).
    package var connectionAttemptDelay = Duration.milliseconds(250)

    /// Creates the default limits.
    package init() {}
}
