import PinholeHTTP2
import PinholeModel
import PinholeWire

/// The exchanges: from the request to the end of the response.
extension Conversation {
    /// The server of a request, and the URL under which the request is recorded.
    private struct Destination {
        var server: Shared<DialTarget>
        var shown: Authority
        var scheme: Scheme
        /// The path as it is recorded.
        var path: String
        /// The request that is sent; `nil` if it is the one that was received.
        var request: RequestHead?
    }

    /// Begins the time in which a client of HTTP/1 must complete its request head.
    mutating func requestBegan() {
        guard exchanges.isEmpty, !isClosing else { return }
        commands.append(.driver(.arm(.head, policy.limits.headTimeout)))
    }

    /// Takes the request with which the conversation begins.
    mutating func received(first head: RequestHead, _ lane: Lane) {
        let (open, place) = begin(head, lane)
        admitted(open, head, place, as: flow.proxyUser)
    }

    mutating func received(_ head: RequestHead, _ lane: Lane) {
        guard !isDraining, !isClosing else { return decline(head, lane) }
        if opensTunnel(head) { return openTunnel(head, lane) }
        if bringsLogin(head) { flow.proxyUser = nil }
        let (open, place) = begin(head, lane)
        switch access(of: head) {
        case .admitted(let user): admitted(open, head, place, as: user)
        case .refused(let refusal): refuse(refusal, lane)
        case .unverified(let check):
            open.machine.unverified = check.login.name
            commands.append(.driver(.authenticate(lane, check)))
        }
    }

    /// Counts an exchange and returns the command that begins its record.
    private mutating func beginning(
        _ head: RequestHead,
        _ lane: Lane,
        at place: Destination
    ) -> ConversationCommand {
        flow.exchanges += 1
        return .beginExchange(
            lane,
            head,
            scheme: place.scheme,
            authority: place.shown,
            path: place.path,
            user: flow.proxyUser
        )
    }

    private mutating func begin(_ head: RequestHead, _ lane: Lane) -> (OpenExchange, Destination) {
        let place = destination(of: head)
        note(named: place.shown)
        commands.append(beginning(head, lane, at: place))
        if namesAnotherServer(head, at: place) { commands.append(.note(lane, .hostDiffers)) }
        if !clientIsMultiplexed { commands.append(.driver(.arm(.idle, policy.limits.idleTimeout))) }
        let open = OpenExchange(
            ExchangeMachine(
                lane,
                place.request ?? head,
                to: place.server,
                scheme: place.scheme,
                policy: sharedPolicy,
                priority: takePriority(of: lane)
            )
        )
        exchanges[lane] = open
        return (open, place)
    }

    /// Whether Host names another server than the one that the client asks the proxy for: in the target, or in CONNECT.
    private mutating func namesAnotherServer(_ head: RequestHead, at place: Destination) -> Bool {
        guard mode.isProxy, head.host != nil else { return false }
        if case .absolute = head.target { return head.hasForeignHost }
        // A tunnel that SOCKS opens, or that was redirected, is to an address.
        guard let authority, destination == nil, !flow.isSOCKS else { return false }
        return place.shown != authority
    }

    /// Returns the target as a shared value: the one of the previous exchange if both ask the same server.
    private mutating func shared(_ target: DialTarget) -> Shared<DialTarget> {
        if let usual, usual.value == target { return usual }
        let new = Shared(target)
        usual = new
        return new
    }

    /// Records the server that the first request of a redirected plain connection names.
    ///
    /// The address stays the same.
    private mutating func note(named authority: Authority) {
        guard destination != nil, mode.forwarded == nil, flow.treatment == .plain, flow.exchanges == 0
        else { return }
        flow.authority = authority.description
        commands.append(.record(flow))
    }

    /// Continues with a request whose login was verified.
    mutating func authenticated(_ lane: Lane, _ verdict: LoginVerdict) {
        guard let open = exchanges[lane], let user = open.machine.unverified else { return }
        open.machine.unverified = nil
        switch verdict {
        case .busy: refuse(.busy, lane)
        case .right:
            let head = open.machine.request
            admitted(open, head, destination(of: head), as: user)
        case .wrong: refuse(.credentials, lane)
        }
    }

