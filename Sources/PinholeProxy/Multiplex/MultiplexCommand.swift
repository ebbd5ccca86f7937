package import PinholeHTTP2
package import PinholeModel
package import PinholeRules
package import PinholeWire

/// What a multiplexed tunnel asks for.
package enum MultiplexCommand: Sendable, Equatable {
    /// Begin the record of an exchange.
    case beginExchange(
        Lane,
        RequestHead,
        scheme: Scheme,
        authority: Authority,
        path: String
    )
    /// Note something about an exchange.
    case note(Lane, ExchangeNote)
    /// Note whose exchange it is.
    case noteUser(Lane, String)
    /// Verify the login that came with an exchange; answered by `authenticated`.
    indirect case authenticate(Lane, LoginCheck)
    /// Note which rules acted on an exchange.
    case noteRules(Lane, [RuleHit])
    /// Let an exchange pass slowly.
    indirect case throttle(Lane, Throttling)
    /// Let these rules act on the messages of the WebSocket that is being opened.
    indirect case editMessages(Lane, MessageRules)
    /// Hold an exchange and ask; answered by `decided`.
    case consult(Lane, Consultation)
    /// Nobody waits for the answer to the question about an exchange any more.
    case withdraw(Lane)
    /// Gather a request, up to the limits; answered by `requestHeld`. One whose client waits for 100 (Continue) gets
    /// it.
    case holdRequest(Lane, continues: Bool)
    /// Gather no more of a request: it goes on as it came.
    case releaseRequest(Lane)
    /// Gather the response with this head, up to the limits; answered by `responseHeld`.
    case holdResponse(Lane, ResponseHead, gathers: Bool)
    /// Note how long the stages of the connection took.
    case noteTimings(Lane, resolve: Duration?, connect: Duration?, tls: Duration?)
    /// Connect to a server; answered by `dialed` or `dialFailed`.
    indirect case dial(LinkID, DialTarget)
    /// Shake hands with a server; answered by `handshake`.
    indirect case secure(LinkID, ServerName)
    /// The connection is ready: speak HTTP on it, in this version.
    case open(LinkID, isHTTP2: Bool)
    /// Send the request of a lane on a connection, and let its body follow.
    case forwardRequest(Lane, LinkID, RequestHead)
    /// Tell the server, which speaks HTTP/2, how urgent the response is.
    case prioritize(Lane, [UInt8])
    /// Send a response head to the client, and let the body follow.
    case forwardResponse(Lane, ResponseHead)
    /// Send an answer of our own to the client.
    indirect case answer(Lane, Answer)
    /// Read the rest of the request and throw it away; once it has its answer a client of HTTP/2 is told to stop, where
    /// the server has stopped it or it has much to send.
    case discardRequest(Lane, isStopped: Bool)
    /// End an exchange toward a side before it is complete.
    case reset(Lane, Side, HTTP2ErrorCode)
    /// End an exchange toward both sides at once (RST_STREAM, CANCEL); what waits to be sent is dropped.
    case cancel(Lane)
    /// End the record of an exchange; the lane is over.
    case endExchange(Lane, ExchangeOutcome)
    /// Open a tunnel in the stream of a CONNECT; answered by `tunnelEnded`.
    case openTunnel(Lane, RequestHead)
    /// Tell all tunnels in streams that the client is gone.
    case dropTunnels(isOrderly: Bool)
    /// Close a connection to a server.
    case closeLink(LinkID)
    /// Say to the client that nothing new is taken (GOAWAY).
    case announceEnd
    /// Send what waits, then close the client's connection.
    case closeClient
    /// Drop everything at once.
    case abort
    /// Tell when nothing has moved for so long.
    case arm(Duration)
    /// Wait for a server's handshake at most so long.
    case armHandshake(LinkID, Duration)
    /// Record the flow as it stands.
    indirect case record(FlowRecord)
}
