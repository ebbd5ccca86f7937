/// A request on its way to a server.
public struct Request: Sendable, Hashable {
    /// The method.
    public var method: String
    /// The whole URL; it names the server that was asked for, and follows ``path`` only as it came.
    public let url: String
    /// The path and query.
    public var path: String
    /// The field lines, without those that frame the message or belong to the connection: Pinhole writes them.
    public var fields: [Field]
    /// The content, without its codings; empty where an interceptor is asked about heads alone.
    public var body: [UInt8]
}
