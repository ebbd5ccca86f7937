import PinholeHTTP2

/// What is known of a tunnel in a stream of HTTP/2: how far the client has come with its half, and we with ours.
struct StreamPort {
    /// Whether the client sends nothing more: it said so (END_STREAM), or does not want the stream any more.
    var hasEnded = false
    /// Whether the client takes nothing more.
    var isGone = false
    /// Whether the client gave the stream up: what still goes to the server need not arrive.
    var isCancelled = false
    /// Whether the stream was reset for an error, or its connection is gone.
    var isBroken = false
    /// Whether we send nothing more.
    var isFinished = false

    /// Takes note of the end of the connection, which is like that of a socket.
    mutating func connectionEnded(isOrderly: Bool) {
        isGone = true
        if isOrderly || isFinished { hasEnded = true } else { isBroken = true }
    }

    /// Takes note of a reset.
    ///
    /// CANCEL and NO_ERROR are how clients close a tunnel that they have no more use for; others are to it what
    /// RST is to a socket (RFC 9113 §8.5).
    mutating func reset(_ code: HTTP2ErrorCode) {
        isGone = true
        isCancelled = code == .cancel || code == .noError
        if isCancelled { hasEnded = true } else { isBroken = true }
    }
}
