import PinholeConsole
import PinholeModel
import PinholeStore

/// Exchanges, and the flows that have none to show, in one list.
struct CaptureListing {
    let reader: CaptureReader
    let filter: FilterOptions

    /// The newest that the filter means, oldest first.
    ///
    /// - Parameter limit: How many at most.
    /// - Returns: Exchanges and flows.
    /// - Throws: ``CaptureFailure`` when the capture cannot be read.
    func newest(_ limit: Int) throws(CaptureFailure) -> [TrafficEvent] {
        var events = try reader.exchanges(filter.exchanges, limit: limit).map {
            TrafficEvent.exchange(.init($0))
        }
        if let flows = filter.flows {
            events += try reader.flows(flows, limit: limit).filter(Self.isListed).map {
                TrafficEvent.flow($0)
            }
        }
        return Array(events.sorted { $0.number < $1.number }.suffix(limit))
    }

    /// What ended after the last call, oldest first.
    ///
    /// - Parameter progress: What was told already.
    /// - Returns: Exchanges and flows.
    /// - Throws: ``CaptureFailure`` when the capture cannot be read.
    func next(_ progress: inout ListingProgress) throws(CaptureFailure) -> [TrafficEvent] {
        let late = progress.awaited.isEmpty ? [] : progress.takeAwaited(try records(progress.awaited))
        var wanted = filter.exchanges
        wanted.after = ExchangeID(rawValue: progress.base)
        var events = try reader.exchanges(wanted, order: .oldestFirst, limit: ListingProgress.window)
            .map { TrafficEvent.exchange(.init($0)) }
        if var flows = filter.flows {
            flows.onlyClosed = false
            flows.after = FlowID(rawValue: progress.base)
            events += try reader.flows(flows, order: .oldestFirst, limit: ListingProgress.window)
                .map { TrafficEvent.flow($0) }
        }
        return (late + progress.take(events.sorted { $0.number < $1.number })).filter { event in
            if case .flow(let record) = event { return Self.isListed(record) }
            return true
        }
    }

    /// Those with these numbers, as far as the filter means them.
    private func records(_ numbers: [Int64]) throws(CaptureFailure) -> [TrafficEvent] {
        var wanted = filter.exchanges
        wanted.among = numbers.map(ExchangeID.init(rawValue:))
        var events = try reader.exchanges(wanted, limit: numbers.count).map {
            TrafficEvent.exchange(.init($0))
        }
        if var flows = filter.flows {
            flows.onlyClosed = false
            flows.among = numbers.map(FlowID.init(rawValue:))
            events += try reader.flows(flows, limit: numbers.count).map { TrafficEvent.flow($0) }
        }
        return events
    }

    /// What has exchanges is told by them.
    private static func isListed(_ record: FlowRecord) -> Bool {
        record.isFailed && record.exchanges == 0 || !record.showsExchanges || record.failedHandshake != nil
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
