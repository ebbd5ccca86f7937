import PinholeHTTP2

/// The state of both halves of a tunnel in a stream of HTTP/2.
struct StreamPort {
    /// Whether the client will send nothing more: it sent END_STREAM, or cancelled the stream.
    var hasEnded = false
    /// Whether the client does not read any more.
    var isGone = false
    /// Whether the client cancelled the stream, so that bytes for the server need not arrive.
    var isCancelled = false
    /// Whether the stream was reset with an error, or its connection has ended.
    var isBroken = false
    /// Whether we send nothing more.
    var isFinished = false

    /// Notes the end of the connection, which counts like the end of a socket.
    mutating func connectionEnded(isOrderly: Bool) {
        isGone = true
        if isOrderly || isFinished { hasEnded = true } else { isBroken = true }
    }

    /// Notes a reset of the stream.
    ///
    /// Clients close a tunnel that they no longer need with CANCEL or NO_ERROR. Any other code counts like RST on a
    /// socket (RFC 9113 §8.5).
    mutating func reset(_ code: HTTP2ErrorCode) {
        isGone = true
        isCancelled = code == .cancel || code == .noError
        if isCancelled { hasEnded = true } else { isBroken = true }
    }
}
