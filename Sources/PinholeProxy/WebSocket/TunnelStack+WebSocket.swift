package import PinholeModel
import PinholeRules
package import PinholeWire

/// Messages that are put into WebSockets, and taken out.
extension TunnelStack {
    mutating func beginRelay(at now: Timestamp) {
        let rules = messageRules.take()
        recorder.beginRelay(rules, into: &records)
        guard rules != nil else { return }
        send(recorder.edit(into: &records) { relay, events in relay.open(at: now, into: &events) })
    }

    /// Passes `count` bytes that `side` sent on, as rules want them to be.
    mutating func passEdited(_ count: Int, from side: Side, at now: Timestamp) {
        let bytes = side == .client ? client.readable.prefix(count) : server?.value.readable.prefix(count)
        guard let bytes else { return }
        if side == .client { client.readable.consume(count) } else { server?.value.readable.consume(count) }
        send(
            recorder.edit(into: &records) { relay, events in
                relay.pass(bytes[...], from: side, at: now, into: &events)
            }
        )
    }

    /// Passes on what is held of a side that sends nothing more.
    mutating func finishEdited(_ side: Side, at now: Timestamp) {
        guard recorder.isEditing else { return }
        send(recorder.edit(into: &records) { relay, events in relay.finish(side, at: now, into: &events) })
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
        guard recorder.openWebSocket == exchange, server != nil, clientMode == .relayed else { return false }
        let output = try recorder.edit(into: &records) { (relay, events) throws(WebSocketFailure) in
            try relay.inject(kind, payload, to: receiver, at: now, into: &events)
        }
        send(output)
        advance(at: now)
        return true
    }

    private mutating func send(_ output: WebSocketOutput) {
        if !output.toClient.isEmpty { client.send(output.toClient.prefix()) }
        if !output.toServer.isEmpty { server?.value.send(output.toServer.prefix()) }
    }
}
