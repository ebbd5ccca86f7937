package import PinholeModel
import PinholeWire

/// The machine that opens one connection of a client, until its messages are read or its bytes are relayed.
///
/// Invariants:
///  1. No request byte reaches a server whose chain is not accepted.
///  2. A leaf for a server is minted only from a ``JudgedChain``; the leaf of the proxy itself names no other host. An
///     offline proxy, which never asks a server, mints a leaf for the host that the client asked for.
///  3. Each `dial`, `mint` and `secure…` is answered exactly once; an answer that comes after closing
///     is ignored.
///  4. Nothing is sent to a side after it was closed.
///  5. A record precedes the data that it describes: the flow before its exchanges, its end last.
///  6. Bytes behind the CONNECT head belong to the next engine: they are a ClientHello or opaque bytes.
///  7. While the tunnel waits, bytes stay in bounded buffers and reading pauses (`Limits`).
///  8. `closed` is absorbing.
///
/// ```
/// awaitingRequest ──CONNECT──► dialing ──► peeking ──► securingServer ──► minting ──► securingClient ──► open
///        │                        │           │                                            │             │
///        │ absolute-form          │           ├─ not TLS, or a rule ─► relaying            │ HTTP/2      │ a request
///        │                        │           └─ HTTP without TLS ─► open, or handedOver   ▼             ▼
///        └────────────────────────┼─────────────────────────────────────────────────► handedOver ◄───────┘
///                                 └─ failed ─► closing ─► closed
///
/// awaitingRequest ──SOCKS──► negotiating ──► dialing; offline, peeking and minting follow at once
///
/// dialing, after the client was told that its tunnel is open ──failed──► peeking, minting, or handedOver
///
/// awaitingRequest ──login──► authenticating ──► as above
///
/// awaitingRequest ──redirected──► dialing
///
/// awaitingRequest ──ClientHello──► securingInbound ──► awaitingRequest, or handedOver for HTTP/2
/// ```
///
/// After `handedOver`, a ``Conversation`` continues.
///
/// `Tunnel+Access.swift` decides which clients may use the proxy. `Tunnel+Inbound.swift` is about TLS and HTTP/2 to
/// the proxy itself, `Tunnel+SOCKS.swift` about SOCKS, `Tunnel+Reverse.swift` about listeners before a server,
/// `Tunnel+Transparent.swift` about listeners to which the system redirects connections, `Tunnel+Offline.swift` about
/// tunnels without a server, and `Tunnel+Unserved.swift` about servers that cannot be reached although the client has
/// a tunnel. `Tunnel+Opening.swift` is the way to `open`, `relaying` or `handedOver`; `Tunnel+Closing.swift` contains
/// the ends.
package struct Tunnel: Sendable {
    /// A phase of the tunnel.
    enum Phase: Sendable, Equatable {
        /// The first request has not arrived.
        case awaitingRequest
        /// A client of SOCKS has not sent its request.
        case negotiating
        /// The login that came with a request is being verified.
        case authenticating
        /// The leaf of the proxy itself is being made, or the handshake with it is under way.
        case securingInbound
        /// A connection to the server of the CONNECT is being made.
        case dialing(DialPurpose)
        /// The client's first bytes are awaited.
        case peeking
        /// The handshake with the server is under way.
        case securingServer
        /// The leaf is being made.
        case minting
        /// The handshake with the client is under way.
        case securingClient
        /// The connection is open, and its first request is awaited.
        case open
        /// Bytes pass unread.
        case relaying
        /// A ``Conversation`` continues.
        case handedOver
        /// The client gets only the bytes that already wait for it.
        case closing
        /// The connection has ended.
        case closed
    }

    /// The purpose of a connection that is dialed before there are exchanges.
    enum DialPurpose: Sendable, Equatable {
        /// The CONNECT waits for its answer.
        case connect
        /// The CONNECT was answered, and the pooled connection ended while the ClientHello was awaited.
        case peek
        /// A connection for a handshake is needed: the pooled one does not fit the ClientHello, or the server needs an
        /// offer of HTTP/2.
        case intercept
        /// The client does not speak TLS, so a plain connection is needed.
        case relay
        /// The client speaks HTTP/2 without TLS, so a plain connection is needed.
        case converse
    }

    /// A login that is being verified.
    struct Unverified: Sendable {
        /// The user name in the login.
        let user: String
        /// The request with the login; `nil` for SOCKS.
        let head: RequestHead?
    }

    let sharedPolicy: Shared<ProxyPolicy>
    let clientAddress: IPAddress
    /// The role of the listener for the client.
    let mode: ListenerMode
    /// The destination of the connection; `nil` if its client names the server.
    let arrival: Arrival?
    /// Whether the server cannot be reached although the connection of the client is open; the client is told so if
    /// possible.
    var isUnserved = false
    var phase = Phase.awaitingRequest
    var flow: FlowRecord
    /// Whether there is a connection to the server that can take requests.
    var hasServer = false
    /// The login that is being verified, and the request that waits for it; `nil` if there is none.
    var unverified: Unverified?
    /// The authority that CONNECT asked for; `nil` if it is not known.
    var authority: Authority?
    /// The name that the server's certificate must contain; `nil` until the ClientHello is known.
    var serverName: ServerName?
    var secured: SecuredServer?
    /// The fault of the server's certificate that the client is shown; `nil` if there is none.
    var mirrored: MirroredFault?
    /// Whether a part of the ClientHello arrived before the rest.
    var wasHelloBegun = false
    /// The facts of how the connection to the server was made, until an exchange records them.
    var opening: DialedServer?
    var isDraining = false
    /// The outcome of a connection that ends for the sake of others; `nil` for any other.
    var displacement: Outcome?
    /// The sides of a relay that send nothing more.
    var closedHalves: [Side] = []
    var clientSentData = false
    var handshakeEnded: Timestamp?
    /// The time of the event that is being handled.
    var now = Timestamp(microseconds: 0)
    /// The commands of the event that is being handled, in order.
    var commands: [TunnelCommand] = []

    /// Creates the machine of a connection that was just accepted.
    ///
    /// - Parameters:
    ///   - policy: The policy that decisions depend on.
    ///   - flow: The record, with the client's address.
    ///   - clientAddress: The client's address.
    ///   - mode: The role of the listener for the client.
    ///   - arrival: The destination of the connection, or `nil` if its client names the server.
    package init(
        policy: Shared<ProxyPolicy>,
        flow: FlowRecord,
        clientAddress: IPAddress,
        mode: ListenerMode = .explicit,
        arrival: Arrival? = nil
    ) {
        self.mode = mode
        self.arrival = arrival
        sharedPolicy = policy
        self.flow = flow
        self.clientAddress = clientAddress
    }

    /// The policy that decisions depend on.
    var policy: ProxyPolicy { @inline(__always) _read { yield sharedPolicy.value } }

    /// Begins to wait for the first head.
    package mutating func begin(into commands: inout [TunnelCommand]) {
        commands.append(.driver(.arm(.head, policy.limits.headTimeout)))
    }

    /// Handles an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The time of the event.
    ///   - commands: The list to which commands are appended, in order.
    package mutating func handle(
        _ event: TunnelEvent,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        guard phase != .closed else { return }
        self.now = now
        swap(&self.commands, &commands)
        defer { swap(&self.commands, &commands) }
        switch event {
        case .redirected: redirected()
        case .identified(let process): flow.clientProcess = process
        case .requestBegan: requestBegan()
        case .request(let head): received(head)
        case .requestEnded: requestEnded()
        case .requestFailed(let failure): requestFailed(failure)
        case .clientSpeaksSOCKS(let version): negotiate(version)
        case .socks(let event): received(event)
        case .socksFailed(let failure): negotiationFailed(failure)
        case .authenticated(let verdict): authenticated(verdict)
        case .clientHelloBegan: clientHelloBegan()
        case .clientHello(let hello): received(hello)
        case .clientHelloIsMalformed(let reason):
            relayOpaque(because: "relayed: the ClientHello cannot be read. \(reason)")
        case .clientIsNotTLS: relayOpaque()
        case .clientSpeaksHTTP2: conversePlain()
        case .clientSpeaksHTTP1: exchangePlain()
        case .serverSpokeFirst: relayOpaque()
        case .clientHandshake(let record): clientHandshakeEnded(record)
        case .serverHandshake(let record, let chain): serverHandshakeEnded(record, chain)
        case .dialed(let server): dialed(server)
        case .dialFailed(let failure, let dials): dialFailed(failure, dials)
        case .minted: minted()
        case .mintFailed(let reason): mintFailed(reason)
        case .closed(.client, let kind): clientClosed(kind)
        case .closed(.server, let kind): serverClosed(kind)
        case .expired(let deadline): expired(deadline)
        case .endedByUser: endedByUser()
        case .drain: drain(.stoppedProxy)
        case .retire: drain(.changedSettings)
        case .displaced(let detail):
            guard flow.outcome == nil, phase != .closing else { return }
            displacement = Outcome(phase == .open ? .completed : .aborted, detail: detail)
        case .stop: abort(Outcome(.stopped, detail: "the proxy was stopped"))
        }
    }

    /// Whether the connection has ended.
    package var isClosed: Bool { phase == .closed }

    /// The scheme of the exchanges.
    var scheme: Scheme { flow.treatment == .intercepted ? .https : .http }

    /// Ends the connection with a last record of the flow, behind all other records.
    mutating func finish(_ outcome: Outcome) {
        guard phase != .closed else { return }
        phase = .closed
        flow.closed = now
        flow.outcome = displacement ?? flow.outcome ?? outcome
        commands.append(.record(flow))
    }
}
