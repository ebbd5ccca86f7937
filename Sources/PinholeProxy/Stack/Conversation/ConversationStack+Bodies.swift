import PinholeCrypto
import PinholeHTTP2
import PinholeModel
import PinholeWire

/// Moves bodies from side to side, as far as the receiving side has room.
///
/// A side of HTTP/2 gets flow-control credit when its bytes have been passed on. So a slow receiver holds up only the
/// stream that it reads.
extension ConversationStack {
    /// Passes on the waiting bytes of a request, and its end.
    mutating func passRequest(_ lane: LaneState, at now: Timestamp) {
        if let held = lane.upward.held { return gatherRequest(lane, held, at: now) }
        if let session, !lane.upward.isDone { passRequest(lane, from: session, at: now) }
        guard lane.upward.hasEnded, !lane.upward.isDone, let link = lane.link else { return }
        guard session == nil || session?.pendingInput(lane.clientStream) == 0 else { return }
        finishEdited(lane, .client, at: now)
        lane.upward.isDone = true
        if let session = link.session, let stream = lane.serverStream {
            do throws(HTTP2Failure) {
                try session.finish(stream, trailers: lane.upward.trailers)
            } catch {
                session.reset(stream, .cancel)
                return refuseRest(of: lane, error.detail, at: now)
            }
        } else if lane.upward.isChunked, !lane.upward.isVerbatim {
            sendLastChunk(lane.upward.trailers, on: link, at: now)
        }
        handle(.requestEnded(lane.lane), at: now)
    }

    private mutating func passRequest(_ lane: LaneState, from session: HTTP2Session, at now: Timestamp) {
        let waiting = min(session.pendingInput(lane.clientStream), roomTowardServer(lane))
        guard waiting > 0, let link = lane.link else { return }
        let count = lane.allowance(from: .client, for: waiting, at: now)
        guard count > 0 else { return }
        var piece = ByteQueue()
        session.take(upTo: count, from: lane.clientStream, into: &piece)
        note(&piece, of: lane, from: .client, at: now)
        if let session = link.session, let stream = lane.serverStream {
            session.send(piece.count, from: &piece, on: stream)
        } else {
            sendHTTP1(&piece, on: link, isChunked: lane.upward.isChunked, at: now)
        }
        session.release(count, on: lane.clientStream)
    }

    /// The number of request bytes that can be passed to the server now; 0 while there is no connection to it.
    mutating func roomTowardServer(_ lane: LaneState) -> Int {
        guard let link = lane.link else { return 0 }
        guard let session = link.session, let stream = lane.serverStream else {
            return limits.outputHighWater - link.peer.value.pendingOutput
        }
        return streamMark - session.pendingOutput(stream)
    }

    /// The number of bytes that may wait on a stream; above it, the stack adds no more.
    private var streamMark: Int {
        isShort ? streamLimits.outboundLowWater : streamLimits.outboundHighWater
    }

    /// Whether more of a request can be passed to the server.
    mutating func serverHasRoom(_ lane: LaneState) -> Bool { roomTowardServer(lane) > 0 }

    /// Passes on the waiting bytes of a response of HTTP/2, and its end.
    mutating func passResponse(_ lane: LaneState, at now: Timestamp) {
        guard let session = lane.link?.session, let stream = lane.serverStream, !lane.downward.isDone else {
            return
        }
        if let held = lane.downward.held {
            guard !held.isPaused else { return }
            return gatherResponse(lane, held, from: session, stream, at: now)
        }
        let waiting = min(session.pendingInput(stream), roomTowardClient(lane))
        let count = waiting > 0 ? lane.allowance(from: .server, for: waiting, at: now) : 0
        if count > 0 {
            var piece = ByteQueue()
            session.take(upTo: count, from: stream, into: &piece)
            note(&piece, of: lane, from: .server, at: now)
            sendToClient(&piece, of: lane, at: now)
            session.release(count, on: stream)
        }
        guard session.pendingInput(stream) == 0 else { return }
        if lane.downward.hasEnded {
            finishEdited(lane, .server, at: now)
            endResponse(lane, at: now)
        }
        guard let end = lane.downward.breakOff.take() else { return }
        handle(.reset(lane.lane, .server, end.code, end.detail), at: now)
    }

