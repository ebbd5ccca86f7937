package import PinholeModel

/// The bounds on what a client of the console may use, each with its reason.
package struct ConsoleLimits: Sendable, Equatable {
    /// The places for connections.
    ///
    /// A browser opens six for each tab, and an event stream keeps one. Strangers have sent no accepted request: 160 are
    /// a class of thirty with five connections each.
    package var admission = AdmissionBounds(
        strangers: 160,
        strangerTime: .seconds(20),
        places: 64,
        share: 64,
        idleTime: .seconds(90),
        hasLogin: true
    )
    /// The maximum size of a request head; browsers send one or two KiB, and a filter may be long.
    package var headBytes = 32 << 10
    /// The maximum count of field lines in a head.
    package var fieldCount = 100
    /// The maximum size of a request body, in bytes.
    package var bodyBytes = 1 << 20
    /// The maximum size of a request body without a login, in bytes: a name and a password.
    package var strangerBodyBytes = 4 << 10
    /// The maximum size of an imported file, which is written to the disk as it arrives.
    package var fileBytes: Int64 = 4 << 30
    /// The time from a head's first byte, or from the start of a connection, to the head's last byte.
    package var headTimeout = Duration.seconds(15)
    /// The time from a head to the last byte of its body; for a file, the time between two pieces.
    package var bodyTimeout = Duration.seconds(30)
    /// The time between two requests.
    package var idleTimeout = Duration.seconds(75)
    /// The time without progress in sending, after which the client is considered gone or asleep.
    package var stallTimeout = Duration.seconds(120)
    /// The count of bytes that wait to be written, above which no further piece is requested.
    package var outputHighWater = 256 << 10
    /// The maximum count of concurrent exports; each one has a thread and a reader of its own.
    package var exports = 2
    /// The maximum count of streams of events; a page has one or two.
    ///
    /// A student of a class must not take the connections of all.
    package var streams = 16
    /// The maximum count of items in one answer.
    package var page = 500
    /// The maximum count of messages in one answer.
    package var messages = 1000
    /// The maximum count of bytes of a body in one answer.
    package var bodyPiece: Int64 = 16 << 20

    /// Creates the default limits.
    package init() {}

    /// The limits for the reader of HTTP/1.
    var reading: Limits {
        var limits = Limits()
        limits.headBytes = headBytes
        limits.fieldCount = fieldCount
        return limits
    }
}
