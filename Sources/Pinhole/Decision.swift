/// What becomes of a message.
public enum Decision: Sendable, Hashable {
    /// It goes on, as it is now.
    case proceed
    /// The client gets this in the server's place.
    case respond(Response)
    /// The exchange ends without an answer: the connection is closed, in HTTP/2 the stream.
    case drop
}
