package import PinholeCrypto
package import PinholeModel
package import PinholeRules
package import PinholeWire

/// What a tunnel asks for.
///
/// Each exchange takes half a dozen, so what is large and rare is boxed.
package enum TunnelCommand: Sendable, Equatable {
    /// Connect to a server; answered by `dialed` or `dialFailed`.
    indirect case dial(DialTarget)
    /// Verify a login; answered by `authenticated`.
    indirect case authenticate(LoginCheck)
    /// Shake hands with the server; answered by `serverHandshake`.
    indirect case secureServer(ServerName)
    /// Make a leaf; answered by `minted` or `mintFailed`.
    indirect case mint(LeafRequest)
    /// Shake hands with the client, with the leaf; answered by `clientHandshake`.
    indirect case secureClient(scope: String, applicationProtocol: String?)
    /// Let everything that follows pass inside the TLS that the client speaks to the proxy itself.
    case carryInside
    /// Answer a client of SOCKS.
    case answerSOCKS(SOCKSAnswer)
    /// Tell the client that its CONNECT succeeded.
    case acceptConnect
    /// Look at the client's next bytes without consuming them.
    case peek
    /// Relay all further bytes unread, both ways.
    case relay
    /// Let a ``Multiplexer`` go on: HTTP/2 is spoken, on one side at least.
    ///
    /// It begins with a request that was read already, if there is one.
    case multiplex(clientSpeaksHTTP2: Bool, request: HandedRequest?)
    /// Let later tunnels to a listener before this server expect that it speaks HTTP/2 alone.
    case expectHTTP2(Authority)
    /// Begin the record of an exchange.
    case beginExchange(RequestHead, scheme: Scheme, authority: Authority, path: String)
    /// Note something about the exchange.
    case note(ExchangeNote)
    /// Note which rules acted on the exchange.
    indirect case noteRules([RuleHit])
    /// Let what follows pass slowly: the exchange, or the relay where there is none.
    indirect case throttle(Throttling)
    /// Let these rules act on the messages of the WebSocket that is being opened.
    indirect case editMessages(MessageRules)
    /// Hold the exchange and ask; answered by `decided` with the same number.
    indirect case consult(Int, Consultation)
    /// Nobody waits for the answer to this question any more.
    case withdraw(Int)
    /// Gather the request, up to the limits; answered by `requestHeld`. One whose client waits for 100 (Continue)
    /// gets it.
    case holdRequest(continues: Bool)
    /// Gather no more of the request: it goes on as it came.
    case releaseRequest
    /// Gather the response with this head, up to the limits; answered by `responseHeld`.
    case holdResponse(ResponseHead, gathers: Bool)
    /// Note how long the stages of the connection took.
    case noteTimings(resolve: Duration?, connect: Duration?, tls: Duration?)
    /// Send a request head to the server, and let the body follow.
    case forwardRequest(RequestHead, target: String?)
    /// Read the rest of the request and throw it away.
    case discardRequest
    /// Send a response head to the client, and let the body follow.
    case forwardResponse(ResponseHead, closing: Bool)
    /// Send an answer of our own to the client.
    indirect case answer(Answer, closing: Bool)
    /// End the record of the exchange, if there is one.
    case endExchange(ExchangeOutcome)
    /// Be ready for the next request.
    case awaitRequest
    /// Put the server connection into the pool.
    case releaseServer
    /// Close the server connection.
    case closeServer
    /// Send what waits, then close the client connection; where the end was no accident, say so
    /// (close_notify).
    case closeClient(isAnnounced: Bool)
    /// Send what waits, then say to this side that nothing more follows.
    case closeHalf(toward: Side)
    /// Let the end of the client's connection be a reset, which no client takes for a proper end.
    case resetClient
    /// Let the end of the server's connection be a reset.
    case resetServer
    /// Drop both connections at once.
    case abort
    /// Wait for something at most so long; replaces what was waited for before.
    case arm(Deadline, Duration)
    /// Record the flow as it stands.
    indirect case record(FlowRecord)
}

/// What is to be dialed.
package struct DialTarget: Sendable, Hashable {
    /// Whom to reach.
    package var authority: Authority
    /// The name for TLS, with which a pooled connection may be used; `nil` for a plain connection.
    package var serverName: ServerName?
    /// Whether a pooled connection will do.
    package var mayReuse: Bool
    /// Whether the name is only what CONNECT suggests: a pooled connection for another name of the authority
    /// may be lent, and the ClientHello shows whether it fits.
    package var isNameGuessed: Bool
    /// Whether plain http is asked of it.
    package var isPlain = false
    /// Whether a proxy of HTTP gets the request itself, in absolute-form, and no CONNECT before it.
    package var isForwarded = false
    /// The proxy that it is reached through; `nil` for none.
    package var hop: NextHop?
    /// Its address, where the client's connection had one and the name is only what it goes by; `nil` where the
    /// authority is to be looked up.
    package var address: Authority?
    /// The proxy user of the request, since users never share a connection; `nil` without a login.
    package var user: String?
    /// What Via says in the CONNECT for it, which a proxy of HTTP gets; `nil` for nothing.
    package var via: String?

    /// Creates a target.
    package init(
        authority: Authority,
        serverName: ServerName?,
        mayReuse: Bool,
        isNameGuessed: Bool = false
    ) {
        self.authority = authority
        self.serverName = serverName
        self.mayReuse = mayReuse
        self.isNameGuessed = isNameGuessed
    }
}

extension DialTarget {
    /// Where it is: what is looked up.
    package var place: Authority { address ?? authority }

    /// The same, at the address that the client's connection was going to, where its server is meant.
    ///
    /// - Parameters:
    ///   - destination: That address; `nil` where the client told whom it wants.
    ///   - server: What the server goes by.
    /// - Returns: The target.
    func placed(at destination: Authority?, _ server: Authority?) -> DialTarget {
        guard let destination, authority == server else { return self }
        var target = self
        target.address = destination
        return target
    }
}

/// Whom a server's certificate must name, and what is asked for.
package struct ServerName: Sendable, Hashable {
    /// The authority that is dialed; rules are matched against it.
    package var authority: Authority
    /// The name in SNI, else the host of the authority.
    package var host: Host
    /// What is offered in ALPN.
    package var applicationProtocols: [String]

    /// Creates a name.
    package init(authority: Authority, host: Host, applicationProtocols: [String]) {
        self.authority = authority
        self.host = host
        self.applicationProtocols = applicationProtocols
    }
}
