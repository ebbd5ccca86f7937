import PinholeModel
import PinholeRules

/// Limits the rate of one direction, and delays some bytes as if packets were lost.
///
/// The bucket holds no bytes: it says how many may pass now, and when to ask again. Credit grows with time, up to the
/// bytes that pass in a few hundredths of a second.
struct TokenBucket: Sendable {
    /// The payload of one TCP segment, in bytes.
    private static let segment = 1460
    /// The factor of the credit, which is counted in bytes × microseconds, so that rounding loses nothing.
    private static let scale: Int64 = 1_000_000
    /// The approximate number of pieces that pass in a second.
    private static let piecesPerSecond: Int64 = 50
    /// The longest time for which credit grows; in a longer pause, no bytes were waiting.
    private static let memory = Duration.seconds(1)
    /// The number of segments that pass at one time if some of them may be delayed.
    private static let segmentsAtOnce = 10

    /// The rate in bytes per second; `nil` if there is no limit.
    private let rate: Int64?
    /// The number of bytes for which it is worth waiting.
    private let piece: Int64
    private let loss: Double
    private let retransmission: Duration
    private var credit: Int64
    private var updated: Timestamp
    private var random: SplitMix
    /// The number of bytes in a segment that is not full.
    private var partial = 0
    /// The time until which nothing passes; `nil` if bytes may pass.
    private var closedUntil: Timestamp?
    /// The time at which more bytes may pass; `nil` if the last caller did not have to wait.
    private(set) var wake: Timestamp?

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - bits: The rate in bits per second, or `nil` if there is no limit.
    ///   - throttling: The share of lost packets, and the delay for each of them.
    ///   - seed: A number that differs from bucket to bucket.
    ///   - now: The time.
    init(_ bits: Int64?, _ throttling: Throttling, seed: UInt64, at now: Timestamp) {
        rate = bits.map { max(1, $0 / 8) }
        piece = min(64 << 10, max(1, (rate ?? 0) / Self.piecesPerSecond))
        loss = throttling.loss
        retransmission = throttling.retransmission
        credit = piece * Self.scale
        updated = now
        random = SplitMix(seed: seed)
    }

    /// Lets nothing pass until `time`.
    mutating func close(until time: Timestamp) { closedUntil = time }

    /// Returns how many bytes may pass.
    ///
    /// - Parameters:
    ///   - count: The number of bytes that wait.
    ///   - now: The time.
    /// - Returns: The number of bytes; 0 if the caller should ask again at ``wake``.
    mutating func allowance(for count: Int, at now: Timestamp) -> Int {
        wake = nil
        guard count > 0 else { return .max }
        if let closedUntil {
            guard now >= closedUntil else {
                wake = closedUntil
                return 0
            }
            self.closedUntil = nil
        }
        let most = loss > 0 ? Self.segmentsAtOnce * Self.segment : .max
        guard let rate else { return min(count, most) }
        fill(rate, at: now)
        let wanted = min(Int64(count), piece)
        guard credit >= wanted * Self.scale else {
            let missing = wanted * Self.scale - credit
            wake = now + .microseconds((missing + rate - 1) / rate)
            return 0
        }
        return min(count, Int(credit / Self.scale), most)
    }

    /// Notes that bytes pass.
    mutating func pass(_ count: Int, at now: Timestamp) {
        if rate != nil { credit -= Int64(count) * Self.scale }
        guard loss > 0 else { return }
        partial += count
        let segments = partial / Self.segment
        partial %= Self.segment
        for _ in 0..<segments where Double.random(in: 0..<1, using: &random) < loss {
            closedUntil = max(closedUntil ?? now, now) + retransmission
        }
    }

    private mutating func fill(_ rate: Int64, at now: Timestamp) {
        let elapsed = max(.zero, min(Self.memory, now - updated))
        updated = max(updated, now)
        credit = min(credit + elapsed.microseconds * rate, 4 * piece * Self.scale)
    }
}
