import PinholeHTTP2
package import PinholeModel
package import PinholeWire

/// WebSockets in streams (RFC 8441) whose messages are edited, and messages that are injected into any WebSocket.
extension ConversationStack {
    /// Records a piece of a body.
    ///
    /// In a WebSocket with rules, the piece is replaced by the bytes to send on.
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

    /// Sends the messages of rules that are due when the WebSocket has been opened.
    mutating func openMessages(_ lane: LaneState, at now: Timestamp) {
        guard lane.messageRules.take() != nil, lane.recorder.isEditing else { return }
        send(
            lane.recorder.edit(into: &records) { relay, events in relay.open(at: now, into: &events) },
            of: lane,
            at: now
        )
    }

    /// Passes on the held bytes of a side whose stream has ended.
    mutating func finishEdited(_ lane: LaneState, _ side: Side, at now: Timestamp) {
        guard lane.recorder.isEditing else { return }
        send(
            lane.recorder.edit(into: &records) { relay, events in relay.finish(side, at: now, into: &events)
            },
            of: lane,
            at: now
        )
    }

    /// Sends a message in a WebSocket, at once or as soon as the current message ends.
    ///
    /// - Parameters:
    ///   - kind: The kind of the message.
    ///   - payload: The content of the message.
    ///   - receiver: The side that gets the message.
    ///   - exchange: The exchange that opened the WebSocket.
    ///   - now: The time.
    /// - Returns: Whether the WebSocket is open here.
    /// - Throws: ``WebSocketFailure`` if RFC 6455 forbids the message, for example after a close.
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
        if lane.isRelayed, let link = lane.link {
            return side == .client ? client.send(piece.prefix()) : link.peer.value.send(piece.prefix())
        }
        guard side == .server else { return sendToClient(&piece, of: lane, at: now) }
        if lane.serverStream != nil { sendToServer(&piece, of: lane, at: now) }
    }
}
