import PinholeCrypto
import PinholeModel
import PinholeRules
import PinholeWire

/// The way from the client's first head to a relay, or to the first request of a conversation.
extension Tunnel {
    /// Begins the time in which a request head must be complete.
    ///
    /// For the first head, that time began with the connection.
    mutating func requestBegan(into commands: inout [TunnelCommand]) {
        clientSentData = true
        guard phase == .open else { return }
        commands.append(.driver(.arm(.head, policy.limits.headTimeout)))
    }

    mutating func received(_ head: RequestHead, at now: Timestamp, into commands: inout [TunnelCommand]) {
        clientSentData = true
        if phase == .open { return converse(with: head, into: &commands) }
        guard phase == .awaitingRequest else { return }
        if case .reverse(let origin) = mode {
            return receivedInReverse(head, origin, at: now, into: &commands)
        }
        guard arrival == nil else { return refuseDirect(head, at: now, into: &commands) }
        authenticate(head, at: now, into: &commands)
    }

    /// Takes the first request of a client that may use the proxy.
    mutating func admitted(_ head: RequestHead, at now: Timestamp, into commands: inout [TunnelCommand]) {
        if case .authority(let authority) = head.target {
            if let answer = circleAnswer(to: head) {
                return refuse(answer, head, at: now, into: &commands)
            }
            let via = head.fields.contains("via") ? policy.pseudonym.via(behind: head.fields) : nil
            return connect(authority, via: via, at: now, into: &commands)
        }
        flow.treatment = .plain
        flow.reason = "plain HTTP: nothing to decrypt"
        commands.append(.record(flow))
        converse(with: head, into: &commands)
    }

    /// Returns the answer to a request that this proxy has already sent on; `nil` for any other request.
    mutating func circleAnswer(to head: RequestHead) -> Answer? {
        guard policy.pseudonym.isNamed(in: head.fields) else { return nil }
        return ErrorPage.circle(head.authority(for: scheme)).answer(accept: head.fields.first("accept"))
    }

    mutating func refuse(
        _ answer: Answer,
        _ head: RequestHead,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        flow.treatment = .local
        if case .authority(let authority) = head.target { flow.authority = authority.description }
        flow.outcome = Outcome(.refused, fault: .client, detail: answer.reason)
        commands.append(.record(flow))
        commands.append(.answer(answer))
        close(at: now, into: &commands)
    }

    mutating func connect(
        _ authority: Authority,
        via: String? = nil,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        self.authority = authority
        flow.authority = authority.description
        flow.nextHop = policy.nextHops.hop(for: authority)?.description
        guard authority.host != policy.ownHost else {
            if flow.isSOCKS { return serveOwnPage(authority, at: now, into: &commands) }
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
            return close(at: now, into: &commands)
        }
        let decision = policy.interception.decide(authority)
        if policy.isOffline { return openOffline(decision, authority, at: now, into: &commands) }
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
        dial(target, into: &commands)
    }

    /// Asks for a connection for the client's user, to the original address if the client's connection was redirected.
    func dial(_ target: DialTarget, into commands: inout [TunnelCommand]) {
        var target = target.placed(at: destination, authority)
        target.user = flow.proxyUser
        commands.append(.driver(.dial(.first, target)))
    }

    /// Tells the client that the tunnel is open, unless the connection was redirected, so that it did not ask for a
    /// tunnel.
    mutating func acceptTunnel(into commands: inout [TunnelCommand]) {
        guard destination == nil else { return }
        commands.append(.acceptConnect)
    }

    mutating func dialed(_ server: DialedServer, at now: Timestamp, into commands: inout [TunnelCommand]) {
        if case .dialing(let purpose) = phase {
            note(server)
            switch purpose {
            case .connect, .peek:
                phase = .peeking
                if purpose == .connect { acceptTunnel(into: &commands) }
                commands.append(.peek)
                commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
                if closedHalves.contains(.client) { relayOpaque(at: now, into: &commands) }
            case .intercept: intercept(into: &commands)
            case .relay: relay(into: &commands)
            case .converse:
                hasServer = true
                converse(into: &commands)
            }
        } else {
            // The client that needed the connection has gone.
            commands.append(.driver(.closeLink(.first)))
        }
    }

    /// Handles the end of a CONNECT.
    mutating func requestEnded(at now: Timestamp, into commands: inout [TunnelCommand]) {
        if policy.isOffline, phase == .dialing(.connect) { acceptOffline(at: now, into: &commands) }
    }

    mutating func dialFailed(
        _ failure: DialFailure,
        _ dials: [DialRecord],
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        flow.dials += dials
        guard case .dialing(let purpose) = phase else { return }
        let outcome = Outcome(.dialFailed, fault: .server, detail: failure.detail)
        guard purpose == .connect else {
            return dialFailed(after: purpose, outcome, at: now, into: &commands)
        }
        flow.outcome = outcome
        if destination != nil { return awaitUnserved(at: now, into: &commands) }
        if flow.isSOCKS { return refuseSOCKS(failure.reply, at: now, into: &commands) }
        commands.append(.answer(ErrorPage.unreachable(failure).answer(accept: nil)))
        close(at: now, into: &commands)
    }

