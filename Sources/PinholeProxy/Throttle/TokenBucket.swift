import PinholeModel
import PinholeRules

/// Lets the bytes of one direction pass at a rate, and now and then late.
///
/// Nothing waits in it: it says how much may pass now, and when it is worth asking again. Credit grows with time, up to
/// what passes in a few hundredths of a second.
struct TokenBucket: Sendable {
    /// What TCP sends in one piece.
    private static let segment = 1460
    /// Credit is counted in bytes × microseconds, so that nothing is lost by rounding.
    private static let scale: Int64 = 1_000_000
    /// Pieces pass about so often in a second.
    private static let piecesPerSecond: Int64 = 50
    /// No longer time counts: nobody was waiting then.
    private static let memory = Duration.seconds(1)
    /// Segments that pass at once where some of them may come late.
    private static let segmentsAtOnce = 10

    /// Bytes per second; `nil` for no limit.
    private let rate: Int64?
    /// The bytes for which it is worth waiting.
    private let piece: Int64
    private let loss: Double
    private let retransmission: Duration
    private var credit: Int64
    private var updated: Timestamp
    private var random: SplitMix
    /// Bytes of a segment that is not full.
    private var partial = 0
    /// Until when nothing passes.
    private var closedUntil: Timestamp?
    /// When more may pass, for whoever was told to wait.
    private(set) var wake: Timestamp?

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - bits: Bits per second; `nil` for no limit.
    ///   - throttling: How much is lost, and what that costs.
    ///   - seed: Whatever differs from bucket to bucket.
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

    /// Lets nothing pass until then.
    mutating func close(until time: Timestamp) { closedUntil = time }

    /// How many bytes may pass.
    ///
    /// - Parameters:
    ///   - count: How many there are.
    ///   - now: The time.
    /// - Returns: So many; 0 to ask again at ``wake``.
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

    /// Takes note of bytes that pass.
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
