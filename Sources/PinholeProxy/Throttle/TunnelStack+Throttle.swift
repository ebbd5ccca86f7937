import PinholeModel
import PinholeRules
import PinholeWire

/// Slows messages and bytes: what may not pass yet stays where it is, and reading pauses behind it.
extension TunnelStack {
    mutating func beginThrottle(_ throttling: Throttling, at now: Timestamp) {
        let seed = UInt64(bitPattern: now.microseconds ^ tunnel.flow.id.rawValue << 32)
        // A relay without an exchange has no request that could have waited.
        throttle = LineThrottle(throttling, seed: seed, waits: !recorder.isActive, at: now)
    }

    mutating func endThrottle() {
        guard throttle != nil else { return }
        throttle = nil
        client.reader.pieceLimit = .max
        server?.value.reader.pieceLimit = .max
    }

    /// Whether more of a request may pass now, as far as the throttle is concerned; it bounds the next piece.
    mutating func mayPassRequest(at now: Timestamp) -> Bool {
        guard let throttle, requestFlow == .forwarded else { return true }
        let count = throttle.allowance(from: .client, for: client.readable.count, at: now)
        client.reader.pieceLimit = max(1, count)
        return count > 0
    }

    /// Whether more of a response may pass now, as far as the throttle is concerned; it bounds the next piece.
    mutating func mayPassResponse(at now: Timestamp) -> Bool {
        guard let throttle, let waiting = server?.value.readable.count else { return true }
        let count = throttle.allowance(from: .server, for: waiting, at: now)
        server?.value.reader.pieceLimit = max(1, count)
        return count > 0
    }
}
