import PinholeCrypto
package import PinholeModel
import PinholeWire

/// Does what the machine asks for.
extension TunnelStack {
    mutating func execute(_ command: consuming TunnelCommand, at now: Timestamp) {
        switch command {
        case .dial(let target): dial(target)
        case .authenticate(let check): authenticate(check)
        case .secureServer(let name): secureServer(name, at: now)
        case .mint(let request): mint(request, at: now)
        case .secureClient(let scope, let name): secureClient(scope, applicationProtocol: name, at: now)
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
            beginRelay(at: now)
        case .multiplex(let isHTTP2, let request): handOver(makeSeed(clientSpeaksHTTP2: isHTTP2, request))
        case .expectHTTP2(let server): environment.expectHTTP2(of: server)
        case .beginExchange(let head, let scheme, let authority, let path):
            beginExchange(head, scheme, authority, path, at: now)
        case .note(let note): recorder.note(note)
        case .noteRules(let hits): recorder.note(hits)
        case .consult, .withdraw, .holdRequest, .releaseRequest, .holdResponse, .throttle, .editMessages:
            rule(command, at: now)
        case .noteTimings(let resolve, let connect, let tls):
            recorder.noteTimings(resolve: resolve, connect: connect, tls: tls, at: now)
        case .forwardRequest(let head, let target): forward(head, target: target, at: now)
        case .discardRequest: requestFlow = .discarded
        case .forwardResponse(let head, let closing): forward(head, closing: closing, at: now)
        case .answer(let answer, let closing): send(answer, closing: closing, at: now)
        case .endExchange(let outcome):
            answersHead = false
            outgoing = nil
            endThrottle()
            endHolding(at: now)
            let settled = recorder.end(outcome, at: now, of: tunnel.flow, into: &records)
            quietEnd.note(settled, at: now)
        case .awaitRequest:
            clientMode = .messages
            if requestFlow != .discarded { requestFlow = .head }
        case .releaseServer: releaseServer()
        case .closeServer: closeServer()
        case .closeClient(let isAnnounced): closeClient(isAnnounced: isAnnounced)
        case .closeHalf(let side):
            if side == .client { client.sayGoodbye() } else { server?.value.sayGoodbye() }
            actions.append(.closeHalf(side))
        case .resetClient: actions.append(.resetClient)
        case .resetServer: actions.append(.resetServer)
        case .abort:
            clientMode = .ignored
            if serverMode != .released { serverMode = .ignored }
            actions.append(.abort)
        case .arm(let deadline, let duration): actions.append(.arm(deadline, duration))
        case .record(var flow):
            flow.bytesFromClient = client.bytesReceived
            flow.bytesFromServer = bytesFromServer
            quietEnd.settle(&flow, at: now)
            records.append(.flow(flow))
        }
    }

    private mutating func dial(_ target: DialTarget) {
        var placed = target.placed(at: tunnel.destination, tunnel.authority)
        placed.user = tunnel.flow.proxyUser
        actions.append(.dial(nextHops.way(to: placed, from: tunnel.policy.pseudonym)))
    }

    /// What the client sends beside its login waits, and its end does, too.
    private mutating func authenticate(_ check: LoginCheck) {
        if clientMode == .messages { clientMode = .held }
        actions.append(.authenticate(check))
    }

    private mutating func mint(_ request: LeafRequest, at now: Timestamp) {
        guard let given = tunnel.givenIdentity else { return actions.append(.mint(request)) }
        identity = given
        handle(.minted, at: now)
    }

    private mutating func handOver(_ seed: MultiplexSeed) {
        clientMode = .held
        if serverMode != .ignored { serverMode = .held }
        self.seed = Boxed(seed)
        actions.append(.multiplex)
    }

    private mutating func acceptConnect() {
        guard socks == nil else { return answerSOCKS(.reply(.succeeded)) }
        guard isStreamUnanswered else {
            return client.send(Array("HTTP/1.1 200 Connection Established\r\n\r\n".utf8))
        }
        isStreamUnanswered = false
        actions.append(.acceptStream)
    }

    private mutating func closeClient(isAnnounced: Bool) {
        if isAnnounced { client.sayGoodbye() }
        clientMode = .ignored
        actions.append(.closeClient)
    }

    private mutating func releaseServer() {
        // The pool keeps connections of HTTP/1 alone.
        guard server != nil, securedServer?.handshake.applicationProtocol != "h2" else {
            return closeServer()
        }
        rememberSession()
        serverMode = .released
        actions.append(.releaseServer)
    }

    private mutating func closeServer() {
        guard server != nil, serverMode != .released else { return }
        rememberSession()
        server?.value.sayGoodbye()
        serverMode = .ignored
        actions.append(.closeServer)
    }

    private mutating func beginExchange(
        _ head: RequestHead,
        _ scheme: Scheme,
        _ authority: Authority,
        _ path: String,
        at now: Timestamp
    ) {
        requestFlow = .held
        answersHead = head.method == "HEAD"
        noteAcceptance(at: now)
        recorder.begin(
            ExchangeRecord(
                id: ExchangeID(rawValue: sink.nextID()),
                flow: tunnel.flow.id,
                scheme: scheme,
                authority: authority,
                proxyUser: tunnel.flow.proxyUser,
                method: head.method,
                path: path,
                request: MessageRecord(head: head.recorded),
                timings: ExchangeTimings(started: now)
            ),
            isStream: head.framing == .chunked && StreamFormat(head.fields) != nil,
            of: tunnel.flow,
            into: &records
        )
        if head.framing == .none { recorder.noteEnd(of: .request, at: now) }
    }