    private mutating func refuse(_ refusal: AccessRules.Refusal, _ lane: Lane) {
        if !clientIsMultiplexed { commands.append(.closeAfter(lane)) }
        let accept = exchanges[lane]?.machine.request.fields.first("accept")
        answer(refusal.answer(to: clientAddress, accept: accept), lane)
    }

    private mutating func admitted(
        _ open: OpenExchange,
        _ head: RequestHead,
        _ place: Destination,
        as user: String?
    ) {
        let lane = open.lane
        if let user, clientIsMultiplexed || flow.proxyUser != user { commands.append(.noteUser(lane, user)) }
        if clientIsMultiplexed { open.machine.user = user } else { flow.proxyUser = user }
        if let user = user ?? flow.proxyUser { open.machine.target.user = user }
        if let answer = localAnswer(to: head) { return self.answer(answer, lane) }
        let step = open.machine.rule(place.shown, at: now, flow: flow, into: &commands)
        perform(on: open, step)
    }

    /// Carries out the next step of an exchange.
    mutating func perform(on open: OpenExchange, _ step: ExchangeStep) {
        let lane = open.lane
        switch step {
        case .wait: break
        case .send:
            open.machine.applyPlan(offering: offeredProtocols)
            proceed(open)
        case .answer(let answer, let leavesServer):
            if leavesServer { commands.append(.reset(lane, .server, .cancel)) }
            self.answer(answer, lane)
        case .cut(let isReset, let reason, let leavesServer):
            if leavesServer { commands.append(.reset(lane, .server, .cancel)) }
            cut(lane, isReset: isReset, reason)
        case .switchProtocols:
            open.isRelayed = true
            commands += [
                .note(lane, .upgraded), .record(flow), .relay(lane),
                .driver(.arm(.idle, policy.limits.idleTimeout)),
            ]
        }
    }

    /// Continues an exchange according to a decision; a decision about an exchange that has ended is ignored.
    mutating func decided(_ lane: Lane, _ decision: ExchangeDecision) {
        guard let open = exchanges[lane] else { return }
        if case .noting(let hits, let decision) = decision {
            open.machine.note(hits, into: &commands)
            return decided(lane, decision)
        }
        if open.machine.isGathering {
            let step =
                open.machine.isResponseHeld
                ? open.machine.releaseResponse(.tooSlow, flow: flow, into: &commands)
                : open.machine.releaseRequest(.tooSlow, into: &commands)
            return perform(on: open, step)
        }
        guard open.machine.isHeld else { return }
        let held = open.machine.endQuestion()
        armUnlessHeld()
        let step = open.machine.decided(decision, about: held, flow: flow, into: &commands)
        perform(on: open, step)
    }

    /// Starts the idle time again, unless an exchange is held.
    private mutating func armUnlessHeld() {
        guard !exchanges.values.contains(where: { $0.machine.isHeld }) else { return }
        commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
    }

    /// Lets an exchange wait for its turn on a connection to its server.
    mutating func proceed(_ open: OpenExchange) {
        let lane = open.lane
        let server = open.machine.place.value.authority
        if policy.isOffline { return answer(ErrorPage.offline(server), lane) }
        if server == authority, let fault {
            // The client's next connection asks the server again.
            if !clientIsMultiplexed { commands.append(.closeAfter(lane)) }
            let page = ServerFaultPage.page(for: fault, authority: server)
            return answer(page, lane)
        }
        if waiting.isEmpty, let id = oldest(for: open.machine.place) { return send(open, on: id) }
        waiting.append(lane)
        serveWaiting()
    }

