package import PinholeWire

/// What came.
package struct ClientResponse: Sendable {
    /// Where it came from, after redirects.
    package let url: ClientURL
    /// The head.
    package let head: ResponseHead
    /// The body.
    package let body: [UInt8]
}

/// How a fetch ended, and everything that happened on the way.
package struct FetchOutcome: Sendable {
    /// What came, or why nothing did.
    package let result: Result<ClientResponse, ClientFailure>
    /// What happened, step by step.
    package let story: FetchStory
}
