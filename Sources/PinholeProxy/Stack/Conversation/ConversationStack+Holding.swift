import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeWire

/// Held messages: their content is gathered here, and sent on after the decision about them.
extension ConversationStack {
    // MARK: Questions

    mutating func consult(_ id: Lane, _ question: Consultation) {
        guard let lane = lanes[id] else { return }
        lane.isAsked = true
        guard case .message(var message) = question else {
            return driverCommands.append(.consult(id, question))
        }
        message.exchange = lane.recorder.exchangeID
        // The person or program that is asked may want to see the exchange in the capture.
        if message.patience > .zero { lane.recorder.recordAsItStands(into: &records) }
        if !message.isHeadAlone, let held = lane.downward.held ?? lane.upward.held {
            message.body = held.bytes.prefix()
        }
        driverCommands.append(.consult(id, .message(message)))
    }

    mutating func withdraw(_ id: Lane) {
        lanes[id]?.isAsked = false
        driverCommands.append(.withdraw(id))
    }

    /// Applies the content of a decision to the held message, before the machine handles the decision.
    mutating func noteDecision(_ id: Lane, _ decision: ExchangeDecision) {
        guard let lane = lanes[id], lane.isAsked else { return }
        lane.isAsked = false
        guard let change = decision.change else { return }
        if let held = lane.downward.held { return held.replace(with: change.body) }
        lane.upward.held?.replace(with: change.body)
        if let body = change.body { lane.isBodiless = body.isEmpty && lane.upward.trailers == nil }
    }

    /// Ends the holding of messages when an exchange ends; the capture gets the bytes that arrived.
    mutating func endHolding(_ lane: LaneState, at now: Timestamp) {
        if lane.isAsked { withdraw(lane.lane) }
        if let held = lane.upward.held.take() {
            held.restore()
            record(held, of: lane, from: .client, at: now)
        }
        guard let held = lane.downward.held.take(), let response = held.response else { return }
        lane.recorder.noteHeldResponse(response.head, status: response.status, at: held.began)
        record(held, of: lane, from: .server, at: now)
    }

    private mutating func record(
        _ held: HeldBody,
        of lane: LaneState,
        from side: Side,
        at now: Timestamp
    ) {
        if !held.bytes.isEmpty {
            lane.tee(held.bytes.count, of: held.bytes, from: side, at: now, into: &records)
        }
        if held.isWhole { lane.recorder.noteEnd(of: side == .client ? .request : .response, at: now) }
    }

    // MARK: Requests

    mutating func holdRequest(_ id: Lane, continues: Bool, at now: Timestamp) {
        guard let lane = lanes[id] else { return }
        let held = HeldBody(limits, environment.heldBodies, at: now)
        lane.upward.held = held
        if continues, lane.request.version != .http10 { client.sendContinue(on: lane.clientStream) }
        gatherRequest(lane, held, at: now)
    }

    /// Gathers the waiting bytes of a request of HTTP/2, and handles the end of any request.
    mutating func gatherRequest(_ lane: LaneState, _ held: HeldBody, at now: Timestamp) {
        guard held.isGathering else { return }
        let waiting = client.pendingBody(lane.clientStream)
        if waiting > 0 {
            var piece = client.takeBody(upTo: waiting, from: lane.clientStream)
            client.credit(waiting, on: lane.clientStream)
            if let end = held.gather(piece.count, from: &piece) {
                return handle(.requestHeld(lane.lane, end), at: now)
            }
        }
        guard client.pendingBody(lane.clientStream) == 0, lane.upward.hasEnded else { return }
        handle(.requestEnded(lane.lane), at: now)
        let hasTrailers = lane.upward.trailers != nil
        handle(.requestHeld(lane.lane, held.end(hasTrailers: hasTrailers)), at: now)
    }

    /// Gathers a piece of a request of HTTP/1.
    mutating func gather(_ count: Int, for lane: LaneState, _ held: HeldBody, at now: Timestamp) {
        guard let end = held.gather(count, from: &client.readable) else { return }
        handle(.requestHeld(lane.lane, end), at: now)
    }

    /// Sends the held content of a request behind its head.
    mutating func passHeldRequest(_ lane: LaneState, _ head: RequestHead, at now: Timestamp) {
        guard lane.link != nil, let held = lane.upward.held.take() else { return }
        if let replacement = lane.replacement {
            lane.recorder.noteReplacedRequest(head.rebuilt, replacement.original, as: replacement.sent)
        }
        record(held, of: lane, from: .client, at: now)
        var piece = held.take()
        if !piece.isEmpty { sendToServer(&piece, of: lane, at: now) }
    }

    // MARK: Responses

    mutating func holdResponse(
        _ id: Lane,
        _ head: ResponseHead,
        gathers: Bool,
        at now: Timestamp
    ) {
        guard let lane = lanes[id] else { return }
        let response = (head: head.recorded, status: head.receivedStatus)
        let held = HeldBody(limits, environment.heldBodies, response: response, gathers: gathers, at: now)
        lane.downward.held = held
        guard !head.framing.hasBody else { return }
        handle(.responseHeld(id, held.end(hasTrailers: false)), at: now)
    }

    /// Gathers the waiting bytes of a response of HTTP/2, and handles its end.
    mutating func gatherResponse(
        _ lane: LaneState,
        _ held: HeldBody,
        from link: LinkStack,
        _ stream: HTTP2StreamID,
        at now: Timestamp
    ) {
        guard held.isGathering else { return }
        let waiting = link.peer.value.pendingBody(stream)
        if waiting > 0 {
            var piece = link.peer.value.takeBody(upTo: waiting, from: stream)
            link.peer.value.credit(waiting, on: stream)
            if let end = held.gather(piece.count, from: &piece) {
                return handle(.responseHeld(lane.lane, end), at: now)
            }
        }
        guard lane.downward.hasEnded, link.peer.value.pendingBody(stream) == 0 else { return }
        let hasTrailers = lane.downward.trailers != nil
        handle(.responseHeld(lane.lane, held.end(hasTrailers: hasTrailers)), at: now)
    }

    /// Gathers a piece of a response of HTTP/1.
    mutating func gather(
        _ count: Int,
        from link: LinkStack,
        for lane: LaneState,
        _ held: HeldBody,
        at now: Timestamp
    ) {
        guard let end = held.gather(count, from: &link.peer.value.readable) else { return }
        handle(.responseHeld(lane.lane, end), at: now)
    }

    /// Records the head of a response in the form in which it is sent on.
    mutating func note(_ head: ResponseHead, _ held: HeldBody?, of lane: LaneState, at now: Timestamp) {
        guard let held else { return lane.recorder.noteResponse(head, at: now, into: &records) }
        if held.isReplaced {
            lane.recorder.noteHeldResponse(head.rebuilt, status: head.status, at: held.began)
        } else {
            lane.recorder.noteResponse(head, at: held.began, into: &records)
        }
    }

    /// Sends the held content of a response behind its head.
    mutating func passHeldResponse(_ lane: LaneState, _ held: HeldBody, at now: Timestamp) {
        record(held, of: lane, from: .server, at: now)
        if let trailers = lane.downward.trailers {
            lane.recorder.noteTrailers(trailers.section, of: .response)
        }
        var piece = held.take()
        if !piece.isEmpty { sendToClient(&piece, of: lane, at: now) }
        if held.isWhole { endResponse(lane, at: now) } else { passResponse(lane, at: now) }
    }
}
