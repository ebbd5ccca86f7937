package import PinholeStore

/// Compares the exchanges of two recordings, without what changes in every run.
package struct CaptureComparison {
    /// A recording: the exchanges of a capture that a filter selects.
    package struct Recording {
        fileprivate let reader: CaptureReader
        /// The exchanges, oldest first.
        package let items: [ExchangePair.Item]

        /// Reads the exchanges.
        ///
        /// - Parameters:
        ///   - reader: The capture.
        ///   - filter: The filter that selects exchanges.
        ///   - limit: The largest number of exchanges.
        /// - Throws: ``CaptureFailure`` if the file cannot be read.
        package init(
            _ reader: CaptureReader,
            _ filter: ExchangeFilter,
            limit: Int = .max
        ) throws(CaptureFailure) {
            self.reader = reader
            items = try ExchangePair.items(reader, filter, limit: limit)
        }

        fileprivate func facts(_ item: ExchangePair.Item) throws(CaptureFailure) -> ExchangeFacts? {
            guard let record = try reader.exchange(item.id) else { return nil }
            return try ExchangeFacts(record, reader)
        }
    }

    /// The result for one pair.
    package struct Result: Sendable, Equatable {
        /// The exchanges.
        package let pair: ExchangePair
        /// The differences of the two, without noise; empty if there is only one.
        package let differences: [FactDifference]
        /// The number of differences that were left out as noise.
        package let noise: Int
        /// For an exchange without a partner, the one of the other recording that is most like it.
        package let nearest: ExchangePair.Item?

        /// Whether the exchanges are the same.
        package var isSame: Bool { pair.before != nil && pair.after != nil && differences.isEmpty }
    }

    /// The places that change in every run, by the shape of the exchange.
    private var noise: [String: Set<String>] = [:]

    /// Creates a comparison that knows no noise.
    package init() {}

    /// Learns what changes in every run from two recordings of the same.
    ///
    /// - Parameters:
    ///   - first: A recording.
    ///   - second: Another recording of the same.
    ///   - isCancelled: Whether nobody waits for the result any more.
    /// - Throws: ``CaptureFailure`` if a file cannot be read, or the work was cancelled.
    package mutating func learn(
        _ first: Recording,
        _ second: Recording,
        isCancelled: () -> Bool = { false }
    ) throws(CaptureFailure) {
        for pair in ExchangePair.all(first.items, second.items) {
            if isCancelled() { throw .cancelled }
            guard let item = pair.before else { continue }
            for difference in try differences(pair, first, second) {
                noise[item.shape, default: []].insert(difference.place)
            }
        }
    }

    /// Returns what differs, without the noise.
    ///
    /// - Parameters:
    ///   - differences: The differences of two exchanges.
    ///   - item: One of the two.
    ///   - message: The message that the differences are in, unless their names tell it.
    /// - Returns: The differences that are no noise.
    package func withoutNoise(
        _ differences: [FactDifference],
        of item: ExchangePair.Item,
        in message: String? = nil
    ) -> [FactDifference] {
        guard let known = noise[item.shape] else { return differences }
        let front = message.map { "\($0) " } ?? ""
        return differences.filter { !known.contains(front + $0.place) }
    }

    /// Compares the first exchanges of two recordings, which need not be alike.
    ///
    /// - Parameters:
    ///   - before: The first recording.
    ///   - after: The second recording.
    ///   - use: Called with the result.
    /// - Throws: ``CaptureFailure`` if a file cannot be read, or the error of `use`.
    package func compareFirst(
        _ before: Recording,
        _ after: Recording,
        _ use: (Result) throws(CaptureFailure) -> Void
    ) throws(CaptureFailure) {
        let pair = ExchangePair(before: before.items.first, after: after.items.first)
        try use(result(pair, before, after))
    }

    /// Compares two recordings, pair by pair.
    ///
    /// - Parameters:
    ///   - before: The first recording.
    ///   - after: The second recording.
    ///   - limit: The largest number of exchanges without a partner for which the nearest one is looked for. That takes
    ///     a comparison with every path of the other recording.
    ///   - use: Called with each result, in order.
    /// - Throws: ``CaptureFailure`` if a file cannot be read, or the error of `use`.
    package func compare(
        _ before: Recording,
        _ after: Recording,
        nearest limit: Int = .max,
        _ use: (Result) throws(CaptureFailure) -> Void
    ) throws(CaptureFailure) {
        var left = limit
        for pair in ExchangePair.all(before.items, after.items) {
            try use(result(pair, before, after, withNearest: left > 0))
            if pair.before == nil || pair.after == nil { left -= 1 }
        }
    }

    private func result(
        _ pair: ExchangePair,
        _ before: Recording,
        _ after: Recording,
        withNearest: Bool = true
    ) throws(CaptureFailure) -> Result {
        let found = try differences(pair, before, after)
        let told = (pair.before ?? pair.after).map { withoutNoise(found, of: $0) } ?? found
        var nearest: ExchangePair.Item?
        if withNearest, pair.after == nil, let item = pair.before {
            nearest = ExchangePair.nearest(to: item, in: after.items)
        } else if withNearest, pair.before == nil, let item = pair.after {
            nearest = ExchangePair.nearest(to: item, in: before.items)
        }
        return Result(pair: pair, differences: told, noise: found.count - told.count, nearest: nearest)
    }

    private func differences(
        _ pair: ExchangePair,
        _ before: Recording,
        _ after: Recording
    ) throws(CaptureFailure) -> [FactDifference] {
        guard let left = pair.before, let right = pair.after, let old = try before.facts(left),
            let new = try after.facts(right)
        else { return [] }
        return new.differences(from: old)
    }
}
