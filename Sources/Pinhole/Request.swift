/// A request on its way to a server.
public struct Request: Sendable, Hashable {
    /// The request method, such as `GET`.
    public var method: String
    /// The whole URL that the client asked for; a change of ``path`` does not change it.
    public let url: String
    /// The path and the query.
    public var path: String
    /// The field lines, without those that frame the message or belong to the connection, which Pinhole writes itself.
    public var fields: [Field]
    /// The body without its content codings; empty if the interceptor is asked about the head alone.
    public var body: [UInt8]
}