    /// Refuses a malformed request; it is a stream error that does not affect others (RFC 9113 §8.1.1).
    ///
    /// The request is recorded like any other. It costs as much as a request that the proxy answers itself. A request
    /// that the engine has refused also takes from ``HTTP2Limits/resets``.
    mutating func refused(_ head: RequestHead, _ detail: String, _ lane: Lane) {
        reset(head, .protocolError, .aborted(by: .client, detail), lane)
    }

    /// Declines a request because the connection is about to end; the client may send it on another one.
    private mutating func decline(_ head: RequestHead, _ lane: Lane) {
        reset(head, .refusedStream, .failed("the proxy was being stopped"), lane)
    }

    /// Records a request that is sent to no server, and resets its stream.
    private mutating func reset(
        _ head: RequestHead,
        _ code: HTTP2ErrorCode,
        _ outcome: ExchangeOutcome,
        _ lane: Lane
    ) {
        _ = takePriority(of: lane)
        commands += [
            beginning(head, lane, at: destination(of: head)),
            .reset(lane, .client, code),
            .endExchange(lane, outcome),
        ]
    }

    /// Returns the destination of a request at a listener before one server, whatever server the request names.
    private mutating func destination(of head: RequestHead, in origin: ReverseOrigin) -> Destination {
        var target = origin.target(offeredProtocols, mayReuse: false)
        target.isForwarded = origin.isForwarded(
            isUpgrade: head.protocolName != nil || head.upgrade,
            by: policy.nextHops
        )
        return Destination(
            server: shared(target),
            shown: origin.authority,
            scheme: origin.scheme,
            path: head.target.path,
            request: head.replacing(
                host: origin.keepsHost ? nil : origin.hostText,
                scheme: origin.scheme
            )
        )
    }

    private mutating func destination(of head: RequestHead) -> Destination {
        if case .reverse(let origin) = mode { return destination(of: head, in: origin) }
        // A target in absolute-form names its server, even inside a tunnel. A redirected connection has only one
        // server.
        let isAbsolute = if case .absolute = head.target { destination == nil } else { false }
        let hasPath = if case .absolute = head.target { true } else { false }
        let path = hasPath ? head.target.path : head.rawTarget
        if !isAbsolute, let authority {
            let shown = mode.forwarded ?? head.authority(for: scheme) ?? authority
            return Destination(server: ownPlace(authority), shown: shown, scheme: scheme, path: path)
        }
        let scheme = head.scheme ?? .http
        let shown =
            mode.forwarded ?? head.authority(for: scheme) ?? authority
            ?? Authority(host: policy.ownHost, port: scheme.defaultPort)
        // An HTTP proxy does not switch protocols for a forwarded request; that needs a tunnel.
        let isUpgrade = head.protocolName != nil || head.upgrade
        let isForwarded = scheme == .http && !isUpgrade && policy.nextHops.forwards(shown)
        // Most requests ask the server of the one before, and a target is longer than all that tells plain ones apart.
        if scheme == .http, let usual, usual.value.isPlain, usual.value.isForwarded == isForwarded,
            usual.value.authority == shown
        {
            return Destination(server: usual, shown: shown, scheme: scheme, path: path)
        }
        var target = DialTarget(authority: shown, serverName: nil, mayReuse: false)
        if scheme == .https {
            target.serverName = ServerName(
                authority: shown,
                host: shown.host,
                applicationProtocols: offeredProtocols
            )
        }
        target.isPlain = scheme == .http
        target.isForwarded = isForwarded
        return Destination(server: shared(target), shown: shown, scheme: scheme, path: path)
    }

    /// The target for the server that CONNECT asked for; it is made once for the connection, not for each request.
    private mutating func ownPlace(_ authority: Authority) -> Shared<DialTarget> {
        if let connectPlace { return connectPlace }
        let name = flow.treatment == .intercepted ? serverName : nil
        let place = shared(DialTarget(authority: authority, serverName: name, mayReuse: false))
        connectPlace = place
        return place
    }

