package import PinholeFilter

/// A filter with matches that is near to a filter without any.
package struct FilterSuggestion: Sendable, Equatable {
    /// The suggested filter.
    package let filter: Filter
    /// The number of exchanges and flows that the filter matches.
    package let entries: Int
    /// Whether all matches were counted; otherwise there may be more.
    package let isWhole: Bool
}

extension CaptureReader {
    /// Returns the filter nearest to one without matches, with the number of its matches.
    ///
    /// - Parameters:
    ///   - condition: The filter without matches.
    ///   - time: The time limit of the search; each candidate costs as much as a list.
    ///   - isAbandoned: Called now and then; `true` ends the search.
    /// - Returns: The filter; `nil` if no candidate matches anything in time.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func suggestion(
        for condition: Filter,
        within time: Duration = .seconds(1),
        isAbandoned: @escaping @Sendable () -> Bool = { false }
    ) throws(CaptureFailure) -> FilterSuggestion? {
        let end = ContinuousClock.now + time
        let isOver: @Sendable () -> Bool = { isAbandoned() || ContinuousClock.now >= end }
        let reader = until(isOver)
        let corrected = try condition.corrected { () throws(CaptureFailure) -> [String] in
            try reader.hosts(TrafficFilter(), isCancelled: isOver)?.map(\.place.host) ?? []
        }
        for filter in [corrected].compactMap(\.self) + condition.looser {
            guard !isOver() else { return nil }
            var count = 0
            let isWhole = try reader.trafficIDs(TrafficFilter(filter), isCancelled: isOver) { _ in count += 1
            }
            if count > 0 {
                return FilterSuggestion(filter: filter, entries: count, isWhole: isWhole && !isOver())
            }
        }
        return nil
    }
}
