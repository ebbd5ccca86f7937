import PinholeCrypto
import PinholeModel
import PinholeWire

/// Carries out the commands of the machine.
extension TunnelStack {
    mutating func execute(_ command: consuming TunnelCommand, at now: Timestamp) {
        switch command {
        case .secureServer(let name): secureServer(name, at: now)
        case .present(let name): identity = policy.value.given.identity(for: name)
        case .secureClient(let scope, let name, let host, let mirrored):
            shown = (host, mirrored)
            secureClient(scope, applicationProtocol: name, at: now)
        case .carryInside:
            client.carryInside(reading: .requests, limits: limits)
            clientMode = .messages
        case .answerSOCKS(let answer): answerSOCKS(answer)
        case .acceptConnect: acceptConnect()
        case .peek:
            clientMode = .peeking
            serverMode = .peeking
        case .relay:
            clientMode = .relayed
            serverMode = .relayed
        case .converse(let request): handOver(makeSeed(request))
        case .throttle(let actions): beginThrottle(actions, at: now)
        case .answer(let answer): send(answer)
        case .awaitRequest:
            isRequestRead = false
            clientMode = .messages
        case .closeClient(let isAnnounced): closeClient(isAnnounced: isAnnounced)
        case .closeHalf(let side):
            if side == .client { client.sendCloseNotify() } else { server?.peer.value.sendCloseNotify() }
            driverCommands.append(side == .client ? .closeClient : .closeLinkHalf(.first))
        case .record(let record):
            note(record)
            records.append(.flow(flow))
        case .driver(let command): pass(command)
        }
    }

    /// Does the stack's part of a command for the driver, and passes the command on.
    private mutating func pass(_ command: consuming DriverCommand) {
        switch command {
        case .dial(let link, let target):
            let way = nextHops.way(to: target, from: policy.value.pseudonym)
            return driverCommands.append(.dial(link, way))
        case .releaseLink: return releaseServer()
        case .closeLink: return closeServer()
        case .authenticate:
            // Until the login is verified, further bytes of the client wait, and so does its end.
            awaitsLogin = clientMode == .messages
            if awaitsLogin { clientMode = .held }
        case .abort:
            clientMode = .ignored
            if serverMode != .released { serverMode = .ignored }
        case .mint, .consult, .withdraw, .read, .closeLinkHalf, .resetLink, .closeClient, .resetClient,
            .acceptStream, .refuseStream, .openTunnel, .stirTunnel, .arm, .armHandshake, .disarmHandshake:
            break
        }
        driverCommands.append(command)
    }

    private mutating func handOver(_ seed: OpeningResult) {
        clientMode = .released
        // The end of the server may come before the conversation begins, which has to be told of it.
        if serverMode != .ignored { serverMode = .released }
        self.seed = Boxed(seed)
    }

    private mutating func acceptConnect() {
        guard socks == nil else { return answerSOCKS(.reply(.succeeded)) }
        guard isStreamUnanswered else {
            return client.send(Array("HTTP/1.1 200 Connection Established\r\n\r\n".utf8))
        }
        isStreamUnanswered = false
        driverCommands.append(.acceptStream)
    }

    private mutating func closeClient(isAnnounced: Bool) {
        if isAnnounced { client.sendCloseNotify() }
        clientMode = .ignored
        isClosing = true
        driverCommands.append(.closeClient)
    }

    private mutating func releaseServer() {
        // The pool keeps only connections of HTTP/1.
        guard server != nil, securedServer?.handshake.applicationProtocol != "h2" else {
            return closeServer()
        }
        rememberSession()
        serverMode = .released
        driverCommands.append(.releaseLink(.first))
    }

    private mutating func closeServer() {
        guard server != nil, serverMode != .released else { return }
        rememberSession()
        server?.peer.value.sendCloseNotify()
        serverMode = .ignored
        driverCommands.append(.closeLink(.first))
    }

    private mutating func send(_ answer: Answer) {
        guard !isStreamUnanswered else {
            isStreamUnanswered = false
            return driverCommands.append(.refuseStream(answer))
        }
        client.send(answer, body: answer.body, closing: true)
    }

    // MARK: Handshakes

    private mutating func secureServer(_ name: ServerName, at now: Timestamp) {
        serverName = name
        let (engine, handshake) = ServerHandshake.begin(
            name,
            environment,
            serverPolicy,
            client: hello,
            at: now
        )
        serverHandshake = handshake
        switch engine {
        case .success(let engine):
            server?.peer.value.tls = engine
            serverMode = .handshaking
        case .failure(let failure):
            serverHandshakeFailed(TLSFailure(.system, detail: failure.description), at: now)
        }
    }

    private mutating func secureClient(_ scope: String, applicationProtocol: String?, at now: Timestamp) {
        guard let identity else { return }
        handshakeStarted = now
        if let hello { clientKey = "\(clientAddress) \(hello.fingerprint)" }
        do throws(CryptoFailure) {
            client.tls = try TLSEngine(
                accepting: environment.accepting,
                presenting: identity,
                scope: scope,
                applicationProtocol: applicationProtocol
            )
            clientMode = .handshaking
        } catch {
            clientHandshakeFailed(TLSFailure(.system, detail: error.description), at: now)
        }
    }

    /// The number of bytes from all servers of this tunnel, without those that a pooled connection brought to earlier
    /// clients.
    var bytesFromServer: Int64 { earlierServerBytes + (server?.bytesReceived ?? 0) }

    private mutating func rememberSession() {
        guard let serverName, let securedServer, let session = server?.peer.value.tls?.takeSession() else {
            return
        }
        environment.remember(session, of: serverName, securedServer)
    }
}