    /// The protocols that are offered to a server in ALPN.
    var offeredProtocols: [String] { offersHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"] }

    /// Whether an exchange waits for a response from the server at `place`.
    mutating func waits(for place: Authority) -> Bool {
        exchanges.values.contains {
            !$0.machine.responseHasBegun
                && $0.machine.target.placed(at: destination, authority).place == place
        }
    }

    mutating func received(_ head: ResponseHead, _ lane: Lane) {
        guard let open = exchanges[lane] else { return }
        if head.isInformational {
            return commands.append(.forwardResponse(lane, head))
        }
        if head.status == 407, open.machine.target.isForwarded { return hopWantsCredentials(lane) }
        if head.status == 101, !open.machine.request.upgrade || clientIsMultiplexed {
            let detail = "the server switched protocols without having been asked to"
            return serverFailed(lane, .protocolError, detail)
        }
        open.machine.responseBegan(head, into: &commands)
        if let link = open.link.flatMap({ links[$0] }) {
            if !clientIsMultiplexed, Self.bindsConnection(head) { link.isBound = true }
            if link.mayRefuseMissingCertificate(by: head.status) {
                commands.append(.note(lane, .clientCertificateMissing))
            }
        }
        let step = open.machine.received(head, flow: flow, into: &commands)
        perform(on: open, step)
    }

    /// Ends an exchange if both messages are complete.
    ///
    /// - Returns: Whether they are.
    @discardableResult
    mutating func endIfComplete(_ open: OpenExchange) -> Bool {
        guard open.machine.isComplete else { return false }
        end(open.lane, .completed)
        return true
    }

    /// Ends an exchange, and gives its place on the link to the next one.
    mutating func end(_ lane: Lane, _ outcome: ExchangeOutcome) {
        guard let open = exchanges.removeValue(forKey: lane) else { return }
        if open.isLingering, clientIsMultiplexed {
            commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
        }
        commands.append(.endExchange(lane, outcome))
        if let link = open.link {
            leave(link, lane, open)
        } else {
            waiting.removeAll { $0 == lane }
        }
        if isDraining, isQuiet { return close() }
        guard clientIsMultiplexed else { return awaitRequest() }
        serveWaiting()
    }

    /// Waits for the next request of a client of HTTP/1.
    ///
    /// A link that others may use goes to the pool after a short time.
    private mutating func awaitRequest() {
        let isSpare = links.values.contains(where: \.isSpare)
        commands.append(
            isSpare
                ? .driver(.arm(.rest, policy.limits.pooledAfter))
                : .driver(.arm(.idle, policy.limits.idleTimeout))
        )
    }

    /// Removes an exchange from its link.
    private mutating func leave(_ id: LinkID, _ lane: Lane, _ open: OpenExchange) {
        guard let link = links[id], link.remove(lane), link.lanes.isEmpty else { return }
        // In HTTP/1, the rest of an aborted exchange cannot be distinguished from the next one.
        let isClean =
            link.isMultiplexed || open.machine.isComplete && !open.machine.hasUnexpectedContent
        // Requests to the proxy itself may name any number of servers, one after the other.
        let isOneTooMany = authority == nil && links.count > policy.limits.serverConnections
        if link.isDraining || !isClean || isOneTooMany { close(id) }
    }

    // MARK: Connections that a server authenticates

    /// Whether an authentication scheme authenticates the connection and not the request.
    private static func bindsConnection(_ scheme: some StringProtocol) -> Bool {
        ["ntlm", "negotiate"].contains(scheme.lowercased())
    }

    /// Whether a request contains credentials for its connection.
    static func bindsConnection(_ head: RequestHead) -> Bool {
        head.fields.first("authorization").map { bindsConnection($0.prefix { $0 != " " }) } ?? false
    }

    /// Whether a response asks for credentials for the connection; a field that cannot be parsed counts as such.
    private static func bindsConnection(_ head: ResponseHead) -> Bool {
        head.fields.all("www-authenticate").contains { value in
            guard let challenges = try? HTTPChallenge.parse(value.utf8) else { return true }
            return challenges.contains { bindsConnection($0.scheme) }
        }
    }
}
