import PinholeCrypto
import PinholeHTTP2
import PinholeModel
import PinholeWire

/// The bytes and events that come from the client.
extension ConversationStack {
    /// Processes the bytes of the client.
    ///
    /// - Returns: Whether anything was processed.
    mutating func advanceClient(at now: Timestamp) -> Bool {
        client.unwrap(limit: limits.readSize)
        client.decryptMessages(limits)
        if clientIsIgnored {
            client.dropInput()
            return tellClientEnd(at: now)
        }
        guard client.isMultiplexed else {
            return current?.isRelayed == true ? relay(from: .client, at: now) : readHTTP1Requests(at: now)
        }
        guard !isClientHeld else { return false }
        client.beginFrames()
        var moved = client.receiveFrames(at: now)
        if moved { hasClientSpoken = true }
        while let event = client.nextFrameEvent() {
            moved = true
            take(event, at: now)
        }
        guard client.readableCount == 0 || client.isBroken else { return moved }
        return tellClientEnd(at: now) || moved
    }

    private mutating func tellClientEnd(at now: Timestamp) -> Bool {
        // A client of HTTP/1 may close its half, continue to read, and break the connection later.
        let isEverythingReported =
            clientIsIgnored ? isClientGone : isClientEndReported && client.isMultiplexed
        guard let end = clientIsIgnored ? client.socketEnd : client.takeEnd(), !isEverythingReported else {
            return false
        }
        isClientEndReported = true
        if clientIsIgnored { isClientGone = true }
        if end.isOrderly { for id in lanes.keys { settle(id, at: now) } }
        if case .alert = end { noteClientError() }
        handle(.clientClosed(end, sentData: !client.isMultiplexed || hasClientSpoken), at: now)
        return true
    }

    /// Notes that the client complained about the connection, or broke its rules: no open exchange ends well any more
    /// unless it becomes complete.
    private func noteClientError() {
        for lane in lanes.values { lane.recorder.noteClientError() }
    }

    private mutating func take(_ event: HTTP2Event, at now: Timestamp) {
        switch event {
        case .request(let stream, let fields, let endsStream):
            received(fields, on: stream, endsStream: endsStream, at: now)
        case .requestRefused(let stream, let fields, let detail):
            let head = RequestHead(refused: fields, assuming: seed.value.scheme)
            handle(.requestRefused(Lane(stream), head, "the request is malformed: \(detail)"), at: now)
        case .streamDeclined(let stream):
            let head = RequestHead(refused: HeaderFields(), assuming: seed.value.scheme)
            let detail =
                "the client opened more than \(streamLimits.concurrentStreams) streams at one time: refused"
            handle(.requestRefused(Lane(stream), head, detail), at: now)
        case .data(let stream, _):
            guard let lane = lane(of: stream) else { return updateTunnelStream(stream) }
            passRequest(lane, at: now)
        case .trailers(let stream, let fields):
            guard let lane = lane(of: stream) else { return }
            lane.upward.trailers = fields
            lane.recorder.noteTrailers(fields.section, of: .request)
        case .ended(let stream):
            guard let lane = lane(of: stream) else {
                return updateTunnelStream(stream) { $0.hasEnded = true }
            }
            lane.upward.hasEnded = true
            lane.recorder.noteEnd(of: .request, at: now)
            passRequest(lane, at: now)
        case .reset(let stream, let code, let origin, let detail):
            guard let lane = lane(of: stream) else { return updateTunnelStream(stream) { $0.reset(code) } }
            if origin == .peer, !code.isComplaint {
                settle(Lane(stream), at: now)
            } else {
                lane.recorder.noteClientError()
            }
            let text =
                origin == .peer
                ? "the client reset the stream with \(code)" : "the stream was reset: \(detail)"
            handle(.reset(Lane(stream), .client, code, text), at: now)
        case .drained(let stream):
            guard let lane = lane(of: stream) else { return updateTunnelStream(stream) }
            passResponse(lane, at: now)
        case .failed(let failure):
            noteClientError()
            handle(.clientFailed(failure.description), at: now)
        case .extensionFrame(let frame):
            guard case .priorityUpdate(let stream, let value) = frame else { return }
            handle(.prioritized(Lane(stream), value), at: now)
        case .goAway(_, let code, _):
            clientIsLeaving = true
            if code.isComplaint { noteClientError() }
        case .settings, .closed, .informational, .response, .refused: break
        }
    }

    /// Closes the connection of a client that has sent GOAWAY, once its last stream has ended (RFC 9113 §6.8).
    mutating func closeIfLeft(at now: Timestamp) {
        guard clientIsLeaving, !clientIsIgnored, client.hasFinishedStreams else { return }
        handle(.clientFinished, at: now)
    }

