import PinholeFilter
import PinholeFormats
import PinholeModel
import PinholeStore

/// A list of exchanges, and of flows without exchanges.
struct CaptureListing {
    let reader: CaptureReader
    let condition: Filter
    /// Whether spare connections are listed.
    var showsSpares = false
    /// Called during a search with the number of rows that were examined, and the number of all rows.
    var progress: (@Sendable (_ done: Int64, _ total: Int64) -> Void)?

    /// Returns the newest entries that the filter matches, the oldest first.
    ///
    /// - Parameter limit: The maximum count.
    /// - Returns: Exchanges and flows.
    /// - Throws: ``CaptureFailure`` if the capture cannot be read.
    func newest(_ limit: Int) throws(CaptureFailure) -> [TrafficEvent] {
        var flows = FlowFilter(condition)
        flows.onlyListed = true
        flows.showsSpares = showsSpares
        let extent = try progress == nil ? nil : reader.extent()
        let events =
            try walker(after: 0, extent).exchanges(ExchangeFilter(condition), limit: limit).map {
                TrafficEvent.exchange($0)
            }
            + walker(after: 1, extent).flows(flows, limit: limit).map { TrafficEvent.flow($0) }
        return Array(events.sorted { $0.number < $1.number }.suffix(limit))
    }

    /// Returns a reader that reports the progress of a search, which walks over the capture twice.
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

    /// Returns the first entries that the filter matches, in an order.
    ///
    /// - Parameters:
    ///   - limit: The maximum count.
    ///   - sort: The order.
    /// - Returns: Exchanges and flows.
    /// - Throws: ``CaptureFailure`` if the capture cannot be read.
    func first(_ limit: Int, sortedBy sort: TrafficSort) throws(CaptureFailure) -> [TrafficEvent] {
        var filter = TrafficFilter(condition)
        filter.flows?.showsSpares = showsSpares
        var rest = (try reader.trafficIDs(filter, sortedBy: sort) ?? []).prefix(limit)
        var events: [TrafficEvent] = []
        while !rest.isEmpty {
            events += try reader.traffic(ids: Array(rest.prefix(Self.namedAtOnce))).map(TrafficEvent.init)
            rest = rest.dropFirst(Self.namedAtOnce)
        }
        return events
    }

    /// The maximum count of numbers in one query.
    private static let namedAtOnce = 1000
}

extension TrafficEvent {
    /// Creates the event that tells a row.
    init(_ row: TrafficRow) {
        switch row.kind {
        case .exchange(let record): self = .exchange(record)
        case .flow(let record): self = .flow(record)
        }
    }

    /// The number of the exchange or flow, from one common sequence.
    var number: Int64 {
        switch self {
        case .exchange(let record): record.id.rawValue
        case .flow(let record): record.id.rawValue
        }
    }

    /// Whether the exchange or flow is over.
    var hasEnded: Bool {
        switch self {
        case .exchange(let record): record.outcome != nil
        case .flow(let record): record.closed != nil
        }
    }
}
