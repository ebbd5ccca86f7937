import PinholeCrypto
import PinholeModel
import PinholeRules
import PinholeWire

/// The way from the client's first head to a relay, or to the first request of a conversation.
extension Tunnel {
    /// Begins the time in which a request head must be complete.
    ///
    /// For the first head, that time began with the connection.
    mutating func requestBegan() {
        clientSentData = true
        guard phase == .open else { return }
        commands.append(.driver(.arm(.head, policy.limits.headTimeout)))
    }

    mutating func received(_ head: RequestHead) {
        clientSentData = true
        if phase == .open { return converse(with: head) }
        guard phase == .awaitingRequest else { return }
        if case .reverse(let origin) = mode { return receivedInReverse(head, origin) }
        guard arrival == nil else { return refuseDirect(head) }
        authenticate(head)
    }

    /// Takes the first request of a client that may use the proxy.
    mutating func admitted(_ head: RequestHead) {
        if case .authority(let authority) = head.target {
            if let answer = circleAnswer(to: head) { return refuse(answer, head) }
            let via = head.fields.contains("via") ? policy.pseudonym.via(behind: head.fields) : nil
            return connect(authority, via: via)
        }
        flow.treatment = .plain
        flow.reason = "plain HTTP: nothing to decrypt"
        commands.append(.record(flow))
        converse(with: head)
    }

    /// Returns the answer to a request that this proxy has already sent on; `nil` for any other request.
    mutating func circleAnswer(to head: RequestHead) -> Answer? {
        guard policy.pseudonym.isNamed(in: head.fields) else { return nil }
        return ErrorPage.circle(head.authority(for: scheme)).answer(accept: head.fields.first("accept"))
    }

    mutating func refuse(_ answer: Answer, _ head: RequestHead) {
        flow.treatment = .local
        if case .authority(let authority) = head.target { flow.authority = authority.description }
        flow.outcome = Outcome(.refused, fault: .client, detail: answer.reason)
        commands.append(.record(flow))
        commands.append(.answer(answer))
        close()
    }

    mutating func connect(_ authority: Authority, via: String? = nil) {
        self.authority = authority
        flow.authority = authority.description
        flow.nextHop = policy.nextHops.hop(for: authority)?.description
        guard authority.host != policy.ownHost else {
            if flow.isSOCKS { return serveOwnPage(authority) }
            let page = ErrorPage(
                status: 404,
                title: "Pinhole's own page has no TLS",
                detail:
                    "\(policy.ownHost) answers to plain http only, so that it can be read before the CA is trusted.",
                remedy: "Open http://\(policy.ownHost)/ instead."
            )
            flow.treatment = .local
            commands.append(.record(flow))
            commands.append(.answer(page.answer(accept: nil)))
            return close()
        }
        let decision = policy.interception.decide(authority)
        if policy.isOffline { return openOffline(decision, authority) }
        flow.treatment = decision.treatment
        flow.reason = decision.reason
        phase = .dialing(.connect)
        let isIntercepted = decision.treatment == .intercepted
        let name = ServerName(authority: authority, host: authority.host, applicationProtocols: ["http/1.1"])
        commands.append(.record(flow))
        commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
        var target = DialTarget(
            authority: authority,
            serverName: isIntercepted ? name : nil,
            mayReuse: isIntercepted,
            isNameGuessed: isIntercepted
        )
        target.via = via
        dial(target)
    }

    /// Asks for a connection for the client's user, to the original address if the client's connection was redirected.
    mutating func dial(_ target: DialTarget) {
        var target = target.placed(at: destination, authority)
        target.user = flow.proxyUser
        commands.append(.driver(.dial(.first, target)))
    }

    /// Tells the client that the tunnel is open, unless the connection was redirected, so that it did not ask for a
    /// tunnel.
    mutating func acceptTunnel() {
        guard destination == nil else { return }
        commands.append(.acceptConnect)
    }

    mutating func dialed(_ server: DialedServer) {
        if case .dialing(let purpose) = phase {
            note(server)
            switch purpose {
            case .connect, .peek:
                phase = .peeking
                if purpose == .connect { acceptTunnel() }
                commands.append(.peek)
                commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
                if closedHalves.contains(.client) { relayOpaque() }
            case .intercept: intercept()
            case .relay: relay()
            case .converse:
                hasServer = true
                converse()
            }
        } else {
            // The client that needed the connection has gone.
            commands.append(.driver(.closeLink(.first)))
        }
    }

    /// Handles the end of a CONNECT.
    mutating func requestEnded() { if policy.isOffline, phase == .dialing(.connect) { acceptOffline() } }

