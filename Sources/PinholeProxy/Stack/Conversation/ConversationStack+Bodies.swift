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
        if !lane.upward.isDone { passWaiting(lane, at: now) }
        guard lane.upward.hasEnded, !lane.upward.isDone, let link = lane.link,
            client.pendingBody(lane.clientStream) == 0
        else { return }
        finishEdited(lane, .client, at: now)
        lane.upward.isDone = true
        do throws(HTTPPeer.MessageFailure) {
            try link.peer.value.finish(
                lane.serverStream,
                isChunked: lane.upward.isChunked && !lane.upward.isVerbatim,
                trailers: lane.upward.trailers
            )
        } catch {
            link.peer.value.reset(lane.serverStream, .cancel)
            refuseRest(of: lane, error.detail, at: now)
        }
        handle(.requestEnded(lane.lane), at: now)
    }

    private mutating func passWaiting(_ lane: LaneState, at now: Timestamp) {
        let waiting = min(client.pendingBody(lane.clientStream), roomTowardServer(lane))
        guard waiting > 0 else { return }
        let count = lane.allowance(from: .client, for: waiting, at: now)
        guard count > 0 else { return }
        var piece = client.takeBody(upTo: count, from: lane.clientStream)
        note(&piece, of: lane, from: .client, at: now)
        sendToServer(&piece, of: lane, at: now)
        client.credit(count, on: lane.clientStream)
    }

    /// The number of request bytes that can be passed to the server now; 0 while there is no connection to it.
    mutating func roomTowardServer(_ lane: LaneState) -> Int {
        lane.link?.peer.value.room(on: lane.serverStream, limit: limits.outputHighWater) ?? 0
    }

    /// Whether more of a request can be passed to the server.
    mutating func serverHasRoom(_ lane: LaneState) -> Bool { roomTowardServer(lane) > 0 }

    /// Passes on the waiting bytes of a response of HTTP/2, and its end.
    mutating func passResponse(_ lane: LaneState, at now: Timestamp) {
        guard let link = lane.link, let stream = lane.serverStream, !lane.downward.isDone else { return }
        if let held = lane.downward.held {
            guard !held.isPaused else { return }
            return gatherResponse(lane, held, from: link, stream, at: now)
        }
        let waiting = min(link.peer.value.pendingBody(stream), roomTowardClient(lane))
        let count = waiting > 0 ? lane.allowance(from: .server, for: waiting, at: now) : 0
        if count > 0 {
            var piece = link.peer.value.takeBody(upTo: count, from: stream)
            note(&piece, of: lane, from: .server, at: now)
            sendToClient(&piece, of: lane, at: now)
            link.peer.value.credit(count, on: stream)
        }
        guard link.peer.value.pendingBody(stream) == 0 else { return }
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
        if let held = lane?.downward.held, held.isPaused { return 0 }
        return client.room(on: lane?.clientStream, limit: limits.outputHighWater)
    }

    /// Sends the end of a response, once.
    mutating func endResponse(_ lane: LaneState, at now: Timestamp) {
        guard !lane.downward.isDone else { return }
        lane.downward.isDone = true
        do throws(HTTPPeer.MessageFailure) {
            try client.finish(
                lane.clientStream,
                isChunked: lane.downward.isChunked && !lane.downward.isVerbatim,
                trailers: lane.downward.trailers
            )
        } catch {
            return handle(.reset(lane.lane, .server, error.code, error.detail), at: now)
        }
        handle(.responseEnded(lane.lane), at: now)
    }

    mutating func sendToClient(_ piece: inout ByteQueue, of lane: LaneState, at now: Timestamp) {
        do throws(TLSFailure) {
            let isChunked = lane.downward.isChunked
            try client.sendBody(piece.count, from: &piece, on: lane.clientStream, isChunked: isChunked)
        } catch {
            handle(.clientClosed(.reset(error.detail), sentData: true), at: now)
        }
    }

    mutating func sendToServer(_ piece: inout ByteQueue, of lane: LaneState, at now: Timestamp) {
        guard let link = lane.link else { return }
        do throws(TLSFailure) {
            let isChunked = lane.upward.isChunked
            try link.peer.value.sendBody(
                piece.count,
                from: &piece,
                on: lane.serverStream,
                isChunked: isChunked
            )
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

    /// Answers for a request whose end cannot be sent on, so that its server never gets the whole request.
    private mutating func refuseRest(of lane: LaneState, _ detail: String, at now: Timestamp) {
        if lane.hasResponse {
            return handle(.reset(lane.lane, .server, .protocolError, detail), at: now)
        }
        let page = ErrorPage.refused(detail, status: 400)
        handle(.answered(lane.lane, page.answer(accept: nil)), at: now)
    }
}
