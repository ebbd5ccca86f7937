package import PinholeModel
import PinholeWire

/// The machine of a connection whose messages are read: its exchanges, and the connections to servers that they need.
///
/// ``Tunnel`` opens the connection and hands it over with the first request. A client of HTTP/2 has many exchanges at
/// one time, a client of HTTP/1 has one. A connection to a server (a link) takes many exchanges if it speaks HTTP/2,
/// and one at a time if it speaks HTTP/1. ``ExchangeMachine`` decides about a request and its response. This machine finds
/// the links, and knows how each version of HTTP ends an exchange and a connection.
///
/// ```
/// an exchange     received ─► access ─► admitted ─► perform(on:) ─► proceed ─┬─► send ─► received ─► perform(on:) ─► end
///                               │         ▲           │  ▲                   └─► waiting ─► serveWaiting ─► send
///                               │   authenticated     │ decided                                  ▲
///                               └─► refuse            └─► answer, cut                  sendAgain, refusedByServer
///
/// a link          dial ─► dialed ─► (secure) ─► handshakeEnded ─► opened ─► send … leave ─┬─► release (pool)
///                   └─► dialFailed                   └─► failWaiting        drain, closed ┴─► close
///
/// the connection  begin ─► exchanges ─► drain ─► close ─► finish
///                              └─► clientClosed, clientFailed, expired, endedByUser ─► close or abort ─► finish
/// ```
///
/// Each word is the name of a function; a function for an event is called by `handle`.
///
/// Functions that are called for each exchange and only read are mutating, too: before a call of any other one, Swift 6.3
/// copies the whole conversation.
///
/// Invariants, in addition to those of ``Tunnel`` and ``ExchangeMachine``:
///  1. Each exchange ends exactly once, by `endExchange`; no command names its lane afterwards.
///  2. A fault in an exchange stays in it: no other exchange is ended for it.
///  3. A request is sent twice only if the first server cannot have looked at it, or if it is idempotent (RFC 9110
///     §9.2.2) and had no body.
///  4. Each `dial` and `secure` is answered exactly once; an answer that comes after its link was closed is ignored.
///  5. Each tunnel that is opened in a stream is told to end exactly once, by itself or by `dropTunnels`.
///  6. Links and waiting exchanges are bounded: by `Limits` and by the streams that a client may open.
package struct Conversation {
    /// A connection to a server.
    final class Link {
        enum State: Equatable {
            case dialing
            case securing
            case ready
        }

        var place: Shared<DialTarget>
        var state: State
        var isMultiplexed = false
        var isDraining = false
        /// The number of requests that were sent on the link.
        var served = 0
        /// Whether the server authenticates the connection and not its requests (NTLM, Negotiate: RFC 4559 §6).
        ///
        /// If so, only this client may use the connection.
        var isBound = false
        var capacity = 0
        /// The exchanges on the link, in the order in which they were sent.
        var lanes: [Lane] = []
        /// The facts of how the connection was made, or taken from the pool.
        var opening: DialedServer?
        /// The facts of the link's TLS connection; `nil` without TLS.
        var secured: SecuredServer?

        init(to place: Shared<DialTarget>, _ state: State) {
            self.place = place
            self.state = state
        }

        /// The server of the link.
        var target: DialTarget { _read { yield place.value } }

        /// Whether the server may have refused the request with this status because of a missing client certificate.
        func mayRefuseMissingCertificate(by status: Int) -> Bool {
            secured?.handshake.mayRefuseMissingCertificate(by: status) == true
        }

        /// Removes an exchange from the link.
        ///
        /// - Returns: Whether the exchange was on the link.
        func remove(_ lane: Lane) -> Bool {
            guard let index = lanes.firstIndex(of: lane) else { return false }
            lanes.remove(at: index)
            return true
        }

        var hasRoom: Bool { state == .ready && !isDraining && lanes.count < capacity }

        var wasUsed: Bool { served > 0 }

        /// Whether other clients may use the connection: it is idle, and speaks HTTP/1.
        var isSpare: Bool { state == .ready && !isMultiplexed && !isDraining && !isBound && lanes.isEmpty }
    }

    /// An open exchange, and the connection that carries it.
    final class OpenExchange {
        var machine: ExchangeMachine
        /// The connection to the server; `nil` while the exchange waits for one, and after that connection has ended.
        var link: LinkID? { didSet { machine.isWithServer = link != nil } }
        /// The number of times that the request was sent.
        var attempts = 0
        /// Whether both sides speak HTTP/1.
        var isOnHTTP1 = false
        /// Whether both sides switched to another protocol, whose bytes pass unread.
        var isRelayed = false
        /// Whether the rest of the request is awaited only for a short time.
        var isLingering = false

        init(_ machine: consuming ExchangeMachine) { self.machine = machine }

        /// The place of the exchange in its conversation.
        var lane: Lane { machine.lane }

        /// Whether the request may be sent a second time: it is idempotent (RFC 9110 §9.2.2), has no body, and was
        /// sent only once.
        var isRepeatable: Bool {
            machine.isBodiless && attempts < 2 && HTTPMethod.isIdempotent(machine.request.method)
        }
    }

    let sharedPolicy: Shared<ProxyPolicy>
    let clientAddress: IPAddress
    let clientIsMultiplexed: Bool
    /// The authority that CONNECT asked for; `nil` if the client speaks HTTP/2 to the proxy itself.
    let authority: Authority?
    /// The address that the client's connection was going to before it was redirected; `nil` if it was not.
    let destination: Authority?
    var serverName: ServerName? { didSet { connectPlace = nil } }
    /// Whether HTTP/2 is offered to servers.
    var offersHTTP2: Bool
    /// The address that the client connected to.
    let listener: Authority?
    /// The role of the listener for the client.
    let mode: ListenerMode
    var flow: FlowRecord
    let handshakeEnded: Timestamp?
    /// The fault of the server's certificate that was shown to the client; `nil` if there is none.
    let mirrored: MirroredFault?
    /// The facts of the server whose chain was refused, to which no request is sent; `nil` if it was accepted.
    var fault: SecuredServer?
    var exchanges: NumberedTable<Lane, OpenExchange> = [:]
    var links: NumberedTable<LinkID, Link> = [:]
    /// The exchanges that wait for a connection, in the order in which they arrived.
    var waiting: [Lane] = []
    /// The server that CONNECT asked for; `nil` before the first request to it, and after its name has changed.
    var connectPlace: Shared<DialTarget>?
    /// The server of the last request, which the next request most likely asks, too.
    var usual: Shared<DialTarget>?
    /// The priorities that the client has stated for streams that it has not opened yet.
    var priorities: [Lane: [UInt8]] = [:]
    /// The latest lane that the client has opened.
    var latest = Lane(rawValue: 0)
    /// The tunnels in streams that were opened by CONNECT, whose bytes the conversation does not see.
    var tunnels: Set<Lane> = []
    /// The sides that send nothing more after a switch of protocols.
    var closedHalves: [Side] = []
    /// Whether the client's bytes wait for the settings of its server.
    var isClientHeld = false
    var isDraining = false
    var isClosing = false
    /// The outcome of a connection that ends for the sake of others; `nil` for any other.
    var displacement: Outcome?
    private(set) var isClosed = false
    private var nextLink = 1
    /// The time of the event that is being handled.
    var now = Timestamp(microseconds: 0)
    /// The commands of the event that is being handled, in order.
    var commands: [ConversationCommand] = []

    /// Creates the conversation of a connection that a ``Tunnel`` has opened.
    package init(_ seed: OpeningResult) {
        sharedPolicy = seed.policy
        clientAddress = seed.clientAddress
        clientIsMultiplexed = seed.clientSpeaksHTTP2
        authority = seed.authority
        destination = seed.destination
        serverName = seed.serverName
        offersHTTP2 = seed.clientSpeaksHTTP2 || seed.expectsHTTP2
        mode = seed.mode
        flow = seed.flow
        listener = try? Authority(seed.flow.listener)
        handshakeEnded = seed.handshakeEnded
        mirrored = seed.mirrored
        if let secured = seed.secured, !secured.chain.isAccepted { fault = secured }
        guard seed.hasServer, fault == nil, let authority else { return }
        var target = DialTarget(authority: authority, serverName: serverName, mayReuse: false)
        target.user = flow.proxyUser
        let link = Link(to: Shared(target), .ready)
        link.opening = seed.opening
        link.secured = seed.secured
        links[LinkID.first] = link
    }

    /// The policy that decisions depend on.
    var policy: ProxyPolicy { @inline(__always) _read { yield sharedPolicy.value } }

    /// Begins the conversation: both sides may send from now on.
    package mutating func begin(into commands: inout [ConversationCommand]) {
        swap(&self.commands, &commands)
        defer { swap(&self.commands, &commands) }
        self.commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
        guard let link = links[LinkID.first] else { return askForSettings() }
        opened(LinkID.first, link.secured)
    }

    /// Handles an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The time of the event.
    ///   - commands: The list to which commands are appended, in order.
    package mutating func handle(
        _ event: ConversationEvent,
        at now: Timestamp,
        into commands: inout [ConversationCommand]
    ) {
        guard !isClosed else { return }
        self.now = now
        swap(&self.commands, &commands)
        defer { swap(&self.commands, &commands) }
        switch event {
        case .requestBegan: requestBegan()
        case .identified(let process): flow.clientProcess = process
        case .request(let lane, let head): received(head, lane)
        case .firstRequest(let lane, let head): received(first: head, lane)
        case .requestRefused(let lane, let head, let detail): refused(head, detail, lane)
        case .authenticated(let lane, let verdict): authenticated(lane, verdict)
        case .prioritized(let lane, let value): prioritized(lane, value)
        case .requestEnded(let lane):
            guard let open = exchanges[lane] else { return }
            open.machine.requestIsComplete = true
            endIfComplete(open)
        case .requestUnwanted(let lane): requestUnwanted(lane, isStopped: true)
        case .requestStalled(let lane): requestStalled(lane)
        case .answerSent(let lane):
            guard let reason = exchanges[lane]?.machine.answering else { return }
            end(lane, .answeredByProxy(reason))
        case .answerFailed(let lane): answerFailed(lane)
        case .response(let lane, let head): received(head, lane)
        case .responseEnded(let lane):
            guard let open = exchanges[lane], open.machine.responseEnded() else { return }
            if !endIfComplete(open) { awaitRest(of: open) }
        case .reset(let lane, .client, let code, let detail): clientReset(lane, code, detail)
        case .reset(let lane, .server, let code, let detail): serverReset(lane, code, detail)
        case .refused(let lane): refusedByServer(lane)
        case .dialed(let link, let server): dialed(link, server)
        case .dialFailed(let link, let failure, let dials): dialFailed(link, failure, dials)
        case .handshake(let link, let record, let chain): handshakeEnded(link, record, chain)
        case .capacity(let link, let count):
            links[link]?.capacity = count
            serveWaiting()
            releaseClient()
        case .linkDraining(let link): drain(link)
        case .linkClosed(let link, let kind): closed(link, kind)
        case .clientClosed(let kind, let sentData): clientClosed(kind, sentData: sentData)
        case .decided(let lane, let decision): decided(lane, decision)
        case .requestHeld(let lane, let end):
            guard let open = exchanges[lane] else { return }
            perform(on: open, open.machine.requestHeld(end, into: &self.commands))
        case .responseHeld(let lane, let end):
            guard let open = exchanges[lane] else { return }
            let step = open.machine.responseHeld(end, flow: flow, into: &self.commands)
            perform(on: open, step)
        case .answered(let lane, let answer): self.answer(answer, lane)
        case .tunnelEnded(let lane): tunnelEnded(lane)
        case .clientFinished:
            isDraining = true
            if isQuiet { close() }
        case .clientFailed(let detail): clientFailed(detail)
        case .requestFailed(let failure): requestFailed(failure)
        case .expired(let deadline): expired(deadline)
        case .endedByUser(let lane): endedByUser(lane)
        case .drain: drain(.stoppedProxy)
        case .retire: drain(.changedSettings)
        case .displaced(let detail):
            guard flow.outcome == nil, !isClosing else { return }
            displacement = Outcome(isQuiet ? .completed : .aborted, detail: detail)
        case .stop: abort(displacement ?? .stoppedProxy, nil)
        }
    }

    /// The scheme of requests to the server of the tunnel.
    var scheme: Scheme { flow.treatment == .intercepted ? .https : .http }

    /// Whether a tunnel is open, or an exchange waits for a server or is being answered.
    var isInUse: Bool {
        !tunnels.isEmpty
            || exchanges.values.contains {
                $0.machine.requestIsComplete || $0.machine.responseHasBegun
            }
    }

    /// Returns the number for a new link.
    mutating func newLink() -> LinkID {
        defer { nextLink += 1 }
        return LinkID(rawValue: nextLink)
    }

    /// Ends the conversation with a last record of the flow, behind all other records.
    mutating func finish(_ outcome: Outcome) {
        isClosed = true
        flow.closed = now
        flow.outcome = displacement ?? flow.outcome ?? outcome
        commands.append(.record(flow))
    }
}