    mutating func dialFailed(_ failure: DialFailure, _ dials: [DialRecord]) {
        flow.dials += dials
        guard case .dialing(let purpose) = phase else { return }
        let page = ErrorPage.unreachable(failure).unasked(where: mayBeAnswered)
        let outcome = Outcome(.dialFailed, fault: .server, detail: page.detail)
        guard purpose == .connect else { return dialFailed(after: purpose, outcome) }
        flow.outcome = outcome
        if destination != nil { return awaitUnserved() }
        if flow.isSOCKS { return refuseSOCKS(failure.reply) }
        commands.append(.answer(page.answer(accept: nil)))
        close()
    }

    /// Whether a rule may answer a request inside the tunnel in the server's place.
    private var mayBeAnswered: Bool {
        guard flow.treatment == .intercepted, let authority else { return false }
        return policy.rules.mayAnswer(at: authority.host)
    }

    /// Records the facts of a connection.
    private mutating func note(_ server: DialedServer) {
        flow.server = server.address
        flow.dials += server.dials
        secured = server.secured
        opening = server
    }

    mutating func clientHelloBegan() {
        guard phase == .peeking else { return }
        wasHelloBegun = true
        commands.append(.driver(.arm(.handshake(.client), policy.limits.handshakeTimeout)))
    }

    mutating func received(_ hello: ClientHelloRecord) {
        if isGreeted { return secureInbound(hello) }
        guard phase == .peeking else { return }
        flow.clientHello = hello
        if isUnserved, destination != nil { return endUnserved() }
        // A forwarded port belongs to its server, whatever name clients use.
        let asked = mode.forwarded == nil ? hello.serverName.flatMap { try? Host($0) } : nil
        if let asked { take(name: asked) }
        guard let authority else { return }
        // The deadline of the ClientHello ends here; the next steps have deadlines of their own, or only this one.
        if wasHelloBegun { commands.append(.driver(.arm(.idle, policy.limits.idleTimeout))) }
        guard flow.treatment == .intercepted else { return relayOpaque() }
        let host = asked?.name == nil ? authority.host : asked ?? authority.host
        serverName = ServerName(
            authority: authority,
            host: host,
            applicationProtocols: Self.protocols(offeredTo: hello)
        )
        if isUnserved { return secureUnserved() }
        // A pooled connection for another name is given back; the pool may have one for this name.
        let isOtherName = secured.map { $0.host(at: authority) != host } ?? false
        guard isOtherName else { return intercept() }
        dialAgain(DialTarget(authority: authority, serverName: serverName, mayReuse: true))
    }

    /// Continues with the current connection: a pooled one is ready, a new one needs a handshake.
    private mutating func intercept() {
        if policy.isOffline, let host = serverName?.host { return mintOffline(host) }
        guard let authority, let secured else { return secureServer() }
        guard isFit(secured, at: authority) else {
            return dialAgain(DialTarget(authority: authority, serverName: nil, mayReuse: false))
        }
        flow.serverHandshake = secured.handshake
        hasServer = true
        mint(secured.chain)
    }

    /// Whether a pooled connection is equal to what a handshake of its own would have given the client.
    private func isFit(_ secured: SecuredServer, at authority: Authority) -> Bool {
        guard let hello = flow.clientHello, secured.host(at: authority) == serverName?.host else {
            return false
        }
        // A server that agreed to HTTP/1.1 might have chosen HTTP/2 if that had been offered.
        return speaksHTTP1(hello)
            && (!hello.applicationProtocols.contains("h2") || secured.offered.contains("h2"))
    }

    /// Gives the pooled connection back and dials again.
    private mutating func dialAgain(_ target: DialTarget) {
        secured = nil
        commands.append(.driver(.releaseLink(.first)))
        phase = .dialing(.intercept)
        dial(target)
    }

    /// Returns the protocols to offer to the server: those of the client, so that both sides agree to the same one if
    /// possible.
    private static func protocols(offeredTo hello: ClientHelloRecord) -> [String] {
        let offered = hello.applicationProtocols
        // A client that offers no protocols speaks HTTP/1.1. For a client that speaks only HTTP/2, messages are
        // translated.
        let isTranslated = offered.contains("h2") && !offered.contains("http/1.1")
        return offered.isEmpty || isTranslated ? offered + ["http/1.1"] : offered
    }

    private func speaksHTTP1(_ hello: ClientHelloRecord) -> Bool {
        hello.applicationProtocols.isEmpty || hello.applicationProtocols.contains("http/1.1")
    }

