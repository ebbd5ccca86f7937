package import PinholeModel
package import PinholeWire

/// The final response of a fetch.
package struct ClientResponse: Sendable {
    /// The URL that the response came from, after redirects.
    package let url: ClientURL
    /// The head of the final response.
    package let head: ResponseHead
    /// The body of the response, without its framing.
    package let body: [UInt8]
    /// The trailer fields, which came after the body.
    package var trailers = HeaderFields()
    /// Whether the server would have sent more than the ``ClientSettings/BodyBound/beginning(_:)`` that was read.
    package var isCut = false

    /// The bytes of the head: the received ones in HTTP/1, and their HTTP/1 form in HTTP/2.
    package var rawHead: [UInt8] { head.raw.isEmpty ? head.fields.head(ofStatus: head.status) : head.raw }
}

/// The result of a fetch, and everything that happened on the way.
package struct FetchOutcome: Sendable {
    /// The response, or the reason why there is none.
    package let result: Result<ClientResponse, ClientFailure>
    /// The events of the fetch, step by step.
    package let story: FetchTranscript
}
