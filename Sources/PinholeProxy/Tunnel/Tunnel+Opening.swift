import PinholeCrypto
import PinholeModel
import PinholeWire

/// From the first head to the first exchange.
extension Tunnel {
    /// A head that has begun has to come to its end: the first one is awaited since the start.
    mutating func requestBegan(into commands: inout [TunnelCommand]) {
        clientSentData = true
        guard phase == .exchanging, exchange == nil else { return }
        commands.append(.arm(.head, policy.limits.headTimeout))
    }

    mutating func received(_ head: RequestHead, at now: Timestamp, into commands: inout [TunnelCommand]) {
        clientSentData = true
        guard phase == .awaitingRequest || phase == .exchanging else { return }
        if phase == .awaitingRequest, case .reverse(let origin) = mode {
            return receivedInReverse(head, origin, at: now, into: &commands)
        }
        if phase == .awaitingRequest, arrival != nil {
            return refuseDirect(head, at: now, into: &commands)
        }
        if phase == .awaitingRequest || bringsLogin(head) {
            authenticate(head, at: now, into: &commands)
        } else {
            beginExchange(head, at: now, into: &commands)
        }
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
        phase = .exchanging
        flow.treatment = .plain
        flow.reason = "plain HTTP: nothing to decrypt"
        commands.append(.record(flow))
        beginExchange(head, at: now, into: &commands)
    }

