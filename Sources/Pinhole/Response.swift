/// A response on its way to the client.
public struct Response: Sendable, Hashable {
    /// The status.
    public var status: Int
    /// The field lines, without those that frame the message or belong to the connection: Pinhole writes them.
    public var fields: [Field]
    /// The content, without its codings; empty where an interceptor is asked about heads alone.
    public var body: [UInt8]

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: 200 to 599.
    ///   - fields: The field lines.
    ///   - body: The content.
    public init(status: Int, fields: [Field] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
