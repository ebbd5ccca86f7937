/// A request that the client is to send.
package struct ClientRequest: Sendable {
    /// The field in which a request names its TLS connection; there is no standard one.
    package static let channelBindingField = "Channel-Binding"

    /// The URL of the request.
    package var url: ClientURL
    /// The method of the request.
    package var method: String
    /// More fields, each a name and a value.
    package var fields: [(name: String, value: String)]
    /// The body; empty for none.
    package var body: [UInt8]
    /// Whether User-Agent and Accept are added if ``fields`` has none; a repeated request already has all its fields.
    package var addsOwnFields = true
    /// Takes the body of an answer with a 2xx status piece by piece, as it comes; the response then has no body.
    ///
    /// An endless answer can be read in this way only, and ``ClientSettings/body`` does not count for it.
    package var takeBody: (@Sendable ([UInt8]) -> Void)?

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
}
