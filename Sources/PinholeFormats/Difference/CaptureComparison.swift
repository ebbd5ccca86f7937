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
        var found: [String: Set<String>] = noise
        let pairs = ExchangePair.all(first.items, second.items)
        try Self.eachDifferences(pairs, first, second) { pair, differences throws(CaptureFailure) in
            if isCancelled() { throw .cancelled }
            guard let item = pair.before, !differences.isEmpty else { return }
            found[item.shape, default: []].formUnion(differences.map(\.place))
        }
        noise = found
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
        guard !noise.isEmpty, !differences.isEmpty, let known = noise[item.shape] else { return differences }
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
        try compare([ExchangePair(before: before.items.first, after: after.items.first)], before, after, use)
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
        try compare(ExchangePair.all(before.items, after.items), before, after, nearest: limit, use)
    }

    private func compare(
        _ pairs: [ExchangePair],
        _ before: Recording,
        _ after: Recording,
        nearest limit: Int = .max,
        _ use: (Result) throws(CaptureFailure) -> Void
    ) throws(CaptureFailure) {
        lazy var known = (before: ExchangePair.Index(before.items), after: ExchangePair.Index(after.items))
        var left = limit
        try Self.eachDifferences(pairs, before, after) { pair, found throws(CaptureFailure) in
            let told = (pair.before ?? pair.after).map { withoutNoise(found, of: $0) } ?? found
            var nearest: ExchangePair.Item?
            switch (pair.before, pair.after) {
            case (let item?, nil) where left > 0: nearest = known.after.nearest(to: item)
            case (nil, let item?) where left > 0: nearest = known.before.nearest(to: item)
            default: break
            }
            if pair.before == nil || pair.after == nil { left -= 1 }
            try use(
                Result(pair: pair, differences: told, noise: found.count - told.count, nearest: nearest)
            )
        }
    }

    /// Calls `use` with each pair and its differences, in order; each core compares some of the pairs.
    private static func eachDifferences(
        _ pairs: [ExchangePair],
        _ before: Recording,
        _ after: Recording,
        _ use: (ExchangePair, [FactDifference]) throws(CaptureFailure) -> Void
    ) throws(CaptureFailure) {
        let path = after.reader.path
        let lanes = try CaptureLanes(before.reader) { () throws(CaptureFailure) in
            try CaptureReader(path: path)
        }
        for start in stride(from: 0, to: pairs.count, by: CaptureReader.candidatesAtOnce) {
            let some = Array(pairs[start..<min(start + CaptureReader.candidatesAtOnce, pairs.count)])
            let parts = try lanes.results(some) { (part, before, after) throws(CaptureFailure) in
                try differences(part, before, after)
            }
            for (pair, found) in zip(some, parts.joined()) { try use(pair, found) }
        }
    }

    private static func differences(
        _ pairs: ArraySlice<ExchangePair>,
        _ before: CaptureReader,
        _ after: CaptureReader
    ) throws(CaptureFailure) -> [[FactDifference]] {
        var found: [[FactDifference]] = []
        for pair in pairs {
            guard let old = pair.before, let new = pair.after, let one = try before.exchange(old.id),
                let other = try after.exchange(new.id)
            else {
                found.append([])
                continue
            }
            found.append(
                try ExchangeFacts.differences(
                    ExchangeFacts.Source(record: one, reader: before),
                    ExchangeFacts.Source(record: other, reader: after)
                )
            )
        }
        return found
    }
}
