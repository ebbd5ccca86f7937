import PinholeModel
import PinholeRules
import PinholeWire

/// Requests and responses.
///
/// What only asks is `mutating` here: to call anything else Swift 6.3 first copies the tunnel, 1.9 KB each time.
extension Tunnel {
    /// Begins an exchange; one that is refused is answered so, and the connection ends with it.
    mutating func beginExchange(
        _ head: RequestHead,
        refusedBy refusal: Answer? = nil,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        guard exchange == nil else { return }
        let place = destination(of: head)
        note(named: place.shown, into: &commands)
        flow.exchanges += 1
        commands.append(
            .beginExchange(head, scheme: place.scheme, authority: place.shown, path: place.path)
        )
        commands.append(.arm(.idle, policy.limits.idleTimeout))
        exchange = Exchange(
            request: place.request ?? head,
            target: place.target,
            path: place.rewritten,
            closesClient: !head.isKeepAlive || isDraining || refusal != nil
        )
        if let refusal { return answer(refusal, at: now, into: &commands) }
        if let answer = localAnswer(to: head, place) { return self.answer(answer, at: now, into: &commands) }
        if rule(on: place.request ?? head, place.scheme, place.shown, at: now, into: &commands) { return }
        proceed(at: now, into: &commands)
    }

    /// Lets the exchange have a connection to its server.
    mutating func proceed(at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard let target = exchange?.target else { return }
        if policy.isOffline {
            return answer(ErrorPage.offline(target.authority), at: now, into: &commands)
        }
        if exchange?.isElsewhere == false, let page = faultPage() {
            // What was found holds for this connection alone: the next one looks again.
            exchange?.closesClient = true
            return answer(page, at: now, into: &commands)
        }
        if case .ready(let current, let isReused) = link {
            if current == target {
                noteOpening(into: &commands)
                return forward(isReused: isReused, at: now, into: &commands)
            }
            releaseServer(into: &commands)
        }
        dialForExchange(mayReuse: true, into: &commands)
    }

    /// Notes in the exchange how its connection was come by: it was made for the tunnel, or used before.
    private mutating func noteOpening(into commands: inout [TunnelCommand]) {
        guard let opening, !opening.isReused, flow.exchanges == 1 else {
            return commands.append(.note(.connectionReused))
        }
        commands.append(
            .noteTimings(
                resolve: opening.resolve,
                connect: opening.connect,
                tls: secured?.handshake.duration
            )
        )
    }

    /// Where a request goes, and how it is shown.
    struct Destination {
        var target: DialTarget
        var shown: Authority
        var scheme: Scheme
        var path: String
        /// The request target to write, where it differs from what came.
        var rewritten: String?
        /// The request that is sent, where it differs from the one that came.
        var request: RequestHead?
    }

    private mutating func destination(of head: RequestHead) -> Destination {
        if case .reverse(let origin) = mode { return destination(of: head, in: origin) }
        if destination == nil, case .absolute(let scheme, let authority, let path) = head.target {
            let name = ServerName(
                authority: authority,
                host: authority.host,
                applicationProtocols: ["http/1.1"]
            )
            var target = DialTarget(
                authority: authority,
                serverName: scheme == .https ? name : nil,
                mayReuse: true
            )
            target.isPlain = scheme == .http
            // A proxy of HTTP switches no protocols in a request of its own: that needs a tunnel.
            target.isForwarded = scheme == .http && !head.upgrade && policy.nextHops.forwards(authority)
            return Destination(
                target: target,
                shown: authority,
                scheme: scheme,
                path: path,
                rewritten: target.isForwarded ? Self.absolute(authority, path) : path
            )
        }
        let host = head.authority(for: scheme)
        let fallback = Authority(host: policy.ownHost, port: scheme.defaultPort)
        let target = DialTarget(
            authority: authority ?? host ?? fallback,
            serverName: flow.treatment == .intercepted ? serverName : nil,
            mayReuse: true
        )
        return Destination(
            target: target,
            shown: mode.forwarded ?? host ?? authority ?? fallback,
            scheme: scheme,
            path: redirectedTarget(head) ?? head.rawTarget,
            rewritten: redirectedTarget(head)
        )
    }

