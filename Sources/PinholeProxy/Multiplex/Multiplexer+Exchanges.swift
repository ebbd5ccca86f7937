import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeWire

/// Requests and responses.
extension Multiplexer {
    /// Where a request goes, and how it is shown.
    private struct Destination {
        var target: DialTarget
        var shown: Authority
        var scheme: Scheme
        /// The request that is sent, where it differs from the one that came.
        var request: RequestHead?
    }

    mutating func received(
        _ head: RequestHead,
        _ lane: Lane,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard !isDraining, !isClosing else { return decline(head, lane, into: &commands) }
        if opensTunnel(head) { return openTunnel(head, lane, into: &commands) }
        flow.exchanges += 1
        let place = destination(of: head)
        commands.append(
            .beginExchange(
                lane,
                head,
                scheme: place.scheme,
                authority: place.shown,
                path: head.rawTarget
            )
        )
        exchanges[lane] = Exchange(
            request: place.request ?? head,
            target: place.target,
            scheme: place.scheme,
            requestIsComplete: !head.framing.hasBody,
            isBodiless: !head.framing.hasBody,
            priority: takePriority(of: lane)
        )
        switch access(of: head) {
        case .admitted(let user): admitted(head, place, as: user, lane, at: now, into: &commands)
        case .refused(let refusal): refuse(refusal, lane, at: now, into: &commands)
        case .unverified(let check):
            exchanges[lane]?.unverified = check.login.name
            commands.append(.authenticate(lane, check))
        }
    }

    /// Goes on with a request whose login was verified.
    mutating func authenticated(
        _ lane: Lane,
        _ verdict: LoginVerdict,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard let exchange = exchanges[lane], let user = exchange.unverified else { return }
        exchanges[lane]?.unverified = nil
        switch verdict {
        case .busy: refuse(.busy, lane, at: now, into: &commands)
        case .right:
            let head = exchange.request
            admitted(head, destination(of: head), as: user, lane, at: now, into: &commands)
        case .wrong: refuse(.credentials, lane, at: now, into: &commands)
        }
    }

    private mutating func refuse(
        _ refusal: AccessRules.Refusal,
        _ lane: Lane,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        let accept = exchanges[lane]?.request.fields.first("accept")
        answer(refusal.answer(to: clientAddress, accept: accept), lane, at: now, into: &commands)
    }

    private mutating func admitted(
        _ head: RequestHead,
        _ place: Destination,
        as user: String?,
        _ lane: Lane,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        if let user {
            exchanges[lane]?.user = user
            commands.append(.noteUser(lane, user))
        }
        exchanges[lane]?.target.user = user ?? flow.proxyUser
        if let answer = localAnswer(to: head) { return self.answer(answer, lane, at: now, into: &commands) }
        if rule(on: lane, place.request ?? head, place.scheme, place.shown, at: now, into: &commands) {
            return
        }
        proceed(lane, at: now, into: &commands)
    }

    /// Lets an exchange wait for its turn on a connection to its server.
    mutating func proceed(_ lane: Lane, at now: Timestamp, into commands: inout [MultiplexCommand]) {
        guard let exchange = exchanges[lane] else { return }
        if policy.isOffline {
            let page = ErrorPage.offline(exchange.target.authority)
            return answer(page, lane, at: now, into: &commands)
        }
        if exchange.target.authority == authority, let fault {
            let page = ServerFaultPage.page(for: fault, authority: exchange.target.authority)
            return answer(page, lane, at: now, into: &commands)
        }
        waiting.append(lane)
        serveWaiting(into: &commands)
    }

    /// RFC 9113 §8.1.1: a malformed request is a stream error; others are not touched by it.
    ///
    /// It is in the record as every other. It costs what a request costs that is answered here; those that the
    /// engine has refused also take from ``HTTP2Limits/resets``.
    mutating func refused(
        _ head: RequestHead,
        _ detail: String,
        _ lane: Lane,
        into commands: inout [MultiplexCommand]
    ) {
        reset(head, .protocolError, .aborted(by: .client, detail), lane, into: &commands)
    }

