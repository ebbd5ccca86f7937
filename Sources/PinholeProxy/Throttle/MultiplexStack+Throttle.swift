package import PinholeModel
import PinholeRules
import PinholeWire

/// Slows exchanges: what may not pass yet stays in its stream, whose sender gets no more credit; others pass.
extension MultiplexStack {
    /// When what is throttled may go on; `nil` where nothing waits for that.
    package var wake: Timestamp? {
        mutating get {
            throttled.isEmpty ? nil : throttled.compactMap { lanes[$0]?.throttle?.wake }.min()
        }
    }

    mutating func beginThrottle(_ throttling: Throttling, of id: Lane, at now: Timestamp) {
        guard let lane = lanes[id] else { return }
        let seed = UInt64(bitPattern: now.microseconds ^ Int64(id.rawValue) << 40)
        lane.throttle = LineThrottle(throttling, seed: seed, at: now)
        throttled.insert(id)
    }

    /// Passes on what was held back and may go on.
    mutating func passThrottled(at now: Timestamp) {
        for id in throttled {
            guard let lane = lanes[id] else { continue }
            if lane.link != nil { passRequest(lane, at: now) }
            passResponse(lane, at: now)
        }
    }

    /// Whether more of a response of HTTP/1 may pass now, as far as its throttle is concerned; it bounds the next piece.
    func mayPassResponse(_ link: LinkStack, at now: Timestamp) -> Bool {
        guard let throttle = link.lane?.throttle else {
            link.peer.value.reader.pieceLimit = .max
            return true
        }
        let count = throttle.allowance(from: .server, for: link.peer.value.readable.count, at: now)
        link.peer.value.reader.pieceLimit = max(1, count)
        return count > 0
    }

    /// The same for the request of a client of HTTP/1.
    mutating func mayPassRequest(at now: Timestamp) -> Bool {
        guard let current, !current.discardsRequest, let throttle = current.throttle else {
            client.reader.pieceLimit = .max
            return true
        }
        let count = throttle.allowance(from: .client, for: client.readable.count, at: now)
        client.reader.pieceLimit = max(1, count)
        return count > 0
    }
}
