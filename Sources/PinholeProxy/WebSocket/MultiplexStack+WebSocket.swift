import PinholeHTTP2
package import PinholeModel
import PinholeRules
package import PinholeWire

/// Messages that are put into WebSockets in streams (RFC 8441), and taken out.
extension MultiplexStack {
    /// Writes down a piece of a body; of a WebSocket with rules, the piece becomes what goes on.
    mutating func note(_ piece: inout ByteQueue, of lane: LaneState, from side: Side, at now: Timestamp) {
        guard lane.recorder.isEditing else {
            return lane.tee(piece.count, of: piece, from: side, at: now, into: &records)
        }
        lane.throttle?.pass(piece.count, from: side, at: now)
        let bytes = piece.prefix()
        let output = lane.recorder.edit(into: &records) { relay, events in
            relay.pass(bytes[...], from: side, at: now, into: &events)
        }
        piece = side == .client ? output.toServer : output.toClient
        send(side == .client ? output.toClient : output.toServer, to: side, of: lane, at: now)
    }

    /// Sends what rules want to be sent when the WebSocket is open.
    mutating func openMessages(_ lane: LaneState, at now: Timestamp) {
        guard lane.messageRules.take() != nil, lane.recorder.isEditing else { return }
        send(
            lane.recorder.edit(into: &records) { relay, events in relay.open(at: now, into: &events) },
            of: lane,
            at: now
        )
    }

    /// Passes on what is held of a side that sends nothing more.
    mutating func finishEdited(_ lane: LaneState, _ side: Side, at now: Timestamp) {
        guard lane.recorder.isEditing else { return }
        send(
            lane.recorder.edit(into: &records) { relay, events in relay.finish(side, at: now, into: &events)
            },
            of: lane,
            at: now
        )
    }

    /// Sends a message in a WebSocket, at once or as soon as it may stand there.
    ///
    /// - Parameters:
    ///   - kind: What it is.
    ///   - payload: What it holds.
    ///   - receiver: Who gets it.
    ///   - exchange: The exchange that opened the WebSocket.
    ///   - now: The time.
    /// - Returns: Whether the WebSocket stands here.
    /// - Throws: ``WebSocketFailure`` where the RFC forbids it; nothing may follow a close, for one.
    package mutating func inject(
        _ kind: WebSocketMessage.Kind,
        _ payload: [UInt8],
        to receiver: Side,
        into exchange: ExchangeID,
        at now: Timestamp
    ) throws(WebSocketFailure) -> Bool {
        guard let lane = lanes.values.first(where: { $0.recorder.openWebSocket == exchange }) else {
            return false
        }
        let output = try lane.recorder.edit(into: &records) { (relay, events) throws(WebSocketFailure) in
            try relay.inject(kind, payload, to: receiver, at: now, into: &events)
        }
        send(output, of: lane, at: now)
        advance(at: now)
        return true
    }

    private mutating func send(_ output: WebSocketOutput, of lane: LaneState, at now: Timestamp) {
        send(output.toClient, to: .client, of: lane, at: now)
        send(output.toServer, to: .server, of: lane, at: now)
    }

    private mutating func send(_ bytes: ByteQueue, to side: Side, of lane: LaneState, at now: Timestamp) {
        var piece = bytes
        guard !piece.isEmpty else { return }
        guard side == .server else { return sendToClient(&piece, of: lane, at: now) }
        guard let link = lane.link, let session = link.session, let stream = lane.serverStream else { return }
        session.send(piece.count, from: &piece, on: stream)
    }
}