    /// Takes no request any more: the client may ask somebody else.
    private mutating func decline(
        _ head: RequestHead,
        _ lane: Lane,
        into commands: inout [MultiplexCommand]
    ) {
        reset(head, .refusedStream, .failed("the proxy was being stopped"), lane, into: &commands)
    }

    /// Records a request that is asked of nobody, and resets it.
    private mutating func reset(
        _ head: RequestHead,
        _ code: HTTP2ErrorCode,
        _ outcome: ExchangeOutcome,
        _ lane: Lane,
        into commands: inout [MultiplexCommand]
    ) {
        _ = takePriority(of: lane)
        flow.exchanges += 1
        let place = destination(of: head)
        commands += [
            .beginExchange(
                lane,
                head,
                scheme: place.scheme,
                authority: place.shown,
                path: head.rawTarget
            ),
            .reset(lane, .client, code),
            .endExchange(lane, outcome),
        ]
    }

    /// Where a request goes that came to a listener before a server.
    private func destination(of head: RequestHead, in origin: ReverseOrigin) -> Destination {
        var target = origin.target(["h2", "http/1.1"], mayReuse: false)
        target.isForwarded = origin.isForwarded(
            isUpgrade: head.protocolName != nil,
            by: policy.nextHops
        )
        return Destination(
            target: target,
            shown: origin.authority,
            scheme: origin.scheme,
            request: head.replacing(
                host: origin.keepsHost ? nil : origin.hostText,
                scheme: origin.scheme
            )
        )
    }

    private func destination(of head: RequestHead) -> Destination {
        if case .reverse(let origin) = mode { return destination(of: head, in: origin) }
        let scheme: Scheme =
            authority == nil ? head.scheme ?? .http : self.scheme
        let shown =
            mode.forwarded ?? head.authority(for: scheme) ?? authority
            ?? Authority(host: policy.ownHost, port: scheme.defaultPort)
        let name =
            authority == nil && scheme == .https
            ? ServerName(authority: shown, host: shown.host, applicationProtocols: ["h2", "http/1.1"]) : nil
        var target = DialTarget(
            authority: authority ?? shown,
            serverName: flow.treatment == .intercepted ? serverName : name,
            mayReuse: false
        )
        target.isPlain = authority == nil && scheme == .http
        target.isForwarded =
            authority == nil && scheme == .http && head.protocolName == nil && policy.nextHops.forwards(shown)
        return Destination(
            target: target,
            shown: shown,
            scheme: scheme
        )
    }

    /// Whether a request waits for the answer of the server at `place`.
    mutating func waits(for place: Authority) -> Bool {
        exchanges.values.contains {
            !$0.responseHasBegun && $0.target.placed(at: destination, authority).place == place
        }
    }

    /// What the proxy answers itself, without asking a server.
    private func localAnswer(to head: RequestHead) -> Answer? {
        if authority == nil, let answer = proxyAnswer(to: head) { return answer }
        if policy.pseudonym.isNamed(in: head.fields) {
            return ErrorPage.circle(head.authority(for: scheme)).answer(accept: head.fields.first("accept"))
        }
        guard head.method == "CONNECT", head.protocolName == nil else { return nil }
        let page = mode.origin == nil ? ErrorPage.connectInside : ErrorPage.connectToServer
        return page.answer(accept: nil)
    }

    mutating func received(
        _ head: ResponseHead,
        _ lane: Lane,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard exchanges[lane] != nil else { return }
        if head.isInformational {
            return commands.append(.forwardResponse(lane, head))
        }
        if head.status == 407, exchanges[lane]?.target.isForwarded == true {
            return hopWantsCredentials(lane, at: now, into: &commands)
        }
        exchanges[lane]?.responseHasBegun = true
        if exchanges[lane]?.requestIsComplete == false, exchanges[lane]?.request.protocolName == nil {
            commands.append(.note(lane, .answeredEarly))
        }
        if let link = exchanges[lane]?.link,
            links[link]?.secured?.handshake.mayRefuseMissingCertificate(by: head.status) == true
        {
            commands.append(.note(lane, .clientCertificateMissing))
        }
        let ruled = ruled(head, lane, into: &commands)
        if !ruled.tasks.isEmpty,
            hold(ruled.head, lane, for: ruled.tasks, at: now, into: &commands)
        {
            return
        }
        pass(ruled.head, lane, into: &commands)
    }

