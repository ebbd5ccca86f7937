import PinholeCrypto
import PinholeHTTP2
import PinholeModel
import PinholeWire

/// The bytes and events that come from servers.
extension ConversationStack {
    /// Processes the bytes of a server.
    ///
    /// - Returns: Whether anything was processed.
    mutating func advance(_ link: LinkStack, at now: Timestamp) -> Bool {
        link.peer.value.unwrap(limit: limits.readSize)
        defer { if link.mode != .handshaking { noteLateCertificate(link, at: now) } }
        switch link.mode {
        case .handshaking: return advanceHandshake(link, at: now)
        case .ignored:
            link.peer.value.inbox.removeAll()
            return false
        case .held:
            link.peer.value.decrypt(limit: limits.readSize)
            return tellEnd(link, at: now)
        case .messages:
            return link.peer.value.isMultiplexed ? readFrames(link, at: now) : readResponses(link, at: now)
        case .relayed: return relay(from: .server, at: now)
        }
    }

    private mutating func tellEnd(_ link: LinkStack, at now: Timestamp) -> Bool {
        guard let end = link.peer.value.takeEnd() else { return false }
        handle(.linkClosed(link.id, end), at: now)
        return true
    }

    // MARK: Handshake

    private mutating func advanceHandshake(_ link: LinkStack, at now: Timestamp) -> Bool {
        switch link.peer.value.handshake() {
        case nil: return false
        case .wantsInput:
            guard link.peer.value.socketEnd != nil else { return false }
            handshakeFailed(link, TLSFailure(.truncated, detail: ""), at: now)
        case .failed(let failure): handshakeFailed(link, failure, at: now)
        case .finished:
            link.mode = .held
            driverCommands.append(.disarmHandshake(link.id))
            guard let secured = link.handshake?.finished(link.peer.value.tls, at: now) else { return true }
            link.secured = secured
            if let origin = seed.value.mode.origin?.authority, origin == link.handshake?.name.authority,
                secured.handshake.applicationProtocol != "h2"
            {
                environment.forgetHTTP2(of: origin)
            }
            handle(.handshake(link.id, secured.handshake, secured.chain), at: now)
        }
        return true
    }

    mutating func handshakeFailed(_ link: LinkStack, _ failure: TLSFailure?, at now: Timestamp) {
        guard let handshake = link.handshake else { return }
        environment.forget(handshake.name)
        link.mode = .ignored
        driverCommands.append(.disarmHandshake(link.id))
        let secured = handshake.failed(
            link.peer.value.tls,
            failure,
            end: link.peer.value.socketEnd,
            for: flow.clientHello,
            at: now
        )
        handle(.handshake(link.id, secured.handshake, secured.chain), at: now)
    }

    /// Records the client certificate that a server of TLS 1.3 asked for after the handshake (RFC 8446 §4.6.2).
    private mutating func noteLateCertificate(_ link: LinkStack, at now: Timestamp) {
        guard let engine = link.peer.value.tls, engine.requestedClientCertificate,
            link.secured?.handshake.requestedClientCertificate == false
        else { return }
        link.secured?.handshake.noteClientCertificate(engine)
        guard let secured = link.secured else { return }
        handle(.handshake(link.id, secured.handshake, secured.chain), at: now)
    }

    // MARK: HTTP/2

    private mutating func readFrames(_ link: LinkStack, at now: Timestamp) -> Bool {
        link.peer.value.decrypt(limit: limits.readSize)
        var moved = link.peer.value.receiveFrames(at: now)
        while link.mode == .messages, let event = link.peer.value.nextFrameEvent() {
            moved = true
            take(event, from: link, at: now)
        }
        guard link.mode == .messages, link.peer.value.readableCount == 0 || link.peer.value.isBroken,
            !link.peer.value.hasEnded || !hasUndelivered(link)
        else { return moved }
        return tellEnd(link, at: now) || moved
    }

    /// Whether a part of any response on a connection still waits to be passed to its client.
    private mutating func hasUndelivered(_ link: LinkStack) -> Bool {
        lanes.values.contains { lane in
            lane.link === link && lane.serverStream.map { isUndelivered(lane, $0, on: link) } == true
        }
    }

    /// Whether a part of a response still waits to be passed to its client, so that the end of the connection has to
    /// wait.
    private func isUndelivered(_ lane: LaneState, _ stream: HTTP2StreamID, on link: LinkStack) -> Bool {
        lane.downward.held == nil && !lane.downward.isDone && link.peer.value.pendingBody(stream) > 0
            && lane.hasResponse
    }

