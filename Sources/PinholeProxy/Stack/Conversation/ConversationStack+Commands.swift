import PinholeCrypto
import PinholeHTTP2
package import PinholeModel
import PinholeRules
import PinholeWire

/// Carries out the commands of the machine.
extension ConversationStack {
    mutating func execute(_ command: consuming ConversationCommand, at now: Timestamp) {
        switch command {
        case .beginExchange(let lane, let head, let scheme, let authority, let path, let user):
            beginExchange(lane, head, scheme, authority, path, user, at: now)
        case .note(let lane, let note): lanes[lane]?.recorder.note(note)
        case .noteUser(let lane, let user): lanes[lane]?.recorder.note(user: user)
        case .closeAfter(let lane): lanes[lane]?.closesClient = true
        case .relay(let lane): beginRelay(lane, at: now)
        case .closeHalf(let lane, let side): closeHalf(lane, toward: side)
        case .refuse(let answer): send(http1: answer, closing: true)
        case .expectHTTP2(let server): environment.expectHTTP2(of: server)
        case .noteRules(let lane, let hits): lanes[lane]?.recorder.note(hits)
        case .editMessages(let lane, let rules): lanes[lane]?.messageRules = rules
        case .throttle(let lane, let throttling): beginThrottle(throttling, of: lane, at: now)
        case .holdRequest(let lane, let continues): holdRequest(lane, continues: continues, at: now)
        case .replaceRequest(let lane, let original, by: let sent):
            lanes[lane]?.replacement = (original, sent)
        case .releaseRequest(let lane): lanes[lane]?.upward.held?.stage = .waiting
        case .holdResponse(let lane, let head, let gathers):
            holdResponse(lane, head, gathers: gathers, at: now)
        case .noteTimings(let lane, let resolve, let connect, let tls):
            lanes[lane]?.recorder.noteTimings(resolve: resolve, connect: connect, tls: tls, at: now)
        case .secure(let id, let name): secure(id, name, at: now)
        case .open(let id, let isHTTP2): open(id, isHTTP2: isHTTP2)
        case .forwardRequest(let lane, let link, let head): forward(head, lane, on: link, at: now)
        case .prioritize(let lane, let value):
            guard let lane = lanes[lane], let stream = lane.serverStream else { return }
            lane.link?.session?.prioritize(value, on: stream)
        case .forwardResponse(let lane, let head): forward(head, lane, at: now)
        case .answer(let lane, let answer): send(answer, lane, at: now)
        case .discardRequest(let lane, let isStopped):
            guard let lane = lanes[lane] else { return }
            lane.discardsRequest = true
            let tolerance = isStopped ? 0 : streamLimits.unwantedBytes
            session?.declineRest(
                of: lane.clientStream,
                tolerance: lane.answerAwaitsRequest ? nil : tolerance
            )
        case .reset(let lane, .client, let code): resetClient(lane, code, at: now)
        case .reset(let lane, .server, let code):
            guard let lane = lanes[lane] else { return }
            lane.link?.peer.value.breakOff(lane.serverStream, code)
        case .cancel(let lane): cancel(lane, at: now)
        case .endExchange(let lane, let outcome): endExchange(lane, outcome, at: now)
        case .dropTunnels(let isOrderly): dropTunnels(isOrderly: isOrderly)
        case .holdClient: isClientHeld = true
        case .releaseClient: isClientHeld = false
        case .announceEnd: session?.announceShutdown()
        case .record(let record):
            note(record, at: now)
            records.append(.flow(flow))
        case .driver(let command): pass(command)
        }
    }

