import PinholeHTTP2
package import PinholeModel
import PinholeRules
import PinholeWire

/// The machine of a tunnel in which HTTP/2 is spoken, on one side or on both: many exchanges at one time.
///
/// It takes over from ``Tunnel`` when the handshakes are done, and decides for each exchange which
/// connection to a server it goes to: one that speaks HTTP/2 takes many, one that speaks HTTP/1.1 takes
/// one at a time, so that several are made.
///
/// Invariants, beside those of ``Tunnel``:
///  1. Each exchange ends exactly once, by `endExchange`; nothing is said of its lane afterwards.
///  2. What goes wrong in an exchange stays in it: no other is ended for it.
///  3. A request is sent twice only where the first server cannot have looked at it, or where it is
///     idempotent (RFC 9110 §9.2.2) and had no body.
///  4. Each `dial` and `secure` is answered exactly once; an answer that comes after its link was closed
///     is ignored.
///  5. Each tunnel that is opened in a stream is told to end exactly once, by itself or by `dropTunnels`.
///  6. Links and waiting exchanges are bounded: by `Limits` and by the streams that a client may open.
package struct Multiplexer: Sendable {
    /// A connection to a server.
    struct Link: Sendable, Equatable {
        enum State: Sendable, Equatable {
            case dialing
            case securing
            case ready
        }

        var target: DialTarget
        var state: State
        var isHTTP2 = false
        var isDraining = false
        var wasUsed = false
        var capacity = 0
        var lanes: Set<Lane> = []
        var opening: DialedServer?
        var secured: SecuredServer?

        var hasRoom: Bool { state == .ready && !isDraining && lanes.count < capacity }
    }

    /// An exchange under way.
    struct Exchange: Sendable, Equatable {
        var request: RequestHead
        var target: DialTarget
        /// The scheme that its server is asked by.
        var scheme: Scheme
        var link: LinkID?
        var requestIsComplete: Bool
        /// Whether the request had no body when its head came.
        var isBodiless: Bool
        /// How the end of the body is found where a rule made another body; `nil` where that is as it came.
        var framing: BodyFraming?
        var responseHasBegun = false
        var responseIsComplete = false
        /// Whether the rest of the request is awaited for a shorter time than others.
        var isLingering = false
        var attempts = 0
        /// Why the proxy answers, while the content of its answer is read and sent; `nil` for every other exchange.
        var answering: String?
        /// Whose it is said to be, while that login is being verified.
        var unverified: String?
        /// The user whose request it is; `nil` where nobody has to log in, or the tunnel has a user.
        var user: String?
        /// What rules have to do with it; `nil` where none means it.
        var ruling: Ruling?
        /// Its request or response, where that is held for them; `nil` where none is.
        var held: Held?
        /// What the client said of its urgency outside of the request (RFC 9218 §7.1).
        var priority: [UInt8]?
    }

    /// What rules have to do with an exchange.
    struct Ruling: Sendable, Equatable {
        /// The request as the client sent it.
        let original: RuleRequest
        /// What is still to be done with it.
        var plan: RequestPlan
        /// Whether somebody is asked, and the exchange held.
        var isHeld = false
        /// Whether that takes its time.
        var isWaiting = false
    }

    let sharedPolicy: Shared<ProxyPolicy>
    let clientAddress: IPAddress
    let clientSpeaksHTTP2: Bool
    /// What CONNECT asked for; `nil` where the client speaks HTTP/2 to the proxy itself.
    let authority: Authority?
    /// The address of that, where the client's connection was going to one.
    let destination: Authority?
    let serverName: ServerName?
    /// The address that the client connected to.
    let listener: Authority?
    /// What the listener is to the client.
    let mode: ListenerMode
    var flow: FlowRecord
    let handshakeEnded: Timestamp?
    /// The fault of the server that the client was shown.
    let mirrored: MirroredFault?
    /// What is known of the server whose chain was refused: no request goes there.
    var fault: SecuredServer?
    var exchanges: [Lane: Exchange] = [:]
    var links: [LinkID: Link] = [:]
    /// Exchanges that wait for a connection, in the order in which they came.
    var waiting: [Lane] = []
    /// What the client said of the urgency of streams that it has not opened yet.
    var priorities: [Lane: [UInt8]] = [:]
    /// The latest lane that the client has opened.
    var latest = Lane(rawValue: 0)
    /// Tunnels that CONNECTs have opened in streams of their own; what passes there is their own affair.
    var tunnels: Set<Lane> = []
    var isDraining = false
    var isClosing = false
    private(set) var isClosed = false
    private var nextLink = 1

    /// The link that came from the tunnel.
    package static let firstLink = LinkID(rawValue: 0)

    /// Takes over.
    package init(_ seed: MultiplexSeed) {
        sharedPolicy = seed.policy
        clientAddress = seed.clientAddress
        clientSpeaksHTTP2 = seed.clientSpeaksHTTP2
        authority = seed.authority
        destination = seed.destination
        serverName = seed.serverName
        mode = seed.mode
        flow = seed.flow
        listener = try? Authority(seed.flow.listener)
        handshakeEnded = seed.handshakeEnded
        mirrored = seed.mirrored
        if let secured = seed.secured, !secured.chain.isAccepted { fault = secured }
        guard seed.hasServer, fault == nil, let authority else { return }
        var target = DialTarget(authority: authority, serverName: serverName, mayReuse: false)
        target.user = flow.proxyUser
        var link = Link(target: target, state: .ready)
        link.opening = seed.opening
        link.secured = seed.secured
        links[Self.firstLink] = link
    }

    /// What decisions depend on.
    var policy: ProxyPolicy { @inline(__always) _read { yield sharedPolicy.value } }

    /// Begins: both sides may speak.
    package mutating func begin(into commands: inout [MultiplexCommand]) {
        commands.append(.arm(policy.limits.idleTimeout))
        guard let link = links[Self.firstLink] else { return }
        opened(Self.firstLink, link.secured, into: &commands)
    }

    /// Takes note of `event` and says what to do.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - now: When.
    ///   - commands: Receives what to do, in order.
    package mutating func handle(
        _ event: MultiplexEvent,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard !isClosed else { return }
        switch event {
        case .request(let lane, let head): received(head, lane, at: now, into: &commands)
        case .requestRefused(let lane, let head, let detail):
            refused(head, detail, lane, into: &commands)
        case .authenticated(let lane, let verdict): authenticated(lane, verdict, at: now, into: &commands)
        case .prioritized(let lane, let value): prioritized(lane, value, into: &commands)
        case .requestEnded(let lane):
            exchanges[lane]?.requestIsComplete = true
            endIfComplete(lane, at: now, into: &commands)
        case .requestUnwanted(let lane): requestUnwanted(lane, isStopped: true, at: now, into: &commands)
        case .requestStalled(let lane): requestStalled(lane, at: now, into: &commands)
        case .answerSent(let lane):
            guard let reason = exchanges[lane]?.answering else { return }
            end(lane, .answeredByProxy(reason), at: now, into: &commands)
        case .answerFailed(let lane): answerFailed(lane, at: now, into: &commands)
        case .response(let lane, let head): received(head, lane, at: now, into: &commands)
        case .responseEnded(let lane):
            exchanges[lane]?.responseIsComplete = true
            endIfComplete(lane, at: now, into: &commands)
            awaitRest(of: lane, into: &commands)
        case .reset(let lane, .client, let code, let detail):
            clientReset(lane, code, detail, at: now, into: &commands)
        case .reset(let lane, .server, let code, let detail):
            serverReset(lane, code, detail, at: now, into: &commands)
        case .refused(let lane): refusedByServer(lane, at: now, into: &commands)
        case .dialed(let link, let server): dialed(link, server, at: now, into: &commands)
        case .dialFailed(let link, let failure, let dials):
            dialFailed(link, failure, dials, at: now, into: &commands)
        case .handshake(let link, let record, let chain):
            handshakeEnded(link, record, chain, at: now, into: &commands)
        case .capacity(let link, let count):
            links[link]?.capacity = count
            serveWaiting(into: &commands)
        case .linkDraining(let link): drain(link, into: &commands)
        case .linkClosed(let link, let kind): closed(link, kind, at: now, into: &commands)
        case .clientClosed(let kind, let sentData):
            clientClosed(kind, sentData: sentData, at: now, into: &commands)
        case .decided(let lane, let decision): decided(lane, decision, at: now, into: &commands)
        case .requestHeld(let lane, let end): requestHeld(lane, end, at: now, into: &commands)
        case .responseHeld(let lane, let end): responseHeld(lane, end, at: now, into: &commands)
        case .answered(let lane, let answer): self.answer(answer, lane, at: now, into: &commands)
        case .tunnelEnded(let lane): tunnelEnded(lane, at: now, into: &commands)
        case .clientFinished:
            isDraining = true
            if exchanges.isEmpty { close(at: now, into: &commands) }
        case .clientFailed(let detail): clientFailed(detail, at: now, into: &commands)
        case .expired: expired(at: now, into: &commands)
        case .endedByUser(let lane): endedByUser(lane, at: now, into: &commands)
        case .drain: drain(.stoppedProxy, at: now, into: &commands)
        case .retire: drain(.changedSettings, at: now, into: &commands)
        case .stop:
            abort(Outcome(.stopped, detail: "the proxy was stopped"), nil, at: now, into: &commands)
        }
    }

    /// The scheme of what comes to the server of the tunnel.
    var scheme: Scheme { flow.treatment == .intercepted ? .https : .http }

    /// Whether a tunnel is open, or a server or the client waits for an answer.
    var isInUse: Bool {
        !tunnels.isEmpty || exchanges.values.contains { $0.requestIsComplete || $0.responseHasBegun }
    }

    /// Makes the number of a new link.
    mutating func newLink() -> LinkID {
        defer { nextLink += 1 }
        return LinkID(rawValue: nextLink)
    }

    /// Closes the books: everything else was said.
    mutating func finish(_ outcome: Outcome, at now: Timestamp, into commands: inout [MultiplexCommand]) {
        isClosed = true
        flow.closed = now
        if flow.outcome == nil { flow.outcome = outcome }
        commands.append(.record(flow))
    }
}