    /// Sends a response on.
    mutating func pass(
        _ head: ResponseHead,
        _ lane: Lane,
        into commands: inout [MultiplexCommand]
    ) {
        let stripped = head.withoutAltSvc()
        if stripped != nil { commands.append(.note(lane, .altSvcRemoved)) }
        ruleMessages(head, lane, into: &commands)
        commands.append(.forwardResponse(lane, stripped ?? head))
    }

    /// The proxy that gets the requests themselves did not take this one.
    private mutating func hopWantsCredentials(
        _ lane: Lane,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard let exchange = exchanges[lane],
            let hop = policy.nextHops.hop(for: exchange.target.authority, isPlain: true)
        else { return }
        exchanges[lane]?.link = nil
        if let id = exchange.link { close(id, into: &commands) }
        let page = ErrorPage.unreachable(.hopWantsCredentials(hop, for: exchange.target.authority))
        answer(page, lane, at: now, into: &commands)
    }

    mutating func endIfComplete(_ lane: Lane, at now: Timestamp, into commands: inout [MultiplexCommand]) {
        guard let exchange = exchanges[lane], exchange.requestIsComplete, exchange.responseIsComplete else {
            return
        }
        end(lane, .completed, at: now, into: &commands)
    }

    /// Answers an exchange with a page that says what is wrong with its server.
    mutating func answer(
        _ page: ErrorPage,
        _ lane: Lane,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard let exchange = exchanges[lane] else { return }
        let page = page.led(by: exchange.ruling?.plan.leader)
        answer(page.answer(accept: exchange.request.fields.first("accept")), lane, at: now, into: &commands)
    }

    /// Answers an exchange in the server's place.
    mutating func answer(
        _ answer: Answer,
        _ lane: Lane,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard let exchange = exchanges[lane] else { return }
        commands.append(.answer(lane, answer))
        if !exchange.requestIsComplete { commands.append(.discardRequest(lane, isStopped: false)) }
        guard answer.content != nil else {
            return end(lane, .answeredByProxy(answer.reason), at: now, into: &commands)
        }
        exchanges[lane]?.answering = answer.reason
        exchanges[lane]?.responseHasBegun = true
        exchanges[lane]?.ruling = nil
        exchanges[lane]?.held = nil
    }

    /// Breaks an answer off whose content is not there any more.
    mutating func answerFailed(_ lane: Lane, at now: Timestamp, into commands: inout [MultiplexCommand]) {
        guard let reason = exchanges[lane]?.answering else { return }
        commands.append(.reset(lane, .client, .internalError))
        let detail = "\(reason), but its content changed while it was sent"
        end(lane, .failed(detail), at: now, into: &commands)
    }

    /// Ends an exchange, and gives its place on the link to the next one.
    mutating func end(
        _ lane: Lane,
        _ outcome: ExchangeOutcome,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard let exchange = exchanges.removeValue(forKey: lane) else { return }
        if exchange.isLingering { commands.append(.arm(policy.limits.idleTimeout)) }
        commands.append(.endExchange(lane, outcome))
        if let link = exchange.link {
            leave(link, lane, exchange, into: &commands)
        } else {
            waiting.removeAll { $0 == lane }
        }
        if isDraining, isQuiet { return close(at: now, into: &commands) }
        serveWaiting(into: &commands)
    }

    /// Takes an exchange from its link.
    private mutating func leave(
        _ id: LinkID,
        _ lane: Lane,
        _ exchange: Exchange,
        into commands: inout [MultiplexCommand]
    ) {
        guard links[id]?.lanes.remove(lane) != nil, let link = links[id], link.lanes.isEmpty else { return }
        // On HTTP/1 the rest of an exchange that was given up cannot be told from the next one.
        let isClean =
            link.isHTTP2
            || exchange.requestIsComplete && exchange.responseIsComplete && !exchange.hasUnexpectedContent
        // Requests to the proxy itself may name any number of servers, one after the other.
        let isSpare = authority == nil && links.count > policy.limits.serverConnections
        if link.isDraining || !isClean || isSpare { close(id, into: &commands) }
    }