    /// Does the stack's part of a command for the driver, and passes the command on.
    private mutating func pass(_ command: consuming DriverCommand) {
        switch command {
        case .dial(let link, let target):
            let placed = target.placed(at: seed.value.destination, seed.value.authority)
            if target.isForwarded { forwarded[link] = target.authority }
            driverCommands.append(
                .dial(link, nextHops.way(to: placed, from: seed.value.policy.value.pseudonym))
            )
        case .consult(let lane, let question): consult(lane, question)
        case .withdraw(let lane): withdraw(lane)
        case .openTunnel(let lane, let head): openTunnel(lane, head)
        case .closeLink(let id): close(id)
        case .releaseLink(let id): release(id)
        case .closeClient: closeClient()
        case .authenticate, .mint, .read, .closeLinkHalf, .resetLink, .resetClient, .acceptStream,
            .refuseStream,
            .stirTunnel, .abort, .arm, .armHandshake, .disarmHandshake:
            driverCommands.append(command)
        }
    }

    // MARK: Exchanges

    private mutating func beginExchange(
        _ lane: Lane,
        _ head: RequestHead,
        _ scheme: Scheme,
        _ authority: Authority,
        _ path: String,
        _ user: String?,
        at now: Timestamp
    ) {
        noteAcceptance(at: now)
        exchangesBegun += 1
        let state = LaneState(
            lane,
            head,
            recorder: ExchangeRecorder(seed.value.policy, keepsBodies: keepsBodies)
        )
        state.recorder.begin(
            ExchangeRecord(
                id: ExchangeID(rawValue: sink.nextID()),
                flow: flow.id,
                scheme: scheme,
                authority: authority,
                proxyUser: user,
                method: head.method,
                path: path,
                request: MessageRecord(head: head.recorded),
                timings: ExchangeTimings(started: now)
            ),
            isStream: head.method != "GET" && head.framing == .chunked && StreamFormat(head.fields) != nil,
            of: recorded.value,
            into: &records
        )
        if !head.framing.hasBody {
            state.isBodiless = true
            state.upward.hasEnded = true
            state.recorder.noteEnd(of: .request, at: now)
        }
        lanes[lane] = state
        if session == nil { current = state }
    }

    private mutating func endExchange(_ lane: Lane, _ outcome: ExchangeOutcome, at now: Timestamp) {
        guard let state = lanes.removeValue(forKey: lane) else { return }
        if !throttled.isEmpty { throttled.remove(lane) }
        if !answering.isEmpty { answering.remove(lane) }
        if state.link?.lane === state { state.link?.lane = nil }
        endHolding(state, at: now)
        let settled = state.recorder.end(outcome, at: now, of: recorded.value, into: &records)
        quietEnd.note(settled, at: now)
        guard session == nil, current === state else { return }
        if state.closesClient { return handle(.clientFinished, at: now) }
        client.reader.pieceLimit = .max
        if state.upward.hasEnded || !state.discardsRequest { current = nil }
    }

    private mutating func forward(
        _ head: RequestHead,
        _ id: Lane,
        on linkID: LinkID,
        at now: Timestamp
    ) {
        guard let lane = lanes[id], let link = links[linkID] else { return }
        lane.link = link
        // An earlier attempt on another connection may have had a stream.
        lane.serverStream = nil
        lane.downward.breakOff = nil
        lane.upward.isDone = lane.isBodiless
        if let session = link.session {
            do throws(HTTP2Failure) {
                lane.serverStream = try session.request(
                    head.forwarded,
                    tag: id.rawValue,
                    endsStream: lane.isBodiless
                )
            } catch {
                return handle(.reset(id, .server, error.code, error.detail), at: now)
            }
        } else {
            sendHTTP1(head, lane, on: link, at: now)
        }
        passHeldRequest(lane, head, at: now)
        passRequest(lane, at: now)
    }