    /// The target of a request for plain http that a proxy gets.
    static func absolute(_ authority: Authority, _ path: String) -> String {
        "http://\(authority.text(defaultPort: Scheme.http.defaultPort))\(path == "*" ? "" : path)"
    }

    /// The proxy that gets the request of the exchange itself.
    var forwardingHop: NextHop? {
        guard let target = exchange?.target, target.isForwarded else { return nil }
        return policy.nextHops.hop(for: target.authority, isPlain: true)
    }

    /// What the proxy answers itself, without asking a server.
    private mutating func localAnswer(to head: RequestHead, _ place: Destination) -> Answer? {
        if flow.treatment == .local { return policy.onboarding.answer(to: head, at: flow.listener) }
        if let answer = circleAnswer(to: head) { return answer }
        if flow.treatment == .plain, authority == nil, mode == .explicit {
            if case .absolute = head.target {
                guard place.target.authority.host == policy.ownHost else { return nil }
                return policy.onboarding.answer(to: head, at: flow.listener)
            }
            if case .authority = head.target { return connectInside(head) }
            return policy.onboarding.answer(to: head, at: flow.listener)
        }
        guard case .authority = head.target else { return nil }
        return mode == .explicit
            ? connectInside(head)
            : ErrorPage.connectToServer.answer(accept: head.fields.first("accept"))
    }

    /// Why the server of an intercepted tunnel gets no request.
    private func faultPage() -> ErrorPage? {
        guard flow.treatment == .intercepted, let secured, !secured.chain.isAccepted, let exchange else {
            return nil
        }
        return ServerFaultPage.page(for: secured, authority: authority ?? exchange.target.authority)
    }

    private func connectInside(_ head: RequestHead) -> Answer {
        ErrorPage.connectInside.answer(accept: head.fields.first("accept"))
    }

    mutating func dialForExchange(mayReuse: Bool, into commands: inout [TunnelCommand]) {
        guard var target = exchange?.target else { return }
        target.mayReuse = mayReuse
        link = .dialing
        isServerBound = false
        let place = target.placed(at: destination, authority).place
        if let hop = policy.nextHops.hop(for: place, isPlain: target.isPlain) {
            flow.nextHop = hop.description
        }
        commands.append(.dial(target))
    }

    /// A connection for the exchange stands.
    mutating func linked(_ server: DialedServer, at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard let exchange else {
            link = .none
            return commands.append(.releaseServer)
        }
        if server.isReused { commands.append(.note(.connectionReused)) }
        if server.isCrowded {
            let marked = exchange.request.adding("Via", policy.pseudonym.entry)
            self.exchange?.request = marked
            commands.append(.note(.viaAdded))
        }
        if let name = exchange.target.serverName, server.secured == nil {
            link = .securing
            commands.append(.secureServer(name))
            commands.append(.arm(.handshake(.server), policy.limits.handshakeTimeout))
        } else {
            forward(isReused: server.isReused, at: now, into: &commands)
        }
    }

    mutating func forward(isReused: Bool, at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard let exchange else { return }
        if exchange.target.serverName != nil, let secured, !secured.chain.isAccepted {
            link = .none
            self.exchange?.closesClient = true
            let page = ServerFaultPage.page(for: secured, authority: exchange.target.authority)
            return answer(page, at: now, into: &commands)
        }
        link = .ready(exchange.target, isReused: isReused)
        if Self.bindsConnection(exchange.request) { isServerBound = true }
        if exchange.request.hasUnexpectedContent { isServerBound = true }
        commands.append(.arm(.idle, policy.limits.idleTimeout))
        commands.append(.forwardRequest(exchange.request, target: exchange.path))
    }

    /// Whether a request waits for the answer of the server at `place`.
    mutating func waits(for place: Authority) -> Bool {
        guard let exchange, !exchange.responseHasBegun else { return false }
        return exchange.target.placed(at: destination, authority).place == place
    }