    private mutating func noteAcceptance(at now: Timestamp) {
        guard !wasAcceptanceNoted, tunnel.handshakeEnded != nil, let host = tunnel.serverName?.host else {
            return
        }
        wasAcceptanceNoted = true
        environment.noteAcceptance(by: clientKey, of: host)
        sink.noteRequest(of: tunnel.flow, at: now)
    }

    private mutating func forward(_ head: RequestHead, target: String?, at now: Timestamp) {
        guard server != nil else { return }
        server?.value.reader.expectResponse(toMethod: head.method)
        let authorization = nextHops.isEmpty ? nil : tunnel.forwardingHop?.authorization
        do throws(HTTP1Failure) {
            try server?.value.send { (output: inout ByteQueue) throws(HTTP1Failure) in
                try HTTP1Writer.write(
                    request: head,
                    target: target,
                    proxyAuthorization: authorization,
                    into: &output
                )
            }
            serverMode = .messages
            // One that is sent again was read before; what follows it is the next one.
            requestFlow = tunnel.exchange?.requestIsComplete == true ? .sent : .forwarded
            passHeldRequest(head, at: now)
        } catch {
            handle(.requestFailed(error), at: now)
        }
    }

    private mutating func forward(_ head: ResponseHead, closing: Bool, at now: Timestamp) {
        note(head, at: now)
        let client10 = tunnel.exchange?.request.version == .http10
        // RFC 9110 §15.2: HTTP/1.0 knows no interim responses.
        if client10, head.isInformational { return }
        dechunksResponse = client10 && head.framing == .chunked
        do throws(HTTP1Failure) {
            try client.send { (output: inout ByteQueue) throws(HTTP1Failure) in
                try HTTP1Writer.write(
                    response: dechunksResponse ? head.withoutChunks() : head,
                    closing: closing,
                    keepAliveForHTTP10: client10 && !closing,
                    into: &output
                )
            }
            if !head.isInformational { passHeldResponse(head, at: now) }
        } catch {
            handle(.responseFailed(error), at: now)
        }
    }

    private mutating func note(_ head: ResponseHead, at now: Timestamp) {
        guard let held = heldResponse, !head.isInformational else {
            return recorder.noteResponse(head, at: now, into: &records)
        }
        if held.isReplaced {
            recorder.noteHeldResponse(head.rebuilt, status: head.status, at: held.began)
        } else {
            recorder.noteResponse(head, at: held.began, into: &records)
        }
    }

    private mutating func send(_ answer: Answer, closing: Bool, at now: Timestamp) {
        heldResponse = nil
        guard !isStreamUnanswered else {
            isStreamUnanswered = false
            return actions.append(.refuseStream(answer))
        }
        let head = answer.head(closing: closing)
        if let content = answer.content { return begin(content, head, status: answer.status, at: now) }
        let body = answersHead ? [] : answer.body
        recorder.noteAnswer(head, body, status: answer.status, at: now)
        client.send(head)
        client.send(body)
    }

    /// Begins an answer whose content is read as it is sent.
    private mutating func begin(_ content: AnswerContent, _ head: [UInt8], status: Int, at now: Timestamp) {
        let isEmpty = answersHead || content.length == 0
        recorder.noteAnswer(head, isEmpty ? [] : nil, status: status, at: now)
        client.send(head)
        if isEmpty { return handle(.answerSent, at: now) }
        outgoing = OutgoingContent(content)
    }

    /// Requests the next piece of an answer if the client has room.
    mutating func askForContent() {
        guard client.pendingOutput < limits.outputHighWater, let content = outgoing?.content,
            let range = outgoing?.next()
        else { return }
        actions.append(.read(content, range))
    }

    /// A piece of an answer was read.
    ///
    /// - Parameters:
    ///   - content: The content of the piece; a piece of content that is no longer sent is ignored.
    ///   - bytes: The piece; `nil` if it is gone.
    ///   - now: The time.
    package mutating func contentRead(_ content: AnswerContent, _ bytes: [UInt8]?, at now: Timestamp) {
        guard outgoing?.content === content else { return }
        if let bytes {
            var piece = ByteQueue(bytes)
            recorder.tee(bytes.count, of: piece, owner: .response, at: now, into: &records)
            do throws(TLSFailure) {
                try client.send(bytes.count, from: &piece)
            } catch {
                return handle(.closed(.client, .reset(error.detail)), at: now)
            }
            if outgoing?.took(bytes.count) == true {
                outgoing = nil
                recorder.noteEnd(of: .response, at: now)
                handle(.answerSent, at: now)
            }
        } else {
            outgoing = nil
            handle(.answerFailed, at: now)
        }
        advance(at: now)
    }

    // MARK: Handshakes

    private mutating func secureServer(_ name: ServerName, at now: Timestamp) {
        serverName = name
        let (engine, handshake) = ServerHandshake.begin(name, environment, serverPolicy, at: now)
        serverHandshake = handshake
        switch engine {
        case .success(let engine):
            server?.value.tls = engine
            serverMode = .handshaking
        case .failure(let failure):
            serverHandshakeFailed(TLSFailure(.system, detail: failure.description), at: now)
        }
    }

    private mutating func secureClient(_ scope: String, applicationProtocol: String?, at now: Timestamp) {
        guard let identity else { return }
        handshakeStarted = now
        if let hello = tunnel.flow.clientHello { clientKey = "\(tunnel.clientAddress) \(hello.fingerprint)" }
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

    /// Bytes of all servers of this tunnel; what a pooled connection brought to others is not counted.
    private var bytesFromServer: Int64 {
        switch server {
        case .some(let peer): earlierServerBytes + peer.value.bytesReceived - serverBytesAtStart
        case .none: earlierServerBytes
        }
    }

    private mutating func rememberSession() {
        guard let serverName, let securedServer, let session = server?.value.tls?.takeSession() else {
            return
        }
        environment.remember(session, of: serverName, securedServer)
    }
}
