import PinholeConsole
import PinholeFilter
import PinholeModel
import PinholeStore

/// Exchanges, and the flows that have none to show, in one list.
struct CaptureListing {
    let reader: CaptureReader
    let condition: Filter
    /// Whether spare connections are listed.
    var showsSpares = false
    /// Called during a search with the number of rows that were examined, and the number of all rows.
    var progress: (@Sendable (_ done: Int64, _ total: Int64) -> Void)?

    /// The newest that the filter means, oldest first.
    ///
    /// - Parameter limit: How many at most.
    /// - Returns: Exchanges and flows.
    /// - Throws: ``CaptureFailure`` when the capture cannot be read.
    func newest(_ limit: Int) throws(CaptureFailure) -> [TrafficEvent] {
        var flows = FlowFilter(condition)
        flows.onlyListed = true
        flows.showsSpares = showsSpares
        let extent = try progress == nil ? nil : reader.extent()
        let events =
            try walker(after: 0, extent).exchanges(ExchangeFilter(condition), limit: limit).map {
                TrafficEvent.exchange(.init($0))
            }
            + walker(after: 1, extent).flows(flows, limit: limit).map { TrafficEvent.flow($0) }
        return Array(events.sorted { $0.number < $1.number }.suffix(limit))
    }

    /// A reader that says how far a search is, which walks over the capture twice.
    private func walker(after walks: Int64, _ extent: CaptureExtent?) -> CaptureReader {
        guard let progress, let extent else { return reader }
        let rows = extent.last - extent.first + 1
        return reader.telling { progress(walks * rows + extent.last - $0, 2 * rows) }
    }

    /// Counts the spare connections that the filter matches and the list hides.
    ///
    /// - Returns: The number.
    /// - Throws: ``CaptureFailure`` when the capture cannot be read.
    func hiddenSpares() throws(CaptureFailure) -> Int {
        guard !showsSpares else { return 0 }
        guard condition != .everything else { return try reader.extent().spares }
        var count = 0
        _ = try reader.trafficIDs(TrafficFilter(condition.and(Filter(.flag(.spare))))) { _ in count += 1 }
        return count
    }

    /// The first that the filter means in an order.
    ///
    /// - Parameters:
    ///   - limit: How many at most.
    ///   - sort: The order.
    /// - Returns: Exchanges and flows.
    /// - Throws: ``CaptureFailure`` when the capture cannot be read.
    func first(_ limit: Int, sortedBy sort: TrafficSort) throws(CaptureFailure) -> [TrafficEvent] {
        var filter = TrafficFilter(condition)
        filter.flows?.showsSpares = showsSpares
        var rest = (try reader.trafficIDs(filter, sortedBy: sort) ?? []).prefix(limit)
        var events: [TrafficEvent] = []
        while !rest.isEmpty {
            for row in try reader.traffic(ids: Array(rest.prefix(Self.namedAtOnce))) {
                switch row.kind {
                case .exchange(let summary): events.append(.exchange(.init(summary)))
                case .flow(let record): events.append(.flow(record))
                }
            }
            rest = rest.dropFirst(Self.namedAtOnce)
        }
        return events
    }

    /// Numbers that one question names.
    private static let namedAtOnce = 1000

    /// The newest that the filter means, oldest first; whatever it means, what is there by now is told or awaited.
    ///
    /// - Parameters:
    ///   - limit: How many at most.
    ///   - progress: Is told what is there.
    /// - Returns: Exchanges and flows.
    /// - Throws: ``CaptureFailure`` when the capture cannot be read.
    func begin(_ limit: Int, _ progress: inout ListingProgress) throws(CaptureFailure) -> [TrafficEvent] {
        let events =
            try reader.exchanges(limit: ListingProgress.window).map { TrafficEvent.exchange(.init($0)) }
            + reader.flows(limit: ListingProgress.window).map { TrafficEvent.flow($0) }
        let seen = events.sorted { $0.number < $1.number }.suffix(ListingProgress.window)
        _ = progress.take(Array(seen))
        let last = seen.last?.number ?? 0
        return try newest(limit).filter { $0.number <= last }
    }

    /// What ended after the last call, oldest first.
    ///
    /// The filter is asked last: what it cannot know of an exchange that goes on, it knows at the end.
    ///
    /// - Parameter progress: What was told already.
    /// - Returns: Exchanges and flows.
    /// - Throws: ``CaptureFailure`` when the capture cannot be read.
    func next(_ progress: inout ListingProgress) throws(CaptureFailure) -> [TrafficEvent] {
        let awaited = progress.awaited
        let late = awaited.isEmpty ? [] : progress.takeAwaited(try records(awaited, .everything))
        var wanted = ExchangeFilter()
        wanted.after = ExchangeID(rawValue: progress.base)
        var flows = FlowFilter()
        flows.after = FlowID(rawValue: progress.base)
        let events =
            try reader.exchanges(wanted, order: .oldestFirst, limit: ListingProgress.window)
            .map { TrafficEvent.exchange(.init($0)) }
            + reader.flows(flows, order: .oldestFirst, limit: ListingProgress.window)
            .map { TrafficEvent.flow($0) }
        let told = (late + progress.take(events.sorted { $0.number < $1.number })).filter { event in
            if case .flow(let record) = event { return isListed(record) }
            return true
        }
        guard condition != .everything, !told.isEmpty else { return told }
        let meant = Set(try records(told.map(\.number), condition).map(\.number))
        return told.filter { meant.contains($0.number) }
    }

    /// Those with these numbers, as far as the condition means them.
    private func records(
        _ numbers: [Int64],
        _ condition: Filter
    ) throws(CaptureFailure) -> [TrafficEvent] {
        var wanted = ExchangeFilter(condition)
        wanted.among = numbers.map(ExchangeID.init(rawValue:))
        var flows = FlowFilter(condition)
        flows.among = numbers.map(FlowID.init(rawValue:))
        return try reader.exchanges(wanted, limit: numbers.count).map { TrafficEvent.exchange(.init($0)) }
            + reader.flows(flows, limit: numbers.count).map { TrafficEvent.flow($0) }
    }

    /// What has exchanges is told by them.
    private func isListed(_ record: FlowRecord) -> Bool {
        if record.outcome?.kind == .spare { return showsSpares }
        return record.isFailed && record.exchanges == 0 || !record.showsExchanges
            || record.failedHandshake != nil
    }
}

extension TrafficEvent {
    /// The number of the exchange or flow; both count in one row.
    var number: Int64 {
        switch self {
        case .exchange(let record): record.id.rawValue
        case .flow(let record): record.id.rawValue
        }
    }

    /// Whether it is over.
    var hasEnded: Bool {
        switch self {
        case .exchange(let record): record.outcome != nil
        case .flow(let record): record.closed != nil
        }
    }
}