    private mutating func secureServer() {
        guard let serverName else { return }
        phase = .securingServer
        commands.append(.secureServer(serverName))
        commands.append(.driver(.arm(.handshake(.server), policy.limits.handshakeTimeout)))
    }

    mutating func serverHandshakeEnded(_ record: HandshakeRecord, _ chain: JudgedChain) {
        guard phase == .securingServer else { return }
        flow.serverHandshake = record
        if record.failure?.cause == .noCommonProtocol, offerHTTP2() { return }
        if record.failure == nil {
            secured = SecuredServer(handshake: record, chain: chain)
        } else {
            secured = nil
            commands.append(.driver(.closeLink(.first)))
        }
        // From now on, the server may close without ending the tunnel.
        hasServer = chain.isAccepted && record.failure == nil
        mint(chain)
    }

    private mutating func mint(_ chain: JudgedChain) {
        guard let serverName else { return }
        phase = .minting
        if secured == nil, let handshake = flow.serverHandshake {
            secured = SecuredServer(handshake: handshake, chain: chain)
        }
        mirrored = chain.mirrored
        var leaf = chain.leafRequest(for: serverName.host)
        if mode.forwarded != nil {
            let names = namesOfListener(flow.clientHello, leaf.names)
            leaf.names = names.isEmpty ? leaf.names : names
        }
        commands.append(.driver(.mint(leaf)))
    }

    mutating func minted() {
        if phase == .securingInbound { return inboundMinted() }
        guard phase == .minting, let serverName else { return }
        phase = .securingClient
        commands.append(
            .secureClient(
                scope: mode.forwarded == nil ? "\(serverName.authority) \(serverName.host)" : scopeOfListener,
                applicationProtocol: protocolForClient,
                host: serverName.host,
                mirrored: mirrored
            )
        )
        commands.append(.driver(.arm(.handshake(.client), policy.limits.handshakeTimeout)))
    }

    /// The protocol that the client gets in ALPN: the server's protocol, if the client has offered it.
    private var protocolForClient: String {
        let offered = flow.clientHello?.applicationProtocols ?? []
        let preferred = policy.isOffline ? "h2" : "http/1.1"
        let agreed = secured?.handshake.applicationProtocol ?? preferred
        if offered.contains(agreed) { return agreed }
        if agreed == "h2" || agreed == "http/1.1" {
            return offered.contains("http/1.1") || !offered.contains("h2") ? "http/1.1" : "h2"
        }
        return agreed
    }

    /// Whether a server may have closed after its handshake because it was not offered HTTP/2.
    ///
    /// Such a server has agreed to no protocol.
    var mayWantHTTP2: Bool {
        serverName?.applicationProtocols == ["http/1.1"] && secured?.handshake.applicationProtocol == nil
            && secured?.handshake.failure == nil && secured != nil
    }

    /// Offers HTTP/2 to a server that speaks nothing else, for a client that does not speak HTTP/2.
    ///
    /// - Returns: Whether HTTP/2 is offered.
    private mutating func offerHTTP2() -> Bool {
        guard let authority, let offered = serverName?.applicationProtocols, offered == ["http/1.1"] else {
            return false
        }
        serverName?.applicationProtocols = ["h2", "http/1.1"]
        commands.append(.driver(.closeLink(.first)))
        phase = .dialing(.intercept)
        dial(DialTarget(authority: authority, serverName: nil, mayReuse: false))
        return true
    }

    mutating func mintFailed(_ reason: String) {
        guard phase == .minting || phase == .securingInbound else { return }
        abort(Outcome(.aborted, detail: "no certificate could be made: \(reason)"))
    }

    mutating func clientHandshakeEnded(_ record: HandshakeRecord) {
        if phase == .securingInbound { return inboundSecured(record) }
        guard phase == .securingClient || phase == .peeking else { return }
        flow.clientHandshake = record
        if let failure = record.failure {
            // A connection without a handshake is of no use to other clients.
            commands.append(secured == nil ? .driver(.closeLink(.first)) : .driver(.releaseLink(.first)))
            return abort(Outcome(.handshakeFailed, fault: .client, detail: failure.detail))
        }
        handshakeEnded = now
        // The bytes that the client sent before were the CONNECT.
        clientSentData = false
        let isAccepted = secured?.chain.isAccepted ?? false
        commands.append(.record(flow))
        commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
        let agreed = record.applicationProtocol ?? "http/1.1"
        if agreed == "h2" {
            converse()
        } else if agreed == "http/1.1" || agreed == "http/1.0" || !isAccepted {
            if !hasServer, isAccepted, mayWantHTTP2 { serverName?.applicationProtocols = ["h2", "http/1.1"] }
            phase = .open
            commands.append(.awaitRequest)
        } else if hasServer {
            relay()
        } else {
            abort(Outcome(.aborted, fault: .server, detail: "the server closed before the tunnel was open"))
        }
    }

