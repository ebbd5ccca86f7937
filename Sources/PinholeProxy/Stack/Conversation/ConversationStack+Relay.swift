import PinholeCrypto
import PinholeModel

/// The relay of bytes after a switch of protocols (RFC 9110 §15.2.2); a WebSocket is relayed in messages if rules
/// apply.
extension ConversationStack {
    mutating func beginRelay(_ id: Lane, at now: Timestamp) {
        guard let lane = lanes[id], let link = lane.link else { return }
        lane.isRelayed = true
        link.mode = .relayed
        let rules = lane.messageRules.take()
        lane.recorder.beginRelay(rules, into: &records)
        guard rules != nil else { return }
        send(
            lane.recorder.edit(into: &records) { relay, events in relay.open(at: now, into: &events) },
            on: link
        )
    }

    /// Passes on bytes of a side, as far as there is room.
    ///
    /// - Returns: Whether anything happened.
    mutating func relay(from side: Side, at now: Timestamp) -> Bool {
        guard let lane = current, let link = lane.link else { return false }
        if side == .client {
            client.decrypt(limit: limits.readSize)
        } else {
            link.peer.value.decrypt(limit: limits.readSize)
        }
        let waiting = side == .client ? client.readableCount : link.peer.value.readableCount
        let taken = side == .client ? link.peer.value.pendingOutput : client.pendingOutput
        let count = taken < limits.outputHighWater ? lane.allowance(from: side, for: waiting, at: now) : 0
        if count > 0 {
            lane.throttle?.pass(count, from: side, at: now)
            do throws(TLSFailure) {
                try pass(count, from: side, lane, link, at: now)
            } catch {
                let end = CloseKind.reset(error.detail)
                handle(
                    side == .client ? .linkClosed(link.id, end) : .clientClosed(end, sentData: true),
                    at: now
                )
                return true
            }
        }
        let end = count < waiting ? nil : side == .client ? client.takeEnd() : link.peer.value.takeEnd()
        guard let end else { return count > 0 }
        finishRelayed(lane, link, side, at: now)
        handle(side == .client ? .clientClosed(end, sentData: true) : .linkClosed(link.id, end), at: now)
        return true
    }

    private mutating func pass(
        _ count: Int,
        from side: Side,
        _ lane: LaneState,
        _ link: LinkStack,
        at now: Timestamp
    ) throws(TLSFailure) {
        if lane.recorder.isEditing {
            let bytes =
                side == .client ? client.readable.prefix(count) : link.peer.value.readable.prefix(count)
            if side == .client {
                client.readable.consume(count)
            } else {
                link.peer.value.readable.consume(count)
            }
            let output = lane.recorder.edit(into: &records) { relay, events in
                relay.pass(bytes[...], from: side, at: now, into: &events)
            }
            return send(output, on: link)
        }
        if side == .client {
            lane.recorder.relay(count, of: client.readable, from: .client, at: now, into: &records)
            try link.peer.value.send(count, from: &client.readable)
        } else {
            lane.recorder.relay(count, of: link.peer.value.readable, from: .server, at: now, into: &records)
            try client.send(count, from: &link.peer.value.readable)
        }
    }

    /// Passes on the held bytes of a side whose stream has ended.
    private mutating func finishRelayed(_ lane: LaneState, _ link: LinkStack, _ side: Side, at now: Timestamp)
    {
        guard lane.recorder.isEditing else { return }
        send(
            lane.recorder.edit(into: &records) { relay, events in relay.finish(side, at: now, into: &events)
            },
            on: link
        )
    }

    /// Sends the output of a WebSocket to both sides of the relay.
    mutating func send(_ output: WebSocketOutput, on link: LinkStack) {
        if !output.toClient.isEmpty { client.send(output.toClient.prefix()) }
        if !output.toServer.isEmpty { link.peer.value.send(output.toServer.prefix()) }
    }

    mutating func closeHalf(_ id: Lane, toward side: Side) {
        if side == .client {
            client.sendCloseNotify()
            driverCommands.append(.closeClient)
        } else if let link = lanes[id]?.link {
            link.peer.value.sendCloseNotify()
            driverCommands.append(.closeLinkHalf(link.id))
        }
    }
}
