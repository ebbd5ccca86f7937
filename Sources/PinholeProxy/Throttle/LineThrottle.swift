import PinholeModel
import PinholeRules

/// What slows one exchange, or one tunnel, in both directions.
///
/// It is an object, since hardly any exchange has one.
final class LineThrottle {
    private var up: TokenBucket
    private var down: TokenBucket

    /// Creates a throttle.
    ///
    /// - Parameters:
    ///   - throttling: How slow.
    ///   - seed: Whatever differs from exchange to exchange.
    ///   - waits: Whether the first bytes of the server wait for the latency, since no request does.
    ///   - now: The time.
    init(_ throttling: Throttling, seed: UInt64, waits: Bool = false, at now: Timestamp) {
        up = TokenBucket(throttling.up, throttling, seed: seed, at: now)
        down = TokenBucket(throttling.down, throttling, seed: ~seed, at: now)
        if waits { down.close(until: now + throttling.delay(seed: seed)) }
    }

    /// How many of `count` bytes of `side` may pass; 0 to ask again at ``wake``.
    func allowance(from side: Side, for count: Int, at now: Timestamp) -> Int {
        side == .client ? up.allowance(for: count, at: now) : down.allowance(for: count, at: now)
    }

    /// Takes note of bytes of `side` that pass.
    func pass(_ count: Int, from side: Side, at now: Timestamp) {
        if side == .client { up.pass(count, at: now) } else { down.pass(count, at: now) }
    }

    /// When more may pass; `nil` where nothing waits for that.
    var wake: Timestamp? {
        switch (up.wake, down.wake) {
        case (let up?, let down?): min(up, down)
        case (let up, let down): up ?? down
        }
    }
}