    private mutating func sendHTTP1(
        _ head: RequestHead,
        _ lane: LaneState,
        on link: LinkStack,
        at now: Timestamp
    ) {
        do {
            let http1 = try head.http1()
            lane.upward.isChunked = http1.framing == .chunked
            // Chunks are passed on unchanged if both sides use them and no rule held the body.
            lane.upward.isVerbatim = session == nil && lane.upward.held == nil
            link.lane = lane
            link.peer.value.reader.expectResponse(toMethod: http1.method)
            try link.peer.value.send { (output: inout ByteQueue) throws(HTTP1Failure) in
                try HTTP1Writer.write(
                    request: http1,
                    target: link.forwarded.map { Self.absolute($0, http1.target.path) },
                    proxyAuthorization: link.forwarded.flatMap {
                        nextHops.hop(for: $0, isPlain: true)?.authorization
                    },
                    into: &output
                )
            }
        } catch let failure as HTTP1Failure where session == nil {
            handle(.requestFailed(failure), at: now)
        } catch {
            let page = ErrorPage(
                status: 501,
                title: "The request cannot be sent to this server",
                detail: "\(error)",
                remedy: "The server speaks HTTP/1.1 only."
            )
            handle(.answered(lane.lane, page.answer(accept: nil)), at: now)
        }
    }

    private mutating func forward(
        _ head: ResponseHead,
        _ id: Lane,
        at now: Timestamp
    ) {
        guard let lane = lanes[id] else { return }
        let held = head.isInformational ? nil : lane.downward.held
        if let held, lane.answersHead || !RuleResponse.mayHaveContent(head.status) {
            held.drop()
            lane.downward.trailers = nil
        }
        let isComplete =
            held.map { $0.isWhole && $0.bytes.isEmpty && lane.downward.trailers == nil }
            ?? !(head.isInformational || head.status == 101 || head.framing.hasBody)
        note(head, held, of: lane, at: now)
        lane.answered(head, into: &records)
        if !head.isInformational { lane.promisedLength = head.contentLength }
        if let session {
            do throws(HTTP2Failure) {
                if head.isInformational {
                    try session.inform(head.http2().fields, on: lane.clientStream)
                } else {
                    try session.respond(head.http2().fields, on: lane.clientStream, endsStream: isComplete)
                }
            } catch {
                lane.link?.peer.value.reset(lane.serverStream, .cancel)
                return handle(.reset(id, .server, error.code, error.detail), at: now)
            }
        } else if !sendHTTP1(head, lane, isComplete: isComplete, at: now) {
            return
        }
        lane.downward.held = nil
        // The bytes after a switch of protocols are relayed.
        guard head.status != 101 else { return }
        guard isComplete else {
            if let held { return passHeldResponse(lane, held, at: now) }
            return openMessages(lane, at: now)
        }
        lane.downward.hasEnded = true
        lane.downward.isDone = true
        lane.recorder.noteEnd(of: .response, at: now)
        handle(.responseEnded(id), at: now)
    }

    private mutating func sendHTTP1(
        _ head: ResponseHead,
        _ lane: LaneState,
        isComplete: Bool,
        at now: Timestamp
    ) -> Bool {
        // RFC 9110 §15.2: HTTP/1.0 has no interim responses.
        if head.isInformational, lane.request.version == .http10 { return true }
        let http1 = head.http1(to: lane.request.method, version: lane.request.version, isComplete: isComplete)
        lane.downward.isChunked = http1.framing == .chunked
        lane.downward.isVerbatim = head.version != .http2 && lane.downward.held == nil && http1 === head
        if http1.framing == .untilClose { lane.closesClient = true }
        let closing = lane.closesClient
        do throws(HTTP1Failure) {
            try client.send { (output: inout ByteQueue) throws(HTTP1Failure) in
                try HTTP1Writer.write(
                    response: http1,
                    closing: closing,
                    keepAliveForHTTP10: lane.request.version == .http10 && !closing,
                    into: &output
                )
                if isComplete, http1.framing == .chunked { try HTTP1Writer.lastChunk(into: &output) }
            }
            return true
        } catch {
            handle(.reset(lane.lane, .server, .protocolError, error.detail), at: now)
            return false
        }
    }