    private mutating func take(_ event: HTTP2Event, from link: LinkStack, at now: Timestamp) {
        switch event {
        case .informational(let stream, let fields), .response(let stream, let fields, endsStream: _):
            guard let lane = lane(of: stream, on: link) else { return }
            var endsStream = false
            if case .response(_, _, let ends) = event { endsStream = ends }
            received(fields, for: lane, endsStream: endsStream, at: now)
        case .data(let stream, _): if let lane = lane(of: stream, on: link) { passResponse(lane, at: now) }
        case .trailers(let stream, let fields):
            guard let lane = lane(of: stream, on: link) else { return }
            lane.downward.trailers = fields
            lane.recorder.noteTrailers(fields.section, of: .response)
        case .ended(let stream):
            guard let lane = lane(of: stream, on: link) else { return }
            lane.downward.hasEnded = true
            lane.recorder.noteEnd(of: .response, at: now)
            passResponse(lane, at: now)
        case .reset(let stream, let code, let origin, let detail):
            guard let lane = lane(of: stream, on: link) else { return link.peer.value.discard(stream) }
            if code == .noError, lane.downward.hasEnded {
                lane.upward.isDone = true
                return handle(.requestUnwanted(lane.lane), at: now)
            }
            let text =
                origin == .peer
                ? "the server reset the stream with \(code)" : "the stream was reset: \(detail)"
            if isUndelivered(lane, stream, on: link) {
                lane.downward.breakOff = (code, text)
                return
            }
            handle(.reset(lane.lane, .server, code, text), at: now)
        case .refused(let stream):
            guard let lane = lane(of: stream, on: link) else { return }
            handle(.refused(lane.lane), at: now)
        case .drained(let stream): if let lane = lane(of: stream, on: link) { passRequest(lane, at: now) }
        case .settings(let settings):
            // The client may ask for what a server accepts.
            if settings.enableConnectProtocol { client.offerExtendedConnect() }
            handle(.capacity(link.id, settings.maxConcurrentStreams.map(Int.init) ?? Int.max), at: now)
        case .goAway: handle(.linkDraining(link.id), at: now)
        case .failed(let failure): handle(.linkClosed(link.id, .reset(failure.description)), at: now)
        case .extensionFrame(let frame):
            // The frame is not sent on, for the same reason as the field Alt-Svc: it would lead the client past the proxy.
            guard case .alternativeService(let stream) = frame else { return }
            lane(of: stream, on: link)?.recorder.note(.altSvcRemoved)
        case .request, .requestRefused, .streamDeclined, .closed: break
        }
    }

    private func lane(of stream: HTTP2StreamID, on link: LinkStack) -> LaneState? {
        link.peer.value.tag(of: stream).flatMap { lanes[Lane(rawValue: $0)] }
    }

    private mutating func received(
        _ fields: HeaderFields,
        for lane: LaneState,
        endsStream: Bool,
        at now: Timestamp
    ) {
        do throws(StreamHeadFailure) {
            let head = try ResponseHead(stream: fields, endsStream: endsStream)
            if !head.isInformational { lane.hasResponse = true }
            handle(.response(lane.lane, head), at: now)
        } catch {
            handle(.reset(lane.lane, .server, .protocolError, error.detail), at: now)
        }
    }

    // MARK: HTTP/1

    private mutating func readResponses(_ link: LinkStack, at now: Timestamp) -> Bool {
        link.peer.value.decryptMessages(limits)
        if let lane = link.lane, lane.upward.hasEnded || client.isMultiplexed { passRequest(lane, at: now) }
        // The server speaks HTTP/2 here. The next request is answered with a 502 that says so.
        if link.lane == nil, link.peer.value.sentSettings, link.peer.value.readableCount > 0 {
            return tellEnd(link, at: now)
        }
        var moved = false
        var isDry = false
        var end: CloseKind?
        do throws(HTTP1Failure) {
            while link.mode == .messages, mayReadResponse(from: link, at: now) {
                guard let element = try link.peer.value.nextElement() else {
                    isDry = true
                    break
                }
                moved = true
                // After a response without a body, the head gives the connection to the next exchange. That exchange
                // must not get the end of this response.
                var isLast = if case .end = element { true } else { false }
                if case .response(let head) = element, !head.isInformational, head.status != 101,
                    !head.framing.hasBody
                {
                    _ = try link.peer.value.nextElement()
                    isLast = true
                }
                // Bytes behind a response would be taken for the response to the next request.
                if isLast, link.peer.value.readableCount > 0 {
                    link.lane?.recorder.note(.answerExcess)
                    handle(.linkDraining(link.id), at: now)
                }
                take(element, from: link, at: now)
            }
            link.peer.value.noteLines(hasMoved: moved, at: now)
            guard link.mode == .messages, !moved, isDry else { return moved }
            end = link.peer.value.takeEnd()
            guard let end else { return false }
            // A body without a length ends here, and is complete only if the end was announced.
            if let element = try link.peer.value.lastElement(), end == .orderly {
                take(element, from: link, at: now)
            }
            handle(.linkClosed(link.id, end), at: now)
        } catch {
            link.mode = .ignored
            let broken = CloseKind.reset(link.peer.value.explained(error).detail)
            handle(.linkClosed(link.id, error.code == .truncated ? end ?? broken : broken), at: now)
        }
        return true
    }

