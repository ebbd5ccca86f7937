/// Pseudo-random numbers that a seed determines (SplitMix64).
///
/// They are good enough for chances, not for secrets.
package struct SplitMix: RandomNumberGenerator, Sendable, Equatable {
    private static let step: UInt64 = 0x9e37_79b9_7f4a_7c15

    private var state: UInt64

    /// Creates a generator with a seed.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - count: The number of values to skip.
    package init(seed: UInt64, skipping count: UInt64 = 0) { state = seed &+ count &* Self.step }

    /// Returns the next number.
    package mutating func next() -> UInt64 {
        state &+= Self.step
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
