package import PinholeHTTP2
package import PinholeModel
package import PinholeWire

/// An event of a conversation.
package enum ConversationEvent: Sendable, Equatable {
    /// The first bytes of a request head arrived from a client of HTTP/1.
    case requestBegan
    /// A request head arrived from the client.
    case request(Lane, RequestHead)
    /// The request that the tunnel has read; its client was already allowed to use the proxy.
    case firstRequest(Lane, RequestHead)
    /// A request head arrived that cannot be sent to any server; the text says why.
    case requestRefused(Lane, RequestHead, String)
    /// The login that came with an exchange was verified.
    case authenticated(Lane, LoginVerdict)
    /// The client stated the priority of a response, before or after its request; the bytes are the field value.
    case prioritized(Lane, [UInt8])
    /// The last byte of the request was passed on.
    case requestEnded(Lane)
    /// A response head arrived from the server.
    case response(Lane, ResponseHead)
    /// The last byte of the response was passed on.
    case responseEnded(Lane)
    /// A side aborted the exchange, or broke a rule in it; the text says how.
    case reset(Lane, Side, HTTP2ErrorCode, String)
    /// The server has sent its whole response, and reads no more of the request (RFC 9113 §8.1).
    case requestUnwanted(Lane)
    /// The server has responded, and for some time has read nothing of the rest of the request.
    case requestStalled(Lane)
    /// The last byte of an answer whose content is read while it is sent was passed on.
    case answerSent(Lane)
    /// The content of such an answer is gone, for example because its file was deleted.
    case answerFailed(Lane)
    /// The server has not processed the request and never will, so it may be sent again.
    case refused(Lane)
    /// The program that made the connection was identified.
    indirect case identified(ClientProcess)
    /// A connection to a server was made.
    indirect case dialed(LinkID, DialedServer)
    /// No connection to a server could be made.
    indirect case dialFailed(LinkID, DialFailure, [DialRecord])
    /// The handshake with a server ended, or the server asked for a client certificate after it.
    indirect case handshake(LinkID, HandshakeRecord, JudgedChain)
    /// The number of exchanges that a server takes at one time is known.
    case capacity(LinkID, Int)
    /// A server accepts no new requests on this connection (GOAWAY, or it closes after the response).
    case linkDraining(LinkID)
    /// A server's connection ended.
    case linkClosed(LinkID, CloseKind)
    /// The client's connection ended; `sentData` says whether the client sent anything after the handshake.
    case clientClosed(CloseKind, sentData: Bool)
    /// A question about an exchange was answered.
    case decided(Lane, ExchangeDecision)
    /// The request that is held is complete, or will not be held any longer.
    case requestHeld(Lane, HeldEnd)
    /// The response that is held is complete, or will not be held any longer.
    case responseHeld(Lane, HeldEnd)
    /// The request of an exchange cannot be sent on, so the proxy answers.
    indirect case answered(Lane, Answer)
    /// The tunnel in a stream has ended.
    case tunnelEnded(Lane)
    /// The client's connection ends with the exchange that has just ended.
    case clientFinished
    /// The client broke a rule that concerns the whole connection.
    case clientFailed(String)
    /// The bytes of a client of HTTP/1 are not a valid request.
    indirect case requestFailed(HTTP1Failure)
    /// A deadline passed.
    case expired(Deadline)
    /// The user who watches the proxy ends an exchange; `nil` if the connection and all its exchanges are to end.
    case endedByUser(Lane?)
    /// The proxy is about to stop: open exchanges are finished, new ones are not accepted.
    case drain
    /// The settings of the host have changed: open exchanges are finished, and the next connection uses the new
    /// settings.
    case retire
    /// The connection is about to end for the sake of others; the text is the reason for its record.
    case displaced(String)
    /// The proxy stops now.
    case stop
}
