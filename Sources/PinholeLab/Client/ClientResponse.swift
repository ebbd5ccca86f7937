package import PinholeModel
package import PinholeWire

/// What came.
package struct ClientResponse: Sendable {
    /// Where it came from, after redirects.
    package let url: ClientURL
    /// The head.
    package let head: ResponseHead
    /// The body.
    package let body: [UInt8]
    /// The fields that came behind the body.
    package var trailers = HeaderFields()

    /// The head in bytes: as it came in HTTP/1, and of HTTP/2 as it would have come.
    package var rawHead: [UInt8] {
        guard head.raw.isEmpty else { return head.raw }
        return Array("HTTP/2 \(head.status)\r\n".utf8) + head.fields.section + [0x0d, 0x0a]
    }
}

/// How a fetch ended, and everything that happened on the way.
package struct FetchOutcome: Sendable {
    /// What came, or why nothing did.
    package let result: Result<ClientResponse, ClientFailure>
    /// What happened, step by step.
    package let story: FetchStory
}