    mutating func requestEnded(at now: Timestamp, into commands: inout [TunnelCommand]) {
        if policy.isOffline, phase == .dialing(.connect) { return acceptOffline(at: now, into: &commands) }
        exchange?.requestIsComplete = true
        if exchange?.responseIsComplete == true { exchangeEnded(at: now, into: &commands) }
    }

    mutating func received(_ head: ResponseHead, at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard let request = exchange?.request, case .ready = link else { return }
        if head.isInformational { return commands.append(.forwardResponse(head, closing: false)) }
        if head.status == 407, let hop = forwardingHop, let authority = exchange?.target.authority {
            return hopRefused(.hopWantsCredentials(hop, for: authority), at: now, into: &commands)
        }
        if head.status == 101, !request.upgrade {
            let reason = "the server switched protocols without having been asked to"
            return serverFailed(reason, nil, at: now, into: &commands)
        }
        exchange?.responseHasBegun = true
        exchange?.responseEndsAtClose = head.framing == .untilClose
        exchange?.keepsServer = head.isKeepAlive && !request.hasUnexpectedContent
        if Self.bindsConnection(head) { isServerBound = true }
        let endsAtClose =
            head.framing == .untilClose || (request.version == .http10 && head.framing == .chunked)
        if endsAtClose || isDraining { exchange?.closesClient = true }
        if exchange?.requestIsComplete == false { commands.append(.note(.answeredEarly)) }
        if secured?.handshake.mayRefuseMissingCertificate(by: head.status) == true {
            commands.append(.note(.clientCertificateMissing))
        }
        let ruled = ruled(head, into: &commands)
        if !ruled.tasks.isEmpty, hold(ruled.head, for: ruled.tasks, at: now, into: &commands) { return }
        pass(ruled.head, into: &commands)
    }

    /// Sends a response on.
    mutating func pass(_ head: ResponseHead, into commands: inout [TunnelCommand]) {
        let closing = exchange?.closesClient ?? true
        let stripped = head.withoutAltSvc()
        if stripped != nil { commands.append(.note(.altSvcRemoved)) }
        commands.append(.forwardResponse(stripped ?? head, closing: closing))
        guard head.status == 101 else { return }
        if WebSocketAgreement.isOpened(status: 101, answer: head.fields) {
            ruleMessages(head, into: &commands)
        }
        commands.append(.note(.upgraded))
        relay(into: &commands)
    }

    /// Whether a scheme authenticates the connection and not the request.
    private static func bindsConnection(_ scheme: some StringProtocol) -> Bool {
        ["ntlm", "negotiate"].contains(scheme.lowercased())
    }

    /// Whether a request has credentials for its connection.
    private static func bindsConnection(_ head: RequestHead) -> Bool {
        head.fields.first("authorization").map { bindsConnection($0.prefix { $0 != " " }) } ?? false
    }

    /// Whether a response asks for such credentials; one that cannot be read may.
    private static func bindsConnection(_ head: ResponseHead) -> Bool {
        head.fields.all("www-authenticate").contains { value in
            guard let challenges = try? HTTPChallenge.parse(value.utf8) else { return true }
            return challenges.contains { bindsConnection($0.scheme) }
        }
    }

    /// Gives a connection that can take a request to the pool, or closes it where nobody else may have it.
    mutating func releaseServer(into commands: inout [TunnelCommand]) {
        guard case .ready = link else { return }
        link = .none
        commands.append(isServerBound ? .closeServer : .releaseServer)
    }

    /// Lets others have the connection to the server, since the client asks for nothing.
    mutating func rest(into commands: inout [TunnelCommand]) {
        if exchange == nil { releaseServer(into: &commands) }
        commands.append(.arm(.idle, policy.limits.idleTimeout))
    }

    mutating func responseEnded(at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard exchange?.responseHasBegun == true else { return }
        exchange?.responseIsComplete = true
        if exchange?.requestIsComplete == true { return exchangeEnded(at: now, into: &commands) }
        exchange?.isLingering = true
        commands.append(.arm(.idle, Self.patience))
    }

    /// How long a server that has answered may take nothing of the rest of a request.
    ///
    /// Nothing else comes before that rest (RFC 9112 §9.3), not even the client's end.
    static let patience = Duration.seconds(5)

