import PinholeModel
import PinholeRules

/// The throttle of one exchange or one tunnel: the actions of rules on the bytes as they pass in both directions.
///
/// Another kind of rule that acts on passing bytes has its state and its part of ``allowance(from:for:at:)`` here. The
/// throttle is an object, because few exchanges have one.
final class LineThrottle {
    private var up: TokenBucket
    private var down: TokenBucket

    /// Creates a throttle.
    ///
    /// - Parameters:
    ///   - actions: The actions of the rules.
    ///   - seed: A number that differs from exchange to exchange.
    ///   - waits: Whether the first bytes of the server wait for the latency, because there is no request that could
    ///     wait.
    ///   - now: The time.
    init(_ actions: [RuleAction], seed: UInt64, waits: Bool = false, at now: Timestamp) {
        var throttling = Throttling()
        for case .throttle(let limits) in actions { throttling = limits }
        up = TokenBucket(throttling.up, throttling, seed: seed, at: now)
        down = TokenBucket(throttling.down, throttling, seed: ~seed, at: now)
        if waits { down.close(until: now + throttling.delay(seed: seed)) }
    }

    /// Returns how many of `count` bytes of `side` may pass; 0 if the caller should ask again at ``wake``.
    func allowance(from side: Side, for count: Int, at now: Timestamp) -> Int {
        side == .client ? up.allowance(for: count, at: now) : down.allowance(for: count, at: now)
    }

    /// Notes that bytes of `side` pass.
    func pass(_ count: Int, from side: Side, at now: Timestamp) {
        if side == .client { up.pass(count, at: now) } else { down.pass(count, at: now) }
    }

    /// The time at which more bytes may pass; `nil` if none wait.
    var wake: Timestamp? {
        switch (up.wake, down.wake) {
        case (let up?, let down?): min(up, down)
        case (let up, let down): up ?? down
        }
    }
}
