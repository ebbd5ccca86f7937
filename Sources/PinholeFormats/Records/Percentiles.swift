/// The percentiles of durations, by the nearest rank.
package struct Percentiles: Sendable, Equatable {
    /// The shortest duration.
    package let least: Duration
    /// The duration that half of them do not exceed.
    package let p50: Duration
    /// The duration that nine of ten do not exceed.
    package let p90: Duration
    /// The duration that 99 of 100 do not exceed.
    package let p99: Duration
    /// The longest duration.
    package let most: Duration

    /// Computes the percentiles; `nil` without durations.
    package init?(_ durations: [Duration]) {
        let sorted = durations.sorted()
        guard let least = sorted.first, let most = sorted.last else { return nil }
        let rank = { (share: Int) in sorted[(sorted.count * share + 99) / 100 - 1] }
        self.least = least
        self.most = most
        (p50, p90, p99) = (rank(50), rank(90), rank(99))
    }
}