    /// What a request is answered that this proxy has sent on before; `nil` for every other.
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
        commands.append(.answer(answer, closing: true))
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
            commands.append(.answer(page.answer(accept: nil), closing: true))
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
        commands.append(.arm(.idle, policy.limits.idleTimeout))
        var target = DialTarget(
            authority: authority,
            serverName: isIntercepted ? name : nil,
            mayReuse: isIntercepted,
            isNameGuessed: isIntercepted
        )
        target.via = via
        commands.append(.dial(target))
    }

    /// Tells the client that the tunnel stands; one that was redirected never asked for one.
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
                commands.append(.arm(.idle, policy.limits.idleTimeout))
                if closedHalves.contains(.client) { relayOpaque(at: now, into: &commands) }
            case .intercept: intercept(into: &commands)
            case .relay: relay(into: &commands)
            case .multiplex:
                guard let authority else { return }
                link = .ready(
                    DialTarget(authority: authority, serverName: nil, mayReuse: false),
                    isReused: false
                )
                multiplex(clientSpeaksHTTP2: true, into: &commands)
            }
        } else if link == .dialing {
            let isElsewhere = exchange?.isElsewhere ?? false
            note(server)
            if let secured, !isElsewhere { flow.serverHandshake = secured.handshake }
            commands.append(
                .noteTimings(resolve: server.resolve, connect: server.connect, tls: nil)
            )
            linked(server, at: now, into: &commands)
        } else {
            // It was asked for by somebody who is gone.
            commands.append(.closeServer)
        }
    }

    /// Enters the facts of a connection into the flow.
    private mutating func note(_ server: DialedServer) {
        flow.server = server.address
        flow.dials += server.dials
        secured = server.secured
        opening = server
    }

    mutating func clientHelloBegan(into commands: inout [TunnelCommand]) {
        guard phase == .peeking else { return }
        wasHelloBegun = true
        commands.append(.arm(.handshake(.client), policy.limits.handshakeTimeout))
    }

    mutating func received(
        _ hello: ClientHelloRecord,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        if isGreeted { return secureInbound(hello, at: now, into: &commands) }
        guard phase == .peeking else { return }
        flow.clientHello = hello
        if isUnserved { return endUnserved(at: now, into: &commands) }
        // A forwarded port is its server's, whatever clients call it.
        let asked = mode.forwarded == nil ? hello.serverName.flatMap { try? Host($0) } : nil
        if let asked { take(name: asked) }
        guard let authority else { return }
        // What comes next has deadlines of its own, or none but this.
        if wasHelloBegun { commands.append(.arm(.idle, policy.limits.idleTimeout)) }
        guard flow.treatment == .intercepted else { return relayOpaque(at: now, into: &commands) }
        let host = asked?.name == nil ? authority.host : asked ?? authority.host
        serverName = ServerName(
            authority: authority,
            host: host,
            applicationProtocols: Self.protocols(offeredTo: hello)
        )
        // One that was lent under another name is given back; there may be one for this name.
        let isOtherName = secured.map { $0.host(at: authority) != host } ?? false
        guard isOtherName else { return intercept(into: &commands) }
        dialAgain(DialTarget(authority: authority, serverName: serverName, mayReuse: true), into: &commands)
    }

    /// Goes on with the connection at hand: as it is where it came from the pool, else by a handshake.
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
        noteLink(isReused: true)
        mint(secured.chain, into: &commands)
    }

    /// Whether a pooled connection is what the client would have got by a handshake of its own.
    private func isFit(_ secured: SecuredServer, at authority: Authority) -> Bool {
        guard let hello = flow.clientHello, secured.host(at: authority) == serverName?.host else {
            return false
        }
        // One that agreed to HTTP/1.1 would maybe have taken HTTP/2, had it been asked.
        return speaksHTTP1(hello)
            && (!hello.applicationProtocols.contains("h2") || secured.offered.contains("h2"))
    }

    /// Gives the pooled connection back, and has another one.
    private mutating func dialAgain(_ target: DialTarget, into commands: inout [TunnelCommand]) {
        secured = nil
        commands.append(.releaseServer)
        phase = .dialing(.intercept)
        commands.append(.dial(target))
    }

    /// What the server is offered: what the client offered, so that both agree to the same where they can.
    private static func protocols(offeredTo hello: ClientHelloRecord) -> [String] {
        let offered = hello.applicationProtocols
        // A client that offers nothing speaks HTTP/1.1; for one that speaks HTTP/2 alone it is translated.
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
        commands.append(.arm(.handshake(.server), policy.limits.handshakeTimeout))
    }

    mutating func serverHandshakeEnded(
        _ record: HandshakeRecord,
        _ chain: JudgedChain,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        // That of a server that a rule names is not the flow's.
        if exchange?.isElsewhere != true { flow.serverHandshake = record }
        if record.failure?.cause == .noCommonProtocol, phase == .securingServer, offerHTTP2(into: &commands) {
            return
        }
        if record.failure == nil {
            secured = SecuredServer(handshake: record, chain: chain)
        } else {
            secured = nil
            link = .none
            commands.append(.closeServer)
        }
        if phase == .securingServer {
            if chain.isAccepted, record.failure == nil { noteLink(isReused: false) }
            mint(chain, into: &commands)
        } else if exchange != nil {
            commands.append(.noteTimings(resolve: nil, connect: nil, tls: record.duration))
            secured = SecuredServer(handshake: record, chain: chain)
            if record.failure != nil, asksOriginForHTTP2(into: &commands) { return }
            forward(isReused: false, at: now, into: &commands)
        }
    }

    /// From now on the server may close; what happens to the connection is noted in `link`.
    private mutating func noteLink(isReused: Bool) {
        guard let name = serverName else { return }
        link = .ready(
            DialTarget(authority: name.authority, serverName: name, mayReuse: true),
            isReused: isReused
        )
    }

    private mutating func mint(_ chain: JudgedChain, into commands: inout [TunnelCommand]) {
        guard let serverName else { return }
        phase = .minting
        if secured == nil, let handshake = flow.serverHandshake {
            secured = SecuredServer(handshake: handshake, chain: chain)
        }
        mirrored = givenIdentity == nil ? chain.mirrored : nil
        var leaf = chain.leafRequest(for: serverName.host)
        if mode.forwarded != nil {
            let names = namesOfListener(flow.clientHello, leaf.names)
            leaf.names = names.isEmpty ? leaf.names : names
        }
        commands.append(.mint(leaf))
    }

    mutating func minted(into commands: inout [TunnelCommand]) {
        if phase == .securingInbound { return inboundMinted(into: &commands) }
        guard phase == .minting, let serverName else { return }
        phase = .securingClient
        commands.append(
            .secureClient(
                scope: mode.forwarded == nil ? "\(serverName.authority) \(serverName.host)" : scopeOfListener,
                applicationProtocol: protocolForClient
            )
        )
        commands.append(.arm(.handshake(.client), policy.limits.handshakeTimeout))
    }

    /// What the client is answered in ALPN: what the server speaks, where the client offered it.
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

    /// Whether a server that went away after its handshake may have done so because it was not offered
    /// HTTP/2: it agreed to nothing.
    var mayWantHTTP2: Bool {
        serverName?.applicationProtocols == ["http/1.1"] && secured?.handshake.applicationProtocol == nil
            && secured?.handshake.failure == nil && secured != nil
    }

    /// Asks the server for HTTP/2 on a new connection, for a client that does not speak it.
    ///
    /// - Parameters:
    ///   - request: The request at hand.
    ///   - commands: Receives what to do.
    mutating func askForHTTP2(again request: HandedRequest?, into commands: inout [TunnelCommand]) {
        serverName?.applicationProtocols = ["h2", "http/1.1"]
        secured = nil
        link = .none
        commands.append(.closeServer)
        if request != nil {
            flow.exchanges -= 1
            exchange = nil
        }
        phase = .handedOver
        commands.append(.multiplex(clientSpeaksHTTP2: false, request: request))
    }

    /// Asks a server for HTTP/2 that speaks nothing else, for a client that does not.
    ///
    /// - Returns: Whether it is asked.
    private mutating func offerHTTP2(into commands: inout [TunnelCommand]) -> Bool {
        guard let authority, let offered = serverName?.applicationProtocols, offered == ["http/1.1"] else {
            return false
        }
        serverName?.applicationProtocols = ["h2", "http/1.1"]
        commands.append(.closeServer)
        phase = .dialing(.intercept)
        commands.append(.dial(DialTarget(authority: authority, serverName: nil, mayReuse: false)))
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
            // A connection that has not shaken hands yet is of no use to others.
            commands.append(secured == nil ? .closeServer : .releaseServer)
            return abort(
                Outcome(.handshakeFailed, fault: .client, detail: failure.detail),
                at: now,
                into: &commands
            )
        }
        handshakeEnded = now
        // What it said before was the CONNECT.
        clientSentData = false
        let isAccepted = secured?.chain.isAccepted ?? false
        commands.append(.record(flow))
        commands.append(.arm(.idle, policy.limits.idleTimeout))
        let agreed = record.applicationProtocol ?? "http/1.1"
        let serverAgreed = isAccepted ? secured?.handshake.applicationProtocol : nil
        if agreed == "h2" || (serverAgreed == "h2" && agreed == "http/1.1") {
            multiplex(clientSpeaksHTTP2: agreed == "h2", into: &commands)
        } else if link == .none, agreed == "http/1.1", isAccepted, mayWantHTTP2 {
            askForHTTP2(again: nil, into: &commands)
        } else if agreed == "http/1.1" || agreed == "http/1.0" || !isAccepted {
            phase = .exchanging
            commands.append(.awaitRequest)
        } else if case .ready = link {
            relay(into: &commands)
        } else {
            abort(
                Outcome(.aborted, fault: .server, detail: "the server closed before the tunnel was open"),
                at: now,
                into: &commands
            )
        }
    }

    /// Plain HTTP inside a tunnel: nothing to decrypt, but messages to read.
    mutating func exchangePlain(at now: Timestamp, into commands: inout [TunnelCommand]) {
        guard phase == .peeking, let authority else { return }
        flow.treatment = .plain
        flow.reason = "plain HTTP\(destination == nil ? " inside the tunnel" : ""): nothing to decrypt"
        // Where the server did not answer it is asked anew, so that the request gets the page that says so.
        if isUnserved { flow.outcome = nil }
        commands.append(.record(flow))
        if policy.isOffline || isUnserved {
            link = .none
        } else if secured == nil {
            link = .ready(DialTarget(authority: authority, serverName: nil, mayReuse: true), isReused: false)
        } else {
            secured = nil
            opening = nil
            commands.append(.releaseServer)
        }
        phase = .exchanging
        commands.append(.arm(.head, policy.limits.headTimeout))
        commands.append(.awaitRequest)
    }

    /// Relays what is no TLS or no HTTP.
    mutating func relayOpaque(at now: Timestamp, into commands: inout [TunnelCommand]) {
        if phase == .exchanging {
            guard exchange == nil, authority != nil, case .ready = link else { return }
            let isDecrypted = flow.treatment == .intercepted
            flow.reason =
                "\(isDecrypted ? "decrypted, and " : "")relayed unread: the server spoke first, so it is no HTTP"
            return relay(into: &commands)
        }
        guard phase == .peeking, let authority else { return }
        if policy.isOffline { return refuseRelay(at: now, into: &commands) }
        if isUnserved { return endUnserved(at: now, into: &commands) }
        if flow.treatment == .intercepted {
            flow.treatment = .opaque
            flow.reason = "not TLS: relayed unread"
        }
        guard secured != nil else { return relay(into: &commands) }
        secured = nil
        commands.append(.releaseServer)
        phase = .dialing(.relay)
        commands.append(.dial(DialTarget(authority: authority, serverName: nil, mayReuse: false)))
    }

    /// HTTP/2 without TLS inside CONNECT, as gRPC speaks it: nothing to decrypt, but messages to read.
    mutating func multiplexPlain(at now: Timestamp, into commands: inout [TunnelCommand]) {
        if isGreeted { return acceptHTTP2(at: now, into: &commands) }
        guard phase == .peeking, let authority else { return }
        guard flow.treatment == .intercepted else { return relayOpaque(at: now, into: &commands) }
        flow.treatment = .plain
        flow.reason = "HTTP/2 without TLS: nothing to decrypt"
        if isUnserved { flow.outcome = nil }
        commands.append(.record(flow))
        if policy.isOffline || isUnserved { return multiplex(clientSpeaksHTTP2: true, into: &commands) }
        guard secured == nil else {
            secured = nil
            commands.append(.releaseServer)
            phase = .dialing(.multiplex)
            return commands.append(
                .dial(DialTarget(authority: authority, serverName: nil, mayReuse: false))
            )
        }
        link = .ready(DialTarget(authority: authority, serverName: nil, mayReuse: false), isReused: false)
        multiplex(clientSpeaksHTTP2: true, into: &commands)
    }

    /// Lets a ``Multiplexer`` go on.
    mutating func multiplex(clientSpeaksHTTP2: Bool, into commands: inout [TunnelCommand]) {
        phase = .handedOver
        commands.append(.multiplex(clientSpeaksHTTP2: clientSpeaksHTTP2, request: nil))
    }

    mutating func relay(into commands: inout [TunnelCommand]) {
        phase = .relaying
        throttleRelay(into: &commands)
        commands.append(.record(flow))
        commands.append(.relay)
        commands.append(.arm(.idle, policy.limits.idleTimeout))
        if closedHalves.contains(.client) { commands.append(.closeHalf(toward: .server)) }
    }
}
