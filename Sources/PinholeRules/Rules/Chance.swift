import Synchronization

/// Makes a rule act on a part of its matches, so that programs meet failures now and then.
///
/// The n-th match gets the n-th draw, and the seed determines the draws: the same requests in the same order
/// meet the same failures. All copies of a rule share the count. Reading the rules again restarts it.
package final class Chance: Sendable, Equatable {
    /// The part of the matches on which the rule acts, above 0 and at most 1.
    package let odds: Double
    /// The seed that determines the draws.
    package let seed: UInt64
    /// Whether the seed was drawn, because the configuration names none.
    package let isSeedDrawn: Bool

    private let draws = Atomic<UInt64>(0)

    /// The range of seeds in a configuration.
    ///
    /// JSON parsers of other programs may not represent larger numbers exactly.
    package static let seeds: ClosedRange<Int64> = 0...(1 << 53)
    /// The range of drawn seeds, which are short because users copy them.
    private static let drawnSeeds: ClosedRange<UInt64> = 1...999_999

    /// Creates a chance.
    ///
    /// - Parameters:
    ///   - odds: The part of the matches, above 0 and at most 1.
    ///   - seed: The seed; `nil` to draw one.
    package init(odds: Double, seed: UInt64?) {
        self.odds = odds
        self.seed = seed ?? .random(in: Self.drawnSeeds)
        isSeedDrawn = seed == nil
    }

    /// Makes the draw for the next match.
    ///
    /// - Returns: Whether the rule acts.
    func draw() -> Bool {
        var random = SplitMix(seed: seed, skipping: draws.add(1, ordering: .relaxed).oldValue)
        // The calculation does not use `Double.random`, whose numbers may differ between versions of Swift.
        return Double(random.next() >> 11) * 0x1p-53 < odds
    }

    /// Whether both have the same sequence of draws.
    package static func == (left: Chance, right: Chance) -> Bool {
        left.odds == right.odds && left.seed == right.seed
    }
}