    /// Completes an exchange whose client has received the whole Content-Length and leaves before the server ends the
    /// stream.
    ///
    /// The client does not need to wait for that end.
    private mutating func settle(_ id: Lane, at now: Timestamp) {
        guard let lane = lanes[id], lane.hasSentPromised, client.pendingOutput == 0,
            client.unsent(on: lane.clientStream) == 0
        else { return }
        lane.downward.hasEnded = true
        lane.downward.isDone = true
        lane.recorder.noteEnd(of: .response, at: now)
        lane.link?.peer.value.reset(lane.serverStream, .cancel)
        handle(.responseEnded(id), at: now)
    }

    private func lane(of stream: HTTP2StreamID) -> LaneState? { lanes[Lane(stream)] }

    private mutating func received(
        _ fields: HeaderFields,
        on stream: HTTP2StreamID,
        endsStream: Bool,
        at now: Timestamp
    ) {
        let lane = Lane(stream)
        do throws(StreamHeadFailure) {
            let head = try RequestHead(stream: fields, endsStream: endsStream, after: &lastServer)
            handle(.request(lane, head), at: now)
            if endsStream { ports[lane]?.hasEnded = true }
        } catch {
            let head = RequestHead(refused: fields, assuming: seed.value.scheme)
            handle(.requestRefused(lane, head, error.detail), at: now)
        }
    }

    // MARK: HTTP/1

    /// Reads requests of a client of HTTP/1, one exchange at a time.
    ///
    /// - Returns: Whether anything was read.
    private mutating func readHTTP1Requests(at now: Timestamp) -> Bool {
        var moved = false
        var isDry = false
        do throws(HTTP1Failure) {
            while !clientIsIgnored, mayReadRequest(at: now) {
                guard let element = try client.nextElement() else {
                    isDry = true
                    break
                }
                moved = true
                take(element, at: now)
            }
        } catch {
            clientIsIgnored = true
            handle(.requestFailed(error), at: now)
            return true
        }
        client.noteLines(hasMoved: moved, at: now)
        noteRequestBegan(at: now)
        let isWaiting =
            current?.upward.hasEnded == true && client.readableCount == 0 || current?.isAsked == true
        guard !moved, isDry || isWaiting || client.isBroken else { return moved }
        return tellClientEnd(at: now)
    }

    /// Reports once that a part of a request head has arrived; from now on the rest must follow in time.
    private mutating func noteRequestBegan(at now: Timestamp) {
        guard !clientIsIgnored, current == nil, !wasRequestBegun, client.reader.isReadingHead else { return }
        wasRequestBegun = true
        handle(.requestBegan, at: now)
    }

    private mutating func take(_ element: HTTP1Element, at now: Timestamp) {
        switch element {
        case .request(let head):
            wasRequestBegun = false
            handle(.request(newLane(), head), at: now)
        case .body(let count):
            guard let current, !current.discardsRequest else {
                current?.tee(count, of: client.readable, from: .client, at: now, into: &records)
                return client.readable.consume(count)
            }
            if let held = current.upward.held { return gather(count, for: current, held, at: now) }
            current.tee(count, of: client.readable, from: .client, at: now, into: &records)
            send(count, toServerOf: current, at: now)
        case .framing(let count):
            guard let current, current.upward.isVerbatim, !current.discardsRequest else {
                return client.readable.consume(count)
            }
            send(count, toServerOf: current, at: now)
        case .reframed(let count, let framing):
            client.readable.consume(count)
            guard let current, current.upward.isVerbatim, !current.discardsRequest else { return }
            current.link?.peer.value.send(framing)
        case .trailers(let section, let fields):
            guard let current else { return }
            current.recorder.noteTrailers(section, of: .request)
            current.upward.trailers = fields
            guard current.upward.isVerbatim, !current.discardsRequest, let link = current.link else { return }
            sendTrailers(fields, on: link, at: now)
        case .end:
            guard let lane = current else { return }
            if lanes[lane.lane] == nil { current = nil }
            guard !lane.upward.hasEnded else { return }
            lane.upward.hasEnded = true
            lane.recorder.noteEnd(of: .request, at: now)
            guard !lane.discardsRequest else { return handle(.requestEnded(lane.lane), at: now) }
            passRequest(lane, at: now)
        case .response: break
        }
    }

    /// Moves bytes of a request from the client's queue to the server.
    private mutating func send(_ count: Int, toServerOf lane: LaneState, at now: Timestamp) {
        guard let link = lane.link else { return client.readable.consume(count) }
        let rest = client.readableCount - count
        do throws(TLSFailure) {
            try link.peer.value.sendBody(
                count,
                from: &client.readable,
                on: lane.serverStream,
                isChunked: lane.upward.isChunked && !lane.upward.isVerbatim
            )
        } catch {
            client.readable.consume(max(0, client.readableCount - rest))
            handle(.linkClosed(link.id, .reset(error.detail)), at: now)
        }
    }
}

extension Lane {
    /// Creates the lane of a client's stream.
    init(_ stream: HTTP2StreamID) { self.init(rawValue: Int(stream.rawValue)) }

    /// The client's stream of the lane.
    var stream: HTTP2StreamID { HTTP2StreamID(rawValue: Int32(truncatingIfNeeded: rawValue)) }
}