    private mutating func send(_ answer: Answer, _ id: Lane, at now: Timestamp) {
        guard let lane = lanes[id] else { return }
        lane.downward.held = nil
        // Content that is read while it is sent follows the head later.
        let isLater = answer.content != nil && answer.length > 0 && !lane.answersHead
        let body = isLater ? nil : lane.answersHead ? [] : answer.body
        if session == nil {
            // A request body that is not read cannot be distinguished from the next request.
            if !lane.upward.hasEnded { lane.closesClient = true }
            let head = answer.head(closing: lane.closesClient)
            client.send(head)
            if let body { client.send(body) }
            lane.recorder.noteAnswer(head, body, status: answer.status, at: now)
        } else {
            lane.recorder.noteAnswer(answer.recordedStreamHead, body, status: answer.status, at: now)
            // After a success status, a client sends the rest of its request, so the answer must end later. After a
            // complete answer, curl 7.88 does not even read window updates, and treats NO_ERROR as an error.
            lane.answerAwaitsRequest =
                200..<300 ~= answer.status && !lane.upward.hasEnded && lane.request.contentLength != nil
            respond(id, answer.streamFields, body: body, endsWithHead: !lane.answerAwaitsRequest)
        }
        guard let content = answer.content else { return }
        guard isLater else { return handle(.answerSent(id), at: now) }
        lane.outgoing = OutgoingContent(content)
        answering.insert(id)
    }

    /// Asks for the next piece of each answer whose client has room for it.
    mutating func askForContent() {
        for id in answering {
            guard let lane = lanes[id], let content = lane.outgoing?.content, hasRoomForContent(lane),
                let range = lane.outgoing?.next()
            else { continue }
            driverCommands.append(.read(id, content, range))
        }
    }

    /// Whether a piece of an answer may be read; a stream whose client does not read holds at most one piece.
    private func hasRoomForContent(_ lane: LaneState) -> Bool {
        guard let session else { return client.pendingOutput < limits.outputHighWater }
        return session.pendingOutput(lane.clientStream) < streamLimits.outboundLowWater
    }

    /// Sends a piece of an answer that was read.
    ///
    /// - Parameters:
    ///   - id: The exchange.
    ///   - content: The content of the piece; a piece of content that is no longer sent is ignored.
    ///   - bytes: The piece, or `nil` if it no longer exists.
    ///   - now: The time.
    package mutating func contentRead(
        _ id: Lane,
        _ content: AnswerContent,
        _ bytes: [UInt8]?,
        at now: Timestamp
    ) {
        guard let lane = lanes[id], lane.outgoing?.content === content else { return }
        if let bytes {
            var piece = ByteQueue(bytes)
            lane.recorder.tee(bytes.count, of: piece, owner: .response, at: now, into: &records)
            sendToClient(&piece, of: lane, at: now)
            if lane.outgoing?.took(bytes.count) == true { endContent(lane, at: now) }
        } else {
            handle(.answerFailed(id), at: now)
        }
        advance(at: now)
    }

    private mutating func endContent(_ lane: LaneState, at now: Timestamp) {
        lane.outgoing = nil
        answering.remove(lane.lane)
        _ = try? session?.finish(lane.clientStream)
        lane.recorder.noteEnd(of: .response, at: now)
        handle(.answerSent(lane.lane), at: now)
    }

    /// Sends an answer's head to a client of HTTP/2, and a body that ends the stream; the stream stays open if `body`
    /// is `nil`.
    func respond(_ lane: Lane, _ fields: HeaderFields, body: [UInt8]?, endsWithHead: Bool = true) {
        do throws(HTTP2Failure) {
            let endsStream = body?.isEmpty == true && endsWithHead
            try session?.respond(fields, on: lane.stream, endsStream: endsStream)
            guard let body, !endsStream else { return }
            var queue = ByteQueue(body)
            session?.send(body.count, from: &queue, on: lane.stream)
            try session?.finish(lane.stream)
        } catch {
            session?.reset(lane.stream, error.code)
        }
    }

    mutating func send(http1 answer: Answer, closing: Bool) {
        client.send(answer.head(closing: closing))
        client.send(answer.body)
    }

