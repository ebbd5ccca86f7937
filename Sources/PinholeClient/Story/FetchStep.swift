package import PinholeModel
package import PinholeTrust
package import PinholeWire

/// A thing that happened during a fetch.
package enum FetchStep: Sendable {
    /// A name was looked up.
    case resolved(Authority, took: Duration?)
    /// A TCP connection was made.
    case connected(address: String, isProxy: Bool, attempts: [DialRecord])
    /// No TCP connection was made; each address that was tried has its reason.
    case notConnected(Authority, isProxy: Bool, attempts: [DialRecord])
    /// The proxy answered a CONNECT.
    case tunnel(Authority, status: Int, reason: String)
    /// The first message of TLS was sent.
    case clientHello(ClientHelloRecord, offersSession: Bool)
    /// The server presented its chain.
    case serverChain(ServerPresentation)
    /// A challenge arose, and a handler was asked, or default handling if the level is `nil`.
    case challenge(AuthenticationChallenge, askedAt: ClientDelegate.Level?)
    /// A policy judged the server; beside the path of the judgement, others may be valid.
    case judgement(mechanism: String, Judgement, otherPaths: PathSet)
    /// The challenge was answered.
    case disposition(ChallengeDisposition, note: String)
    /// The TLS handshake was completed.
    case handshake(version: String, cipher: String, applicationProtocol: String?, isResumed: Bool)
    /// A request was sent; its fields are as ``ShownField`` shows them.
    case request(method: String, target: String, fields: [String])
    /// A response came.
    case response(ResponseHead)
    /// A redirect was followed, or not.
    case redirect(ClientURL, isFollowed: Bool, note: String)
    /// The whole body came; the count is in bytes.
    case body(count: Int)
    /// Trailer fields came after the body.
    case trailers(HeaderFields)
    /// Something worth knowing.
    case note(String)
    /// The fetch failed.
    case failed(ClientFailure)
}
