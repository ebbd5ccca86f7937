package import PinholeModel
import PinholeWire

/// The live machine for one connection of a client: it is told what happened and answers what to do.
///
/// Invariants:
///  1. No request byte reaches a server whose chain is not accepted.
///  2. A leaf for a server is minted only from a ``JudgedChain``; that of the proxy itself names nobody else. Offline,
///     where no server is ever asked, it names whom the client asked for.
///  3. Each `dial`, `mint` and `secure…` is answered exactly once; an answer that comes after closing
///     is ignored.
///  4. Nothing is sent to a side after it was closed.
///  5. What is recorded precedes what it describes: the flow before its exchanges, its end last.
///  6. Bytes behind the CONNECT head belong to what comes next: a ClientHello or opaque bytes.
///  7. While the tunnel waits, bytes stay in bounded buffers and reading pauses (`Limits`).
///  8. `closed` is absorbing.
///
/// ```
/// awaitingRequest ──CONNECT──► dialing ──► peeking ──► securingServer ──► minting ──► securingClient
///        │                        │           │                                            │
///        │ absolute-form          │           └─ not TLS, or a rule ─► relaying            │
///        └────────────────────────┼──────────────────────────────► exchanging ◄────────────┘
///                                 └─ failed ─► closing ─► closed
///
/// awaitingRequest ──SOCKS──► negotiating ──► dialing; offline, peeking and minting follow at once
///
/// awaitingRequest ──login──► authenticating ──► as above
/// exchanging ──another login──► authenticating ──► exchanging
///
/// awaitingRequest ──redirected──► dialing
///
/// awaitingRequest ──ClientHello──► securingInbound ──► awaitingRequest, or handedOver for HTTP/2
/// ```
///
/// `Tunnel+Access.swift` holds who may use the proxy; `Tunnel+Inbound.swift` TLS and HTTP/2 to the proxy itself; `Tunnel+SOCKS.swift` holds SOCKS;
/// `Tunnel+Reverse.swift` listeners that stand before a server; `Tunnel+Transparent.swift` those that the system
/// leads connections to;
/// `Tunnel+Opening.swift` holds the way to `exchanging` or `relaying`; `Tunnel+Exchanging.swift` what
/// happens there; `Tunnel+Rules.swift` and `Tunnel+Holding.swift` what rules do; `Tunnel+Closing.swift` the ends.
package struct Tunnel: Sendable {
    /// Where the tunnel stands.
    enum Phase: Sendable, Equatable {
        /// The first request has not come.
        case awaitingRequest
        /// A client of SOCKS has not said whom it wants.
        case negotiating
        /// The login that came with a request is being verified.
        case authenticating
        /// The leaf of the proxy itself is being made, then the handshake with it goes on.
        case securingInbound
        /// A connection to the server of the CONNECT is being made.
        case dialing(DialPurpose)
        /// The client's first bytes are awaited.
        case peeking
        /// The handshake with the server goes on.
        case securingServer
        /// The leaf is being made.
        case minting
        /// The handshake with the client goes on.
        case securingClient
        /// Requests and responses pass.
        case exchanging
        /// Bytes pass unread.
        case relaying
        /// A ``Multiplexer`` goes on.
        case handedOver
        /// The client gets what waits for it, and no more.
        case closing
        /// Over.
        case closed
    }

    /// What a connection is dialed for, before exchanges.
    enum DialPurpose: Sendable, Equatable {
        /// The CONNECT is to be answered.
        case connect
        /// The CONNECT was answered, and the pooled connection ended while the ClientHello was awaited.
        case peek
        /// The ClientHello named another host than the CONNECT; the pooled connection does not fit.
        case intercept
        /// The client does not speak TLS; a plain connection is needed.
        case relay
        /// The client speaks HTTP/2 without TLS; a plain connection is needed.
        case multiplex
    }

    /// The connection to a server.
    enum Link: Sendable, Equatable {
        /// There is none.
        case none
        /// It is being made, for the exchange.
        case dialing
        /// Its handshake goes on, for the exchange.
        case securing
        /// It can take a request.
        case ready(DialTarget, isReused: Bool)
    }

    /// The request and response under way.
    struct Exchange: Sendable, Equatable {
        var request: RequestHead
        var target: DialTarget
        var path: String?
        var requestIsComplete = false
        var responseHasBegun = false
        var responseEndsAtClose = false
        var responseIsComplete = false
        /// Whether it is answered, and the rest of its request is looked after soon.
        var isLingering = false
        var wasRetried = false
        /// Why the proxy answers, while the content of its answer is read and sent; `nil` for every other exchange.
        var answering: String?
        /// What rules have to do with it; `nil` where none means it.
        var ruling: Ruling?
        /// Its request or response, where that is held for them; `nil` where none is.
        var held: Held?
        var closesClient: Bool
        var keepsServer = true
    }

    /// A login that is being verified.
    struct Unverified: Sendable {
        /// Whose it is said to be.
        let user: String
        /// The request that it came with; `nil` for SOCKS.
        let head: RequestHead?
    }

    let sharedPolicy: Shared<ProxyPolicy>
    let clientAddress: IPAddress
    /// What the listener is to the client.
    let mode: ListenerMode
    /// Where the connection was going; `nil` where the listener is not transparent.
    let arrival: Arrival?
    /// Whether the server that the listener stands before is asked in HTTP/2, whatever the client speaks.
    let expectsHTTP2: Bool
    /// Whether that does not answer, which the client is told where it can be.
    var isUnserved = false
    var phase = Phase.awaitingRequest
    var flow: FlowRecord
    var link = Link.none
    /// Whether the server authenticates the connection and not its requests (NTLM, Negotiate: RFC 4559 §6), so that
    /// this client alone may use it.
    var isServerBound = false
    var exchange: Exchange?
    /// What waits for a login to be verified.
    var unverified: Unverified?
    /// What CONNECT asked for.
    var authority: Authority?
    /// Whom the certificate has to name, once the ClientHello is known.
    var serverName: ServerName?
    var secured: SecuredServer?
    /// The fault of the server that the client is shown; `nil` for a leaf without one.
    var mirrored: MirroredFault?
    /// The number of the latest question about an exchange.
    var consultations = 0
    /// Whether a part of the ClientHello came before the rest.
    var wasHelloBegun = false
    /// How the connection to the server was come by, until an exchange has it in its record.
    var opening: DialedServer?
    var isDraining = false
    /// In a relay: the sides that send nothing more.
    var closedHalves: [Side] = []
    var clientSentData = false
    var handshakeEnded: Timestamp?

    /// Creates the machine of a connection that has just been accepted.
    ///
    /// - Parameters:
    ///   - policy: What decisions depend on.
    ///   - flow: The record, with the client's address.
    ///   - clientAddress: The client's address.
    ///   - mode: What the listener is to the client.
    ///   - arrival: Where the connection was going; `nil` where the listener is not transparent.
    ///   - expectsHTTP2: Whether the server that the listener stands before may speak HTTP/2 alone.
    package init(
        policy: Shared<ProxyPolicy>,
        flow: FlowRecord,
        clientAddress: IPAddress,
        mode: ListenerMode = .explicit,
        arrival: Arrival? = nil,
        expectsHTTP2: Bool = false
    ) {
        self.mode = mode
        self.arrival = arrival
        self.expectsHTTP2 = expectsHTTP2
        sharedPolicy = policy
        self.flow = flow
        self.clientAddress = clientAddress
    }

    /// What decisions depend on.
    var policy: ProxyPolicy { @inline(__always) _read { yield sharedPolicy.value } }

    /// Begins: the first head is awaited.
    package mutating func begin(into commands: inout [TunnelCommand]) {
        commands.append(.arm(.head, policy.limits.headTimeout))
    }

    /// Takes note of `event` and says what to do.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - now: When.
    ///   - commands: Receives what to do, in order.
    package mutating func handle(
        _ event: TunnelEvent,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        guard phase != .closed else { return }
        switch event {
        case .redirected: redirected(at: now, into: &commands)
        case .requestBegan: requestBegan(into: &commands)
        case .request(let head): received(head, at: now, into: &commands)
        case .requestEnded: requestEnded(at: now, into: &commands)
        case .requestFailed(let failure): requestFailed(failure, at: now, into: &commands)
        case .clientSpeaksSOCKS(let version): negotiate(version, at: now, into: &commands)
        case .socks(let event): received(event, at: now, into: &commands)
        case .socksFailed(let failure): negotiationFailed(failure, at: now, into: &commands)
        case .authenticated(let verdict): authenticated(verdict, at: now, into: &commands)
        case .clientHelloBegan: clientHelloBegan(into: &commands)
        case .clientHello(let hello): received(hello, at: now, into: &commands)
        case .clientIsNotTLS: relayOpaque(at: now, into: &commands)
        case .clientSpeaksHTTP2: multiplexPlain(at: now, into: &commands)
        case .clientSpeaksHTTP1: exchangePlain(at: now, into: &commands)
        case .serverSpokeFirst: relayOpaque(at: now, into: &commands)
        case .clientHandshake(let record): clientHandshakeEnded(record, at: now, into: &commands)
        case .serverHandshake(let record, let chain):
            serverHandshakeEnded(record, chain, at: now, into: &commands)
        case .response(let head): received(head, at: now, into: &commands)
        case .responseEnded: responseEnded(at: now, into: &commands)
        case .responseFailed(let failure): serverFailed(failure.detail, nil, at: now, into: &commands)
        case .dialed(let server): dialed(server, at: now, into: &commands)
        case .dialFailed(let failure, let dials): dialFailed(failure, dials, at: now, into: &commands)
        case .minted: minted(into: &commands)
        case .mintFailed(let reason): mintFailed(reason, at: now, into: &commands)
        case .decided(let number, let decision):
            decided(number, decision, at: now, into: &commands)
        case .requestHeld(let end): requestHeld(end, at: now, into: &commands)
        case .responseHeld(let end): responseHeld(end, at: now, into: &commands)
        case .closed(.client, let kind): clientClosed(kind, at: now, into: &commands)
        case .closed(.server, let kind): serverClosed(kind, at: now, into: &commands)
        case .requestStalled: requestStalled(into: &commands)
        case .answerSent: answerSent(at: now, into: &commands)
        case .answerFailed: answerFailed(at: now, into: &commands)
        case .expired(let deadline): expired(deadline, at: now, into: &commands)
        case .endedByUser: endedByUser(at: now, into: &commands)
        case .drain: drain(.stoppedProxy, at: now, into: &commands)
        case .retire: drain(.changedSettings, at: now, into: &commands)
        case .stop:
            abort(Outcome(.stopped, detail: "the proxy was stopped"), at: now, into: &commands)
        }
    }

    /// Whether everything is over.
    package var isClosed: Bool { phase == .closed }

    /// The scheme of the exchanges.
    var scheme: Scheme { flow.treatment == .intercepted ? .https : .http }

    /// Closes the books: everything else was said.
    mutating func finish(_ outcome: Outcome, at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard phase != .closed else { return }
        phase = .closed
        flow.closed = now
        if flow.outcome == nil { flow.outcome = outcome }
        commands.append(.record(flow))
    }
}