    private mutating func exchangeEnded(at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard let ended = exchange.take() else { return }
        commands.append(.endExchange(.completed))
        if !ended.keepsServer {
            link = .none
            commands.append(.closeServer)
        } else if case .ready(let target, _) = link {
            link = .ready(target, isReused: true)
        }
        if ended.closesClient || isDraining {
            return close(at: now, into: &commands)
        }
        commands.append(deadlineOfNextRequest)
        commands.append(.awaitRequest)
    }

    /// How long the next request may take: a connection that others may have is not kept for it.
    private var deadlineOfNextRequest: TunnelCommand {
        guard case .ready = link, !isServerBound else { return .arm(.idle, policy.limits.idleTimeout) }
        return .arm(.rest, policy.limits.pooledAfter)
    }

    /// Answers the exchange with a page that says what is wrong with its server.
    mutating func answer(_ page: ErrorPage, at now: Timestamp, into commands: inout [TunnelCommand]) {
        let page = page.led(by: exchange?.ruling?.plan.leader)
        answer(page.answer(accept: exchange?.request.fields.first("accept")), at: now, into: &commands)
    }

    /// Answers the exchange in the server's place.
    mutating func answer(_ answer: Answer, at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard let current = exchange else { return }
        // A body that was not read cannot be told from the next request.
        let isComplete = current.requestIsComplete || current.request.framing == .none
        let closing = current.closesClient || !isComplete || isDraining
        exchange?.closesClient = closing
        exchange?.answering = answer.reason
        commands.append(.answer(answer, closing: closing))
        guard answer.content != nil else { return answerSent(at: now, into: &commands) }
        exchange?.responseHasBegun = true
        exchange?.ruling = nil
        exchange?.held = nil
        releaseServer(into: &commands)
        commands.append(.arm(.idle, policy.limits.idleTimeout))
        if !current.requestIsComplete { commands.append(.discardRequest) }
    }

    /// Ends an exchange that the proxy has answered.
    mutating func answerSent(at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard let current = exchange, let reason = current.answering else { return }
        exchange = nil
        commands.append(.endExchange(.answeredByProxy(reason)))
        if current.closesClient || isDraining { return close(at: now, into: &commands) }
        commands.append(deadlineOfNextRequest)
        if !current.requestIsComplete { commands.append(.discardRequest) }
        commands.append(.awaitRequest)
    }

    /// Breaks an answer off whose content is not there any more: its length was promised, so the client can tell.
    mutating func answerFailed(at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard let reason = exchange?.answering else { return }
        commands.append(.resetClient)
        let detail = "\(reason), but its content changed while it was sent"
        abort(Outcome(.aborted, detail: detail), at: now, into: &commands)
    }

    /// The next hop did not take the request.
    private mutating func hopRefused(
        _ failure: DialFailure,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        link = .none
        commands.append(.closeServer)
        exchange?.closesClient = true
        answer(ErrorPage.unreachable(failure), at: now, into: &commands)
    }

    mutating func dialFailed(
        _ failure: DialFailure,
        _ dials: [DialRecord],
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        flow.dials += dials
        let page = ErrorPage.unreachable(failure)
        if exchange != nil {
            link = .none
            return answer(page, at: now, into: &commands)
        }
        guard case .dialing(let purpose) = phase else { return }
        flow.outcome = Outcome(.dialFailed, fault: .server, detail: failure.detail)
        if purpose == .connect {
            if destination != nil { return awaitUnserved(at: now, into: &commands) }
            if flow.isSOCKS { return refuseSOCKS(failure.reply, at: now, into: &commands) }
            commands.append(.answer(page.answer(accept: nil), closing: true))
            close(at: now, into: &commands)
        } else {
            abort(Outcome(.dialFailed, fault: .server, detail: failure.detail), at: now, into: &commands)
        }
    }
}

extension RequestHead {
    /// Whether content follows where the method gives it no meaning.
    ///
    /// A server that does not read it answers it as if it were a request, so the connection is used no more.
    var hasUnexpectedContent: Bool { framing.hasBody && HTTPMethod.isWithoutContent(method) }
}
