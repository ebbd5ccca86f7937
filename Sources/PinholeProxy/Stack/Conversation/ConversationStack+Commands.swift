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
        case .refuse(let answer): client.send(answer, body: answer.body, closing: true)
        case .expectHTTP2(let server): environment.expectHTTP2(of: server)
        case .noteRules(let lane, let hits): lanes[lane]?.recorder.note(hits)
        case .editMessages(let lane, let rules): lanes[lane]?.messageRules = rules
        case .throttle(let lane, let actions): beginThrottle(actions, of: lane, at: now)
        case .holdRequest(let lane, let continues): holdRequest(lane, continues: continues, at: now)
        case .replaceRequest(let lane, let original, by: let sent):
            lanes[lane]?.replacement = (original, sent)
        case .releaseRequest(let lane): lanes[lane]?.upward.held?.isGathering = false
        case .holdResponse(let lane, let head, let gathers):
            holdResponse(lane, head, gathers: gathers, at: now)
        case .noteTimings(let lane, let resolve, let connect, let tls):
            lanes[lane]?.recorder.noteTimings(resolve: resolve, connect: connect, tls: tls, at: now)
        case .secure(let id, let name): secure(id, name, at: now)
        case .open(let id, let isHTTP2): open(id, isHTTP2: isHTTP2)
        case .forwardRequest(let lane, let link, let head): forward(head, lane, on: link, at: now)
        case .prioritize(let lane, let value):
            guard let lane = lanes[lane] else { return }
            lane.link?.peer.value.prioritize(value, on: lane.serverStream)
        case .forwardResponse(let lane, let head): forward(head, lane, at: now)
        case .answer(let lane, let answer): send(answer, lane, at: now)
        case .discardRequest(let lane, let isStopped):
            guard let lane = lanes[lane] else { return }
            lane.discardsRequest = true
            let tolerance = isStopped ? 0 : streamLimits.unwantedBytes
            client.declineRest(
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
        case .announceEnd: client.announceShutdown()
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
        if !client.isMultiplexed { current = state }
    }

    private mutating func endExchange(_ lane: Lane, _ outcome: ExchangeOutcome, at now: Timestamp) {
        guard let state = lanes.removeValue(forKey: lane) else { return }
        if !throttled.isEmpty { throttled.remove(lane) }
        if !answering.isEmpty { answering.remove(lane) }
        if state.link?.lane === state { state.link?.lane = nil }
        endHolding(state, at: now)
        let settled = state.recorder.end(outcome, at: now, of: recorded.value, into: &records)
        quietEnd.note(settled, at: now)
        guard !client.isMultiplexed, current === state else { return }
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
        if !link.peer.value.isMultiplexed { link.lane = lane }
        do throws(HTTPPeer.RequestFailure) {
            let sent = try link.peer.value.request(
                head,
                tag: id.rawValue,
                endsStream: lane.isBodiless,
                forwarded: link.forwarded,
                authorization: link.forwarded.flatMap { nextHops.hop(for: $0, isPlain: true)?.authorization }
            )
            lane.serverStream = sent.stream
            lane.upward.isChunked = sent.isChunked
            // Chunks are passed on unchanged if both sides use them and no rule held the body.
            lane.upward.isVerbatim = sent.isUnchanged && !client.isMultiplexed && lane.upward.held == nil
        } catch {
            if refuse(lane, error, at: now) { return }
        }
        passHeldRequest(lane, head, at: now)
        passRequest(lane, at: now)
    }

    /// Ends or answers an exchange whose request was not sent.
    ///
    /// - Returns: Whether nothing of the request is to be passed on.
    private mutating func refuse(
        _ lane: LaneState,
        _ failure: HTTPPeer.RequestFailure,
        at now: Timestamp
    ) -> Bool {
        let detail: String
        switch failure {
        case .refused(let failure):
            handle(.reset(lane.lane, .server, failure.code, failure.detail), at: now)
            return true
        case .unwritable(let failure):
            guard client.isMultiplexed else {
                handle(.requestFailed(failure), at: now)
                return false
            }
            detail = "\(failure)"
        case .untranslatable(let failure): detail = "\(failure)"
        }
        let page = ErrorPage(
            status: 501,
            title: "The request cannot be sent to this server",
            detail: detail,
            remedy: "The server speaks HTTP/1.1 only."
        )
        handle(.answered(lane.lane, page.answer(accept: nil)), at: now)
        return false
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
        do throws(HTTPPeer.MessageFailure) {
            let sent = try client.respond(
                head,
                to: lane.request,
                on: lane.clientStream,
                isComplete: isComplete,
                closing: lane.closesClient
            )
            lane.downward.isChunked = sent.isChunked
            lane.downward.isVerbatim = sent.isUnchanged && lane.downward.held == nil
            if sent.endsConnection { lane.closesClient = true }
        } catch {
            lane.link?.peer.value.reset(lane.serverStream, .cancel)
            return handle(.reset(id, .server, error.code, error.detail), at: now)
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

    private mutating func send(_ answer: Answer, _ id: Lane, at now: Timestamp) {
        guard let lane = lanes[id] else { return }
        lane.downward.held = nil
        // Content that is read while it is sent follows the head later.
        let isLater = answer.content != nil && answer.length > 0 && !lane.answersHead
        let body = isLater ? nil : lane.answersHead ? [] : answer.body
        // On a connection of one message, a request body that is not read cannot be distinguished from the next request.
        if !client.isMultiplexed, !lane.upward.hasEnded { lane.closesClient = true }
        // After a success status, a client of streams sends the rest of its request, so the answer must end later. After
        // a complete answer, curl 7.88 does not even read window updates, and treats NO_ERROR as an error.
        lane.answerAwaitsRequest =
            client.isMultiplexed && 200..<300 ~= answer.status && !lane.upward.hasEnded
            && lane.request.contentLength != nil
        let head = client.send(
            answer,
            body: body,
            on: lane.clientStream,
            closing: lane.closesClient,
            endsStream: !lane.answerAwaitsRequest
        )
        lane.recorder.noteAnswer(head, body, status: answer.status, at: now)
        guard let content = answer.content else { return }
        guard isLater else { return handle(.answerSent(id), at: now) }
        lane.outgoing = OutgoingContent(content)
        answering.insert(id)
    }

    /// Asks for the next piece of each answer whose client has room for it.
    mutating func askForContent() {
        for id in answering {
            guard let lane = lanes[id], let content = lane.outgoing?.content,
                client.isReadyForContent(on: lane.clientStream, limits),
                let range = lane.outgoing?.next()
            else { continue }
            driverCommands.append(.read(id, content, range))
        }
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
        try? client.finish(lane.clientStream, isChunked: false, trailers: nil)
        lane.recorder.noteEnd(of: .response, at: now)
        handle(.answerSent(lane.lane), at: now)
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
        if !isClientCut { client.sendCloseNotify() }
        clientIsIgnored = true
        isClosing = true
        driverCommands.append(.closeClient)
    }

    // MARK: Links

    private mutating func secure(_ id: LinkID, _ name: ServerName, at now: Timestamp) {
        guard let link = links[id] else { return }
        let (engine, handshake) = ServerHandshake.begin(
            name,
            environment,
            serverPolicy,
            client: seed.value.flow.clientHello,
            at: now
        )
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
        link.mode = .messages
        guard isHTTP2 else { return }
        var streamLimits = streamLimits
        // The server may fill every window that it is given, even if the bytes cannot be passed on.
        if isShort { streamLimits.connectionWindow = streamLimits.initialWindow }
        link.peer.value.speakHTTP2(.client, streamLimits)
        link.peer.value.limitCredit(isShort)
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
            link.peer.value.sendCloseNotify()
            link.mode = .ignored
        }
        driverCommands.append(.closeLink(id))
    }
}
