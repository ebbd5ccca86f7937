package import PinholeModel
package import PinholeTrust
package import PinholeWire

/// One thing that happened during a fetch.
package enum FetchStep: Sendable {
    /// A name was looked up.
    case resolved(Authority, took: Duration?)
    /// A TCP connection stands.
    case connected(address: String, isProxy: Bool, attempts: [DialRecord])
    /// No TCP connection came about; each address that was tried says why.
    case notConnected(Authority, isProxy: Bool, attempts: [DialRecord])
    /// The proxy answered a CONNECT.
    case tunnel(Authority, status: Int, reason: String)
    /// The first message of TLS was sent.
    case clientHello(ClientHelloRecord, offersSession: Bool)
    /// The server presented its chain.
    case serverChain(ServerPresentation)
    /// A challenge arose, and somebody was asked: a handler, or `nil` for default handling.
    case challenge(AuthenticationChallenge, askedAt: ClientDelegate.Level?)
    /// A policy judged the server; beside the path that it went by, others may be valid.
    case judgement(mechanism: String, Judgement, otherPaths: PathSet)
    /// What was made of the challenge.
    case disposition(ChallengeDisposition, note: String)
    /// TLS stands.
    case handshake(version: String, cipher: String, applicationProtocol: String?, isResumed: Bool)
    /// A request was sent; its fields are as ``ShownField`` shows them.
    case request(method: String, target: String, fields: [String])
    /// A response came.
    case response(ResponseHead)
    /// A redirect was followed, or not.
    case redirect(ClientURL, isFollowed: Bool, note: String)
    /// The body is there.
    case body(count: Int)
    /// Fields came behind the body.
    case trailers(HeaderFields)
    /// Something worth knowing.
    case note(String)
    /// It failed.
    case failed(ClientFailure)
}
