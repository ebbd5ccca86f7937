import PinholeModel
import PinholeRules
import Testing

@testable import PinholeProxy

@Suite("TokenBucket")
struct TokenBucketTests {
    private let start = Timestamp(seconds: 1_000_000_000)

    /// How long `total` bytes take, and the most that passed at once.
    private func run(_ bucket: TokenBucket, _ total: Int) -> (time: Duration, most: Int, waits: Int) {
        var bucket = bucket
        var now = start
        var left = total
        var most = 0
        var waits = 0
        while left > 0 {
            let count = min(left, bucket.allowance(for: left, at: now))
            if count > 0 {
                bucket.pass(count, at: now)
                left -= count
                most = max(most, count)
            } else {
                waits += 1
                now = bucket.wake ?? now + .seconds(1000)
            }
        }
        return (now - start, most, waits)
    }

    @Test("lets bytes pass at the rate, in small pieces", arguments: [8_000, 400_000, 30_000_000])
    func rate(bits: Int64) {
        let total = Int(bits / 8) * 10
        let run = run(TokenBucket(bits, Throttling(), seed: 1, at: start), total)
        #expect(run.time > .milliseconds(9900) && run.time <= .seconds(10), "\(run)")
        #expect(run.most <= max(64 << 10, Int(bits / 400)))
        // About fifty pieces a second, so nobody is busy with waiting.
        #expect(run.waits <= max(510, total / (64 << 10) + 10))
    }

    @Test("gives no credit for idle time, or when the clock goes back")
    func idle() {
        var bucket = TokenBucket(80_000, Throttling(), seed: 1, at: start)
        let later = start + .seconds(3600)
        #expect(bucket.allowance(for: 1 << 20, at: later) <= 800)
        bucket.pass(800, at: later)
        #expect(bucket.allowance(for: 1 << 20, at: start) == 0)
        #expect(bucket.allowance(for: 0, at: start) == .max && bucket.wake == nil)
    }

    @Test("without a rate everything passes at once")
    func unlimited() {
        var bucket = TokenBucket(nil, Throttling(), seed: 1, at: start)
        #expect(bucket.allowance(for: 1 << 30, at: start) == 1 << 30)
    }

    @Test("lost data comes late by a retransmission, as often as configured")
    func loss() {
        var throttling = Throttling()
        throttling.loss = 0.1
        throttling.latency = .milliseconds(100)
        let run = run(TokenBucket(nil, throttling, seed: 7, at: start), 1460 * 1000)
        #expect((80...120).contains(Int(run.time.milliseconds) / 300), "\(run)")
        #expect(run.time.milliseconds % 300 == 0 && run.most == 14_600)
    }

    @Test("lets nothing pass until the given time")
    func closed() {
        var bucket = TokenBucket(nil, Throttling(), seed: 1, at: start)
        bucket.close(until: start + .milliseconds(5))
        #expect(bucket.allowance(for: 1, at: start) == 0 && bucket.wake == start + .milliseconds(5))
        #expect(bucket.allowance(for: 1, at: start + .milliseconds(5)) == 1 && bucket.wake == nil)
    }
}
