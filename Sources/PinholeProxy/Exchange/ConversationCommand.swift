package import PinholeHTTP2
package import PinholeModel
package import PinholeRules
package import PinholeWire

/// Work that a conversation asks its stack for.
package enum ConversationCommand: Sendable, Equatable {
    /// Begin the record of an exchange.
    case beginExchange(
        Lane,
        RequestHead,
        scheme: Scheme,
        authority: Authority,
        path: String,
        user: String?
    )
    /// Add a note to the record of an exchange.
    case note(Lane, ExchangeNote)
    /// Record the proxy user of an exchange.
    case noteUser(Lane, String)
    /// Record the rules that acted on an exchange.
    case noteRules(Lane, [RuleHit])
    /// Let rules act on the bytes of an exchange as they pass.
    case throttle(Lane, [RuleAction])
    /// Apply these rules to the messages of the WebSocket that is being opened.
    indirect case editMessages(Lane, MessageRules)
    /// Gather a request, up to the limits; answered by `requestHeld`. If `continues`, send 100 (Continue) to the
    /// client, which waits for it.
    case holdRequest(Lane, continues: Bool)
    /// Record that a held request is sent in a changed form.
    indirect case replaceRequest(Lane, RuleRequest, by: RuleRequest)
    /// Stop gathering a request: it goes on unchanged.
    case releaseRequest(Lane)
    /// Hold the response with this head. If `gathers`, gather its body up to the limits. Answered by `responseHeld`.
    case holdResponse(Lane, ResponseHead, gathers: Bool)
    /// Record how long the stages of the connection took.
    indirect case noteTimings(Lane, resolve: Duration?, connect: Duration?, tls: Duration?)
    /// Perform the TLS handshake with a server; answered by `handshake`.
    indirect case secure(LinkID, ServerName)
    /// Begin to speak HTTP on a connection that is ready, in this version.
    case open(LinkID, isHTTP2: Bool)
    /// Send the request of a lane on a connection; its body follows.
    case forwardRequest(Lane, LinkID, RequestHead)
    /// Tell the server, which speaks HTTP/2, the priority of the response.
    case prioritize(Lane, [UInt8])
    /// Send a response head to the client; the body follows.
    case forwardResponse(Lane, ResponseHead)
    /// Close the connection of a client of HTTP/1 after this exchange, and announce that in its response.
    case closeAfter(Lane)
    /// Relay all further bytes of an exchange unread, because the protocol was switched (101).
    case relay(Lane)
    /// Send what waits, then tell one side of a relay that nothing more follows.
    case closeHalf(Lane, toward: Side)
    /// Answer a client of HTTP/1 whose request cannot be read.
    indirect case refuse(Answer)
    /// Send an answer of our own to the client.
    indirect case answer(Lane, Answer)
    /// Read the rest of a request and discard it. A client of HTTP/2 is told to stop after its response: at once if
    /// the server has stopped the request (`isStopped`), else if much more arrives.
    case discardRequest(Lane, isStopped: Bool)
    /// Abort an exchange toward one side before it is complete.
    case reset(Lane, Side, HTTP2ErrorCode)
    /// Abort an exchange toward both sides at once (RST_STREAM, CANCEL); waiting bytes are dropped.
    case cancel(Lane)
    /// End the record of an exchange; its lane is not used any more.
    case endExchange(Lane, ExchangeOutcome)
    /// Tell all tunnels in streams that the client has closed its connection.
    case dropTunnels(isOrderly: Bool)
    /// Expect, for later clients of a listener before this server, that the server speaks only HTTP/2.
    case expectHTTP2(Authority)
    /// Let the bytes of a client of HTTP/2 wait, and send it no SETTINGS yet.
    case holdClient
    /// Read the client's bytes, and send it SETTINGS.
    case releaseClient
    /// Tell the client that no new requests are accepted (GOAWAY).
    case announceEnd
    /// Record the current state of the flow.
    indirect case record(FlowRecord)
    /// Let the driver do this, after the stack has done its own part.
    case driver(DriverCommand)
}
