package import PinholeHTTP2
package import PinholeModel
package import PinholeWire

/// What happened to a multiplexed tunnel.
package enum MultiplexEvent: Sendable, Equatable {
    /// A request head came from the client.
    case request(Lane, RequestHead)
    /// A request head came that no server can be asked; the text says why.
    case requestRefused(Lane, RequestHead, String)
    /// The login that came with an exchange was verified.
    case authenticated(Lane, LoginVerdict)
    /// The client said how urgent a response is, before its request or after; the bytes are the field value.
    case prioritized(Lane, [UInt8])
    /// The last byte of the request passed.
    case requestEnded(Lane)
    /// A response head came from the server.
    case response(Lane, ResponseHead)
    /// The last byte of the response passed.
    case responseEnded(Lane)
    /// A side ended the exchange before it was complete, or broke a rule in it; the text says how.
    case reset(Lane, Side, HTTP2ErrorCode, String)
    /// The server has said all that it has to say, and takes no more of the request (RFC 9113 §8.1).
    case requestUnwanted(Lane)
    /// The server has answered, and for a while has taken nothing of the rest of the request.
    case requestStalled(Lane)
    /// The last byte of an answer whose content is read as it is sent was handed on.
    case answerSent(Lane)
    /// The content of such an answer is gone, for example because its file was deleted.
    case answerFailed(Lane)
    /// The server has not looked at the request and never will: it may be sent again.
    case refused(Lane)
    /// A connection to a server stands.
    indirect case dialed(LinkID, DialedServer)
    /// No connection to a server could be made.
    indirect case dialFailed(LinkID, DialFailure, [DialRecord])
    /// The handshake with a server ended.
    indirect case handshake(LinkID, HandshakeRecord, JudgedChain)
    /// A server takes so many exchanges at one time.
    case capacity(LinkID, Int)
    /// A server takes nothing new on this connection (GOAWAY, or it closes after the response).
    case linkDraining(LinkID)
    /// A server's connection ended.
    case linkClosed(LinkID, CloseKind)
    /// The client's connection ended; tells whether it sent anything since the handshake.
    case clientClosed(CloseKind, sentData: Bool)
    /// What was asked about an exchange is decided.
    case decided(Lane, Decision)
    /// The request that is held is all there, or will not be.
    case requestHeld(Lane, HeldEnd)
    /// The response that is held is all there, or will not be.
    case responseHeld(Lane, HeldEnd)
    /// The request of an exchange cannot be sent on: the proxy answers.
    indirect case answered(Lane, Answer)
    /// The tunnel in a stream is over.
    case tunnelEnded(Lane)
    /// The client's connection ends with the exchange that is over.
    case clientFinished
    /// The client broke a rule that concerns the whole connection.
    case clientFailed(String)
    /// Nothing moved for as long as was asked for.
    case expired
    /// Somebody who watches the proxy wants an exchange to end; `nil` for the connection, and all of them.
    case endedByUser(Lane?)
    /// The proxy is about to stop: finish what is going on, begin nothing.
    case drain
    /// The settings of the host have changed: finish the open exchanges; the next connection follows them.
    case retire
    /// The proxy stops now.
    case stop
}