    /// Records the facts of a connection.
    private mutating func note(_ server: DialedServer) {
        flow.server = server.address
        flow.dials += server.dials
        secured = server.secured
        opening = server
    }

    mutating func clientHelloBegan(into commands: inout [TunnelCommand]) {
        guard phase == .peeking else { return }
        wasHelloBegun = true
        commands.append(.driver(.arm(.handshake(.client), policy.limits.handshakeTimeout)))
    }

    mutating func received(
        _ hello: ClientHelloRecord,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        if isGreeted { return secureInbound(hello, at: now, into: &commands) }
        guard phase == .peeking else { return }
        flow.clientHello = hello
        if isUnserved, destination != nil { return endUnserved(at: now, into: &commands) }
        // A forwarded port belongs to its server, whatever name clients use.
        let asked = mode.forwarded == nil ? hello.serverName.flatMap { try? Host($0) } : nil
        if let asked { take(name: asked) }
        guard let authority else { return }
        // The deadline of the ClientHello ends here; the next steps have deadlines of their own, or only this one.
        if wasHelloBegun { commands.append(.driver(.arm(.idle, policy.limits.idleTimeout))) }
        guard flow.treatment == .intercepted else { return relayOpaque(at: now, into: &commands) }
        let host = asked?.name == nil ? authority.host : asked ?? authority.host
        serverName = ServerName(
            authority: authority,
            host: host,
            applicationProtocols: Self.protocols(offeredTo: hello)
        )
        if isUnserved { return secureUnserved(into: &commands) }
        // A pooled connection for another name is given back; the pool may have one for this name.
        let isOtherName = secured.map { $0.host(at: authority) != host } ?? false
        guard isOtherName else { return intercept(into: &commands) }
        dialAgain(DialTarget(authority: authority, serverName: serverName, mayReuse: true), into: &commands)
    }

