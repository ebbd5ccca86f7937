/// What is asked for.
package struct ClientRequest: Sendable {
    /// The URL.
    package var url: ClientURL
    /// The method.
    package var method: String
    /// More fields, each a name and a value.
    package var fields: [(name: String, value: String)]
    /// The body; empty for none.
    package var body: [UInt8]
    /// Whether User-Agent and Accept are added where ``fields`` has none; a request that is repeated has all it had.
    package var addsOwnFields = true

    /// Creates a request.
    package init(
        _ url: ClientURL,
        method: String = "GET",
        fields: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) {
        self.url = url
        self.method = method
        self.fields = fields
        self.body = body
    }

    /// Checks whether it can be sent: the method is a token, the fields are lines, and agree with the body.
    ///
    /// - Throws: ``ClientFailure`` that says what stands in the way.
    package func check() throws(ClientFailure) {
        let writer = FetchRequestWriter(self, isProxied: false)
        _ = try writer.bytes(authorization: nil, proxyAuthorization: nil)
    }
}
