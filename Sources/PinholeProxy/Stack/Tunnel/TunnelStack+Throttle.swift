import PinholeModel
import PinholeRules

/// Limits the speed of a relay. Bytes that may not pass yet stay in their queue, and reading pauses.
extension TunnelStack {
    mutating func beginThrottle(_ actions: [RuleAction], at now: Timestamp) {
        let seed = UInt64(bitPattern: now.microseconds ^ flow.id.rawValue << 32)
        // A relay has no request that could wait for the latency, so the server's first bytes do.
        throttle = LineThrottle(actions, seed: seed, waits: true, at: now)
    }
}