    /// Reads plain HTTP inside a tunnel: there is nothing to decrypt, but there are messages to read.
    mutating func exchangePlain() {
        guard phase == .peeking else { return }
        flow.treatment = .plain
        flow.reason = "plain HTTP\(destination == nil ? " inside the tunnel" : ""): nothing to decrypt"
        // If the server did not answer, it is dialed again, so that the request gets an error page.
        if isUnserved { flow.outcome = nil }
        commands.append(.record(flow))
        hasServer = !policy.isOffline && !isUnserved && secured == nil
        if secured != nil {
            secured = nil
            opening = nil
            commands.append(.driver(.releaseLink(.first)))
        }
        phase = .open
        commands.append(.driver(.arm(.head, policy.limits.headTimeout)))
        commands.append(.awaitRequest)
    }

    /// Relays a connection whose protocol is neither TLS nor HTTP.
    mutating func relayOpaque(because reason: String = "not TLS: relayed") {
        if phase == .open {
            guard authority != nil, hasServer else { return }
            let isDecrypted = flow.treatment == .intercepted
            flow.reason =
                "\(isDecrypted ? "decrypted, and " : "")relayed: the server spoke first, so it is not HTTP"
            return relay()
        }
        guard phase == .peeking, let authority else { return }
        if policy.isOffline { return refuseRelay() }
        if isUnserved { return endUnserved() }
        if flow.treatment == .intercepted {
            flow.treatment = .opaque
            flow.reason = reason
        }
        guard secured != nil else { return relay() }
        secured = nil
        commands.append(.driver(.releaseLink(.first)))
        phase = .dialing(.relay)
        dial(DialTarget(authority: authority, serverName: nil, mayReuse: false))
    }

    /// Reads HTTP/2 without TLS inside a tunnel, as gRPC speaks it.
    mutating func conversePlain() {
        if isGreeted { return acceptHTTP2() }
        guard phase == .peeking, let authority else { return }
        guard flow.treatment == .intercepted else { return relayOpaque() }
        flow.treatment = .plain
        flow.reason = "HTTP/2 without TLS: nothing to decrypt"
        if isUnserved { flow.outcome = nil }
        commands.append(.record(flow))
        if policy.isOffline || isUnserved { return converse() }
        guard secured == nil else {
            secured = nil
            commands.append(.driver(.releaseLink(.first)))
            phase = .dialing(.converse)
            return dial(DialTarget(authority: authority, serverName: nil, mayReuse: false))
        }
        hasServer = true
        converse()
    }

    /// Hands a client of HTTP/2 over to a ``Conversation``.
    mutating func converse() {
        phase = .handedOver
        commands.append(.converse(nil))
    }

    /// Hands a client of HTTP/1 over to a ``Conversation``, with its first request.
    mutating func converse(with head: RequestHead) {
        phase = .handedOver
        commands.append(.converse(head))
    }

    /// Creates the facts for the conversation that continues from here.
    func opened(with request: RequestHead?) -> OpeningResult {
        OpeningResult(
            policy: sharedPolicy,
            flow: flow,
            clientAddress: clientAddress,
            mode: mode,
            clientSpeaksHTTP2: request == nil,
            authority: authority,
            destination: destination,
            serverName: flow.treatment == .intercepted ? serverName : nil,
            secured: secured,
            opening: opening,
            hasServer: hasServer,
            handshakeEnded: handshakeEnded,
            mirrored: mirrored,
            request: request
        )
    }

    /// Lets rules act on the bytes of a tunnel, which are relayed unread.
    private mutating func throttleRelay() {
        let found = policy.rules.concernsRequests ? policy.rules.byteActions(of: flow) : []
        guard !found.isEmpty else { return }
        let effects = found.map { "the rule “\($0.hit.rule)”: \($0.hit.effect)" }
        flow.reason = ([flow.reason].compactMap(\.self) + effects).joined(separator: "; ")
        commands.append(.throttle(found.map(\.action)))
    }

    mutating func relay() {
        phase = .relaying
        throttleRelay()
        commands.append(.record(flow))
        commands.append(.relay)
        commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
        if closedHalves.contains(.client) { commands.append(.closeHalf(toward: .server)) }
    }
}