    // MARK: Resets

    mutating func clientReset(
        _ lane: Lane,
        _ code: HTTP2ErrorCode,
        _ detail: String,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard let exchange = exchanges[lane] else { return }
        if exchange.link != nil { commands.append(.reset(lane, .server, code)) }
        end(lane, .aborted(by: .client, detail), at: now, into: &commands)
    }

    mutating func serverReset(
        _ lane: Lane,
        _ code: HTTP2ErrorCode,
        _ detail: String,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard let exchange = exchanges[lane] else { return }
        if isResponseHeld(lane), responseIsKept(lane, at: now, into: &commands) { return }
        guard clientSpeaksHTTP2 || exchange.responseHasBegun else {
            return answer(noAnswer(exchange, detail), lane, at: now, into: &commands)
        }
        // A reset would overtake what the client has not got of a response that is whole.
        let isWhole = exchange.responseIsComplete
        commands.append(
            isWhole ? .discardRequest(lane, isStopped: true) : .reset(lane, .client, code)
        )
        end(lane, .aborted(by: .server, detail), at: now, into: &commands)
    }

    /// The server takes no more of a request; it `isStopped` where the server has said so.
    mutating func requestUnwanted(
        _ lane: Lane,
        isStopped: Bool = false,
        at now: Timestamp,
        into commands: inout [MultiplexCommand]
    ) {
        guard exchanges[lane]?.requestIsComplete == false else { return }
        exchanges[lane]?.requestIsComplete = true
        commands.append(.discardRequest(lane, isStopped: isStopped))
        endIfComplete(lane, at: now, into: &commands)
    }

    /// How long a server that has answered may take nothing of the rest of a request.
    private static let patience = Duration.seconds(5)

    /// On HTTP/1 nothing else comes before the rest of the request (RFC 9112 §9.3), not even the client's end, so
    /// it is looked after soon.
    mutating func awaitRest(of lane: Lane, into commands: inout [MultiplexCommand]) {
        guard !clientSpeaksHTTP2, exchanges[lane] != nil else { return }
        exchanges[lane]?.isLingering = true
        commands.append(.arm(Self.patience))
    }

    /// A server that wants no more of a request is to say so (RFC 9113 §8.1); this one only stopped reading.
    mutating func requestStalled(_ lane: Lane, at now: Timestamp, into commands: inout [MultiplexCommand]) {
        guard exchanges[lane]?.responseIsComplete == true else { return }
        commands.append(.reset(lane, .server, .cancel))
        requestUnwanted(lane, at: now, into: &commands)
    }

    /// The server has not looked at the request (RFC 9113 §8.7): it may be sent again, if it is still whole.
    mutating func refusedByServer(_ lane: Lane, at now: Timestamp, into commands: inout [MultiplexCommand]) {
        guard let exchange = exchanges[lane] else { return }
        if exchange.isBodiless, exchange.attempts < 3, !exchange.responseHasBegun {
            return sendAgain(lane, into: &commands)
        }
        let detail = "the server refused the stream without looking at it"
        guard clientSpeaksHTTP2 else {
            return answer(noAnswer(exchange, detail), lane, at: now, into: &commands)
        }
        commands.append(.reset(lane, .client, .refusedStream))
        end(lane, .aborted(by: .server, detail), at: now, into: &commands)
    }

    /// Puts an exchange back in the queue, in front: it came before those that wait.
    mutating func sendAgain(_ lane: Lane, into commands: inout [MultiplexCommand]) {
        guard let link = exchanges[lane]?.link else { return }
        links[link]?.lanes.remove(lane)
        exchanges[lane]?.link = nil
        commands.append(.note(lane, .retried))
        waiting.insert(lane, at: 0)
        serveWaiting(into: &commands)
    }

    func noAnswer(_ exchange: Exchange, _ reason: String) -> ErrorPage {
        let authority = exchange.target.authority
        let hop = exchange.target.isForwarded ? policy.nextHops.hop(for: authority, isPlain: true) : nil
        return ErrorPage.noUsableAnswer(of: authority, through: hop, reason)
    }
}
