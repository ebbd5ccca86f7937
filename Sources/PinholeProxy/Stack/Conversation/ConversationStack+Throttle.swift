package import PinholeModel
import PinholeRules
import PinholeWire

/// Limits the speed of exchanges. Bytes that may not pass yet stay in their stream, whose sender gets no more credit;
/// other streams continue.
extension ConversationStack {
    /// The time at which throttled bytes may pass; `nil` if none wait.
    package var wake: Timestamp? {
        mutating get {
            throttled.isEmpty ? nil : throttled.compactMap { lanes[$0]?.throttle?.wake }.min()
        }
    }

    mutating func beginThrottle(_ actions: [RuleAction], of id: Lane, at now: Timestamp) {
        guard let lane = lanes[id] else { return }
        let seed = UInt64(bitPattern: now.microseconds ^ Int64(id.rawValue) << 40)
        lane.throttle = LineThrottle(actions, seed: seed, at: now)
        throttled.insert(id)
    }

    /// Passes on the bytes of throttled exchanges that may pass now.
    mutating func passThrottled(at now: Timestamp) {
        for id in throttled {
            guard let lane = lanes[id] else { continue }
            if lane.link != nil { passRequest(lane, at: now) }
            passResponse(lane, at: now)
        }
    }

    /// Whether more of a response of HTTP/1 may be read now: the client has room, and a throttle allows it, which also
    /// limits the next piece.
    mutating func mayReadResponse(from link: LinkStack, at now: Timestamp) -> Bool {
        let lane = link.lane
        guard roomTowardClient(lane) > 0 else { return false }
        guard let throttle = lane?.throttle else {
            link.peer.value.reader.pieceLimit = .max
            return true
        }
        let count = throttle.allowance(from: .server, for: link.peer.value.readableCount, at: now)
        link.peer.value.reader.pieceLimit = max(1, count)
        return count > 0
    }

    /// Whether the next part of a request can be read: a head if there is no exchange, otherwise as much of the body
    /// as the server has room for and a throttle allows, which also limits the next piece.
    mutating func mayReadRequest(at now: Timestamp) -> Bool {
        client.reader.pieceLimit = .max
        // The proxy's own answers wait for no server, so a full output queue stops the reading of requests.
        guard let current else { return client.pendingOutput < limits.outputHighWater }
        guard
            current.upward.held?.isGathering == true
                || !current.upward.hasEnded && (current.discardsRequest || serverHasRoom(current))
        else { return false }
        guard !current.discardsRequest, let throttle = current.throttle else { return true }
        let count = throttle.allowance(from: .client, for: client.readableCount, at: now)
        client.reader.pieceLimit = max(1, count)
        return count > 0
    }
}