    /// Continues with the current connection: a pooled one is ready, a new one needs a handshake.
    private mutating func intercept(into commands: inout [TunnelCommand]) {
        if policy.isOffline, let host = serverName?.host { return mintOffline(host, into: &commands) }
        guard let authority, let secured else { return secureServer(into: &commands) }
        guard isFit(secured, at: authority) else {
            return dialAgain(
                DialTarget(authority: authority, serverName: nil, mayReuse: false),
                into: &commands
            )
        }
        flow.serverHandshake = secured.handshake
        hasServer = true
        mint(secured.chain, into: &commands)
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
    private mutating func dialAgain(_ target: DialTarget, into commands: inout [TunnelCommand]) {
        secured = nil
        commands.append(.driver(.releaseLink(.first)))
        phase = .dialing(.intercept)
        dial(target, into: &commands)
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

    private mutating func secureServer(into commands: inout [TunnelCommand]) {
        guard let serverName else { return }
        phase = .securingServer
        commands.append(.secureServer(serverName))
        commands.append(.driver(.arm(.handshake(.server), policy.limits.handshakeTimeout)))
    }

    mutating func serverHandshakeEnded(
        _ record: HandshakeRecord,
        _ chain: JudgedChain,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        guard phase == .securingServer else { return }
        flow.serverHandshake = record
        if record.failure?.cause == .noCommonProtocol, offerHTTP2(into: &commands) { return }
        if record.failure == nil {
            secured = SecuredServer(handshake: record, chain: chain)
        } else {
            secured = nil
            commands.append(.driver(.closeLink(.first)))
        }
        // From now on, the server may close without ending the tunnel.
        hasServer = chain.isAccepted && record.failure == nil
        mint(chain, into: &commands)
    }

    private mutating func mint(_ chain: JudgedChain, into commands: inout [TunnelCommand]) {
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

    mutating func minted(into commands: inout [TunnelCommand]) {
        if phase == .securingInbound { return inboundMinted(into: &commands) }
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
    private mutating func offerHTTP2(into commands: inout [TunnelCommand]) -> Bool {
        guard let authority, let offered = serverName?.applicationProtocols, offered == ["http/1.1"] else {
            return false
        }
        serverName?.applicationProtocols = ["h2", "http/1.1"]
        commands.append(.driver(.closeLink(.first)))
        phase = .dialing(.intercept)
        dial(DialTarget(authority: authority, serverName: nil, mayReuse: false), into: &commands)
        return true
    }

    mutating func mintFailed(_ reason: String, at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard phase == .minting || phase == .securingInbound else { return }
        abort(Outcome(.aborted, detail: "no certificate could be made: \(reason)"), at: now, into: &commands)
    }

    mutating func clientHandshakeEnded(
        _ record: HandshakeRecord,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        if phase == .securingInbound { return inboundSecured(record, at: now, into: &commands) }
        guard phase == .securingClient || phase == .peeking else { return }
        flow.clientHandshake = record
        if let failure = record.failure {
            // A connection without a handshake is of no use to other clients.
            commands.append(secured == nil ? .driver(.closeLink(.first)) : .driver(.releaseLink(.first)))
            return abort(
                Outcome(.handshakeFailed, fault: .client, detail: failure.detail),
                at: now,
                into: &commands
            )
        }
        handshakeEnded = now
        // The bytes that the client sent before were the CONNECT.
        clientSentData = false
        let isAccepted = secured?.chain.isAccepted ?? false
        commands.append(.record(flow))
        commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
        let agreed = record.applicationProtocol ?? "http/1.1"
        if agreed == "h2" {
            converse(into: &commands)
        } else if agreed == "http/1.1" || agreed == "http/1.0" || !isAccepted {
            if !hasServer, isAccepted, mayWantHTTP2 { serverName?.applicationProtocols = ["h2", "http/1.1"] }
            phase = .open
            commands.append(.awaitRequest)
        } else if hasServer {
            relay(into: &commands)
        } else {
            abort(
                Outcome(.aborted, fault: .server, detail: "the server closed before the tunnel was open"),
                at: now,
                into: &commands
            )
        }
    }

    /// Reads plain HTTP inside a tunnel: there is nothing to decrypt, but there are messages to read.
    mutating func exchangePlain(at now: Timestamp, into commands: inout [TunnelCommand]) {
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
    mutating func relayOpaque(at now: Timestamp, into commands: inout [TunnelCommand]) {
        if phase == .open {
            guard authority != nil, hasServer else { return }
            let isDecrypted = flow.treatment == .intercepted
            flow.reason =
                "\(isDecrypted ? "decrypted, and " : "")relayed: the server spoke first, so it is no HTTP"
            return relay(into: &commands)
        }
        guard phase == .peeking, let authority else { return }
        if policy.isOffline { return refuseRelay(at: now, into: &commands) }
        if isUnserved { return endUnserved(at: now, into: &commands) }
        if flow.treatment == .intercepted {
            flow.treatment = .opaque
            flow.reason = "not TLS: relayed"
        }
        guard secured != nil else { return relay(into: &commands) }
        secured = nil
        commands.append(.driver(.releaseLink(.first)))
        phase = .dialing(.relay)
        dial(DialTarget(authority: authority, serverName: nil, mayReuse: false), into: &commands)
    }

    /// Reads HTTP/2 without TLS inside a tunnel, as gRPC speaks it.
    mutating func conversePlain(at now: Timestamp, into commands: inout [TunnelCommand]) {
        if isGreeted { return acceptHTTP2(at: now, into: &commands) }
        guard phase == .peeking, let authority else { return }
        guard flow.treatment == .intercepted else { return relayOpaque(at: now, into: &commands) }
        flow.treatment = .plain
        flow.reason = "HTTP/2 without TLS: nothing to decrypt"
        if isUnserved { flow.outcome = nil }
        commands.append(.record(flow))
        if policy.isOffline || isUnserved { return converse(into: &commands) }
        guard secured == nil else {
            secured = nil
            commands.append(.driver(.releaseLink(.first)))
            phase = .dialing(.converse)
            return dial(
                DialTarget(authority: authority, serverName: nil, mayReuse: false),
                into: &commands
            )
        }
        hasServer = true
        converse(into: &commands)
    }

    /// Hands a client of HTTP/2 over to a ``Conversation``.
    mutating func converse(into commands: inout [TunnelCommand]) {
        phase = .handedOver
        commands.append(.converse(nil))
    }

    /// Hands a client of HTTP/1 over to a ``Conversation``, with its first request.
    mutating func converse(with head: RequestHead, into commands: inout [TunnelCommand]) {
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

    /// Lets rules limit the speed of a tunnel whose bytes are relayed unread.
    private mutating func throttleRelay(into commands: inout [TunnelCommand]) {
        guard policy.rules.concernsRequests, let found = policy.rules.throttling(of: flow) else { return }
        flow.reason =
            (flow.reason.map { $0 + "; " } ?? "") + "the rule “\(found.hit.rule)”: \(found.hit.effect)"
        commands.append(.throttle(found.throttling))
    }

    mutating func relay(into commands: inout [TunnelCommand]) {
        phase = .relaying
        throttleRelay(into: &commands)
        commands.append(.record(flow))
        commands.append(.relay)
        commands.append(.driver(.arm(.idle, policy.limits.idleTimeout)))
        if closedHalves.contains(.client) { commands.append(.closeHalf(toward: .server)) }
    }
}
