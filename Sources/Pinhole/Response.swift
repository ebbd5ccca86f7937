/// A response on its way to the client.
public struct Response: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The field lines, without those that frame the message or belong to the connection, which Pinhole writes itself.
    public var fields: [Field]
    /// The body without its content codings; empty if the interceptor is asked about the head alone.
    public var body: [UInt8]

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status code, 200 to 599.
    ///   - fields: The field lines.
    ///   - body: The body without content codings.
    public init(status: Int, fields: [Field] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