    /// Aborts an exchange toward the client, after the part of the response that exists.
    ///
    /// In HTTP/1, only the end of the connection can show this.
    private mutating func resetClient(_ id: Lane, _ code: HTTP2ErrorCode, at now: Timestamp) {
        guard !client.isMultiplexed else { return client.breakOff(id.stream, code) }
        clientIsIgnored = true
        isClientCut = true
        handle(.clientFinished, at: now)
    }

    /// Aborts an exchange toward both sides at once.
    private mutating func cancel(_ id: Lane, at now: Timestamp) {
        guard let lane = lanes[id] else { return }
        lane.link?.peer.value.reset(lane.serverStream, .cancel)
        guard client.isMultiplexed else { return resetClient(id, .cancel, at: now) }
        client.reset(id.stream, .cancel)
    }

    private mutating func closeClient() {
        client.goAway(limit: limits.outputHighWater)
        // A response that broke off must not look complete, so close_notify is not sent then.
        if !isClientCut { client.sayGoodbye() }
        clientIsIgnored = true
        isClosing = true
        driverCommands.append(.closeClient)
    }

    // MARK: Links

    private mutating func secure(_ id: LinkID, _ name: ServerName, at now: Timestamp) {
        guard let link = links[id] else { return }
        let (engine, handshake) = ServerHandshake.begin(name, environment, serverPolicy, at: now)
        link.handshake = handshake
        switch engine {
        case .success(let engine):
            link.peer.value.tls = engine
            link.mode = .handshaking
        case .failure(let failure):
            handshakeFailed(link, TLSFailure(.system, detail: failure.description), at: now)
        }
    }

    private mutating func open(_ id: LinkID, isHTTP2: Bool) {
        guard let link = links[id] else { return }
        guard isHTTP2 else {
            link.mode = .http1
            return
        }
        var streamLimits = streamLimits
        // The server may fill every window that it is given, even if the bytes cannot be passed on.
        if isShort { streamLimits.connectionWindow = streamLimits.initialWindow }
        let session = HTTP2Session(
            .client,
            settings: HTTP2Settings(limits: streamLimits),
            limits: streamLimits
        )
        session.isShort = isShort
        link.peer.value.session = session
        link.mode = .http2
    }

    /// Returns the target of a plain HTTP request in the form in which a proxy gets it.
    private static func absolute(_ authority: Authority, _ path: String) -> String {
        "http://\(authority.text(defaultPort: Scheme.http.defaultPort))\(path == "*" ? "" : path)"
    }

    private func rememberSession(of link: LinkStack) {
        guard let secured = link.secured, let name = link.handshake?.name ?? seed.value.serverName,
            let session = link.peer.value.tls?.takeSession()
        else { return }
        environment.remember(session, of: name, secured)
    }

    private mutating func release(_ id: LinkID) {
        guard let link = links[id] else { return }
        rememberSession(of: link)
        link.mode = .held
        link.peer.value.reader.pieceLimit = .max
        driverCommands.append(.releaseLink(id))
    }

    private mutating func close(_ id: LinkID) {
        if let link = links[id] {
            rememberSession(of: link)
            link.peer.value.goAway(limit: limits.outputHighWater)
            link.peer.value.sayGoodbye()
            link.mode = .ignored
        }
        driverCommands.append(.closeLink(id))
    }
}

extension RequestHead {
    /// The fields that are sent to the server: all but those for the proxy.
    fileprivate var forwarded: HeaderFields {
        guard fields.contains("proxy-authorization") else { return fields }
        var fields = fields
        fields.removeAll(named: "proxy-authorization")
        return fields
    }
}

extension Answer {
    /// The head of the answer in HTTP/2.
    var streamFields: HeaderFields {
        var lines = HeaderFields()
        lines.append(":status", String(status))
        for field in fields { lines.append(field.name.lowercased(), field.value) }
        if statesLength { lines.append("content-length", String(length)) }
        return lines
    }

    /// The head of the answer in the form in which it is recorded for a client of HTTP/2.
    fileprivate var recordedStreamHead: [UInt8] {
        Array("HTTP/2 \(status)\r\n".utf8) + streamFields.section + [0x0d, 0x0a]
    }
}
