import PinholeModel

/// Every number that bounds what a client of the console may cost us, each with its reason.
package struct ConsoleLimits: Sendable, Equatable {
    /// Connections at one time: a browser opens six for each tab, and an event stream keeps one.
    package var connections = 64
    /// The head of a request; browsers send one or two KiB, and a filter may be long.
    package var headBytes = 32 << 10
    /// Field lines in a head.
    package var fieldCount = 100
    /// The body of a request.
    package var bodyBytes = 1 << 20
    /// A file that is to be imported: it goes to the disk as it comes.
    package var fileBytes: Int64 = 4 << 30
    /// From the first byte of a head to its last, and to the first one on a new connection.
    package var headTimeout = Duration.seconds(15)
    /// From the head to the last byte of the body; of a file, from one piece to the next.
    package var bodyTimeout = Duration.seconds(30)
    /// Between two requests.
    package var idleTimeout = Duration.seconds(75)
    /// Nothing that was said is read: a tab that sleeps, or a client that is gone.
    package var stallTimeout = Duration.seconds(120)
    /// Bytes that wait to be written before no more are asked for.
    package var outputHighWater = 256 << 10
    /// Exports at one time; each has a thread and a reader of its own.
    package var exports = 2
    /// Items in one answer.
    package var page = 500
    /// Messages in one answer.
    package var messages = 1000
    /// Bytes of a body in one answer.
    package var bodyPiece: Int64 = 16 << 20

    /// Creates the default limits.
    package init() {}

    /// What the reader of HTTP/1 has to know of them.
    var reading: Limits {
        var limits = Limits()
        limits.headBytes = headBytes
        limits.fieldCount = fieldCount
        return limits
    }
}
