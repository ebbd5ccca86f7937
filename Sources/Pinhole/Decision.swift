/// The decision of an ``Interceptor`` about a message.
public enum Decision: Sendable, Hashable {
    /// The message goes on, with the changes that the interceptor made to it.
    case proceed
    /// The client gets this response instead of the server's.
    case respond(Response)
    /// The exchange ends without a response: the proxy closes the connection, or in HTTP/2 resets the stream.
    case drop
}