    private mutating func take(_ element: HTTP1Element, from link: LinkStack, at now: Timestamp) {
        guard let lane = link.lane else { return drop(element, from: link) }
        switch element {
        case .response(let head):
            if !head.isInformational { lane.hasResponse = true }
            if !head.notes.isEmpty { note(head.notes, of: lane) }
            if head.status == 101 { return handle(.response(lane.lane, head), at: now) }
            if !head.isKeepAlive, !head.isInformational || !head.notes.isEmpty {
                handle(.linkDraining(link.id), at: now)
            }
            lane.downward.hasEnded = !head.isInformational && !head.framing.hasBody
            if lane.downward.hasEnded { lane.recorder.noteEnd(of: .response, at: now) }
            handle(.response(lane.lane, head), at: now)
        case .body(let count):
            if let held = lane.downward.held {
                return gather(count, from: link, for: lane, held, at: now)
            }
            lane.tee(count, of: link.peer.value.readable, from: .server, at: now, into: &records)
            if lane.downward.isVerbatim { return passToClient(count, from: link, at: now) }
            var piece = ByteQueue()
            link.peer.value.readable.move(count, to: &piece)
            sendToClient(&piece, of: lane, at: now)
        case .framing(let count):
            guard lane.downward.isVerbatim else { return link.peer.value.readable.consume(count) }
            passToClient(count, from: link, at: now)
        case .reframed(let count, let framing):
            link.peer.value.readable.consume(count)
            if lane.downward.isVerbatim { client.send(framing) }
            noteRest(of: lane, from: link, at: now)
        case .trailers(let section, let fields):
            noteRest(of: lane, from: link, at: now)
            lane.recorder.noteTrailers(section, of: .response)
            lane.downward.trailers = fields
            guard lane.downward.isVerbatim else { return }
            do throws(HTTP1Failure) {
                try client.send { (output: inout ByteQueue) throws(HTTP1Failure) in
                    try HTTP1Writer.write(trailers: fields, into: &output)
                }
            } catch {
                handle(.reset(lane.lane, .server, .protocolError, error.detail), at: now)
            }
        case .end:
            if !lane.downward.hasEnded {
                lane.downward.hasEnded = true
                lane.recorder.noteEnd(of: .response, at: now)
            }
            if let held = lane.downward.held, held.isGathering {
                let hasTrailers = lane.downward.trailers != nil
                return handle(.responseHeld(lane.lane, held.end(hasTrailers: hasTrailers)), at: now)
            }
            endResponse(lane, at: now)
        case .request: break
        }
    }

    private func note(_ notes: [ExchangeNote], of lane: LaneState) {
        for note in notes { lane.recorder.note(note) }
    }

    /// Notes the rules that chunks and trailers broke; the connection then takes no further request.
    private mutating func noteRest(of lane: LaneState, from link: LinkStack, at now: Timestamp) {
        let notes = link.peer.value.reader.notes
        guard !notes.isEmpty else { return }
        note(notes, of: lane)
        handle(.linkDraining(link.id), at: now)
    }

    /// Passes bytes of a response to a client of HTTP/1 unchanged.
    private mutating func passToClient(_ count: Int, from link: LinkStack, at now: Timestamp) {
        do throws(TLSFailure) {
            try client.send(count, from: &link.peer.value.readable)
        } catch {
            handle(.clientClosed(.reset(error.detail), sentData: true), at: now)
        }
    }

    private mutating func drop(_ element: HTTP1Element, from link: LinkStack) {
        switch element {
        case .body(let count), .framing(let count), .reframed(let count, _):
            link.peer.value.readable.consume(count)
        case .request, .response, .trailers, .end: break
        }
    }
}
