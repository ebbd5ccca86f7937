/// What is known of a tunnel in a stream of HTTP/2: how far the client has come with its half, and we with ours.
struct StreamPort {
    /// Whether the client sends nothing more (END_STREAM).
    var hasEnded = false
    /// Whether the stream was reset, or its connection is gone.
    var isBroken = false
    /// Whether we send nothing more.
    var isFinished = false
}