    /// The number of response bytes that can be passed to the client now; 0 while the proxy holds its head.
    ///
    /// Passing a whole window at once would let the server send another one while the first still waits.
    mutating func roomTowardClient(_ lane: LaneState?) -> Int {
        if lane?.downward.held?.isPaused == true { return 0 }
        guard let session, let lane else { return limits.outputHighWater - client.pendingOutput }
        return streamMark - session.pendingOutput(lane.clientStream)
    }

    /// Whether more of a response can be passed to the client.
    mutating func clientHasRoom(_ lane: LaneState?) -> Bool { roomTowardClient(lane) > 0 }

    /// Sends the end of a response, once.
    mutating func endResponse(_ lane: LaneState, at now: Timestamp) {
        guard !lane.downward.isDone else { return }
        lane.downward.isDone = true
        if let session {
            do throws(HTTP2Failure) {
                try session.finish(lane.clientStream, trailers: lane.downward.trailers)
            } catch {
                return handle(.reset(lane.lane, .server, error.code, error.detail), at: now)
            }
        } else if lane.downward.isChunked, !lane.downward.isVerbatim {
            do throws(HTTP1Failure) {
                try client.send { (output: inout ByteQueue) throws(HTTP1Failure) in
                    try HTTP1Writer.lastChunk(
                        trailers: lane.downward.trailers ?? HeaderFields(),
                        into: &output
                    )
                }
            } catch {
                return handle(.reset(lane.lane, .server, .protocolError, error.detail), at: now)
            }
        }
        handle(.responseEnded(lane.lane), at: now)
    }

    mutating func sendToClient(_ piece: inout ByteQueue, of lane: LaneState, at now: Timestamp) {
        if let session {
            session.send(piece.count, from: &piece, on: lane.clientStream)
            return
        }
        do throws(TLSFailure) {
            try client.sendHTTP1(&piece, isChunked: lane.downward.isChunked)
        } catch {
            handle(.clientClosed(.reset(error.detail), sentData: true), at: now)
        }
    }

    mutating func sendHTTP1(
        _ piece: inout ByteQueue,
        on link: LinkStack,
        isChunked: Bool,
        at now: Timestamp
    ) {
        do throws(TLSFailure) {
            try link.peer.value.sendHTTP1(&piece, isChunked: isChunked)
        } catch {
            handle(.linkClosed(link.id, .reset(error.detail)), at: now)
        }
    }

    /// Sends the trailers of a request whose last chunk was sent unchanged.
    mutating func sendTrailers(_ trailers: HeaderFields, on link: LinkStack, at now: Timestamp) {
        do throws(HTTP1Failure) {
            try link.peer.value.send { (output: inout ByteQueue) throws(HTTP1Failure) in
                try HTTP1Writer.write(trailers: trailers, into: &output)
            }
        } catch {
            handle(.requestFailed(error), at: now)
        }
    }

    private mutating func sendLastChunk(
        _ trailers: HeaderFields?,
        on link: LinkStack,
        at now: Timestamp
    ) {
        do throws(HTTP1Failure) {
            try link.peer.value.send { (output: inout ByteQueue) throws(HTTP1Failure) in
                try HTTP1Writer.lastChunk(trailers: trailers ?? HeaderFields(), into: &output)
            }
        } catch {
            guard let lane = link.lane else { return }
            refuseRest(of: lane, error.detail, at: now)
        }
    }

    /// Answers for a request whose end cannot be sent on, so that its server never gets the whole request.
    private mutating func refuseRest(of lane: LaneState, _ detail: String, at now: Timestamp) {
        if lane.hasResponse {
            return handle(.reset(lane.lane, .server, .protocolError, detail), at: now)
        }
        let page = ErrorPage.refused(detail, status: 400)
        handle(.answered(lane.lane, page.answer(accept: nil)), at: now)
    }
}

extension PeerStack {
    /// Sends a piece of a body of HTTP/1.
    mutating func sendHTTP1(_ piece: inout ByteQueue, isChunked: Bool) throws(TLSFailure) {
        guard !piece.isEmpty else { return }
        let count = piece.count
        if isChunked { send(Array("\(String(count, radix: 16))\r\n".utf8)) }
        try send(count, from: &piece)
        if isChunked { send([0x0d, 0x0a]) }
    }
}
