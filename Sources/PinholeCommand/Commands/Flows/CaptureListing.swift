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
        return progress.take(events.sorted { $0.number < $1.number }).filter { event in
            if case .flow(let record) = event { return Self.isListed(record) }
            return true
        }
    }

    /// What has exchanges is told by them.
    private static func isListed(_ record: FlowRecord) -> Bool {
        record.isFailed && record.exchanges == 0 || !record.showsExchanges || record.failedHandshake != nil
    }
}

/// What `--follow` has told so far.
struct ListingProgress {
    /// Records that are looked at again until they have ended; beyond that, the oldest are given up.
    static let window = 2000

    /// Everything up to this number is told or given up.
    private(set) var base: Int64
    private var told: Set<Int64> = []

    /// Begins after `base`.
    init(after base: Int64) { self.base = base }

    /// Keeps what has ended and was not told.
    mutating func take(_ events: [TrafficEvent]) -> [TrafficEvent] {
        let new = events.filter { $0.hasEnded && told.insert($0.number).inserted }
        let open = events.first { !$0.hasEnded }?.number
        let last = events.last?.number ?? base
        // An exchange or a flow may be open for hours; a page full of what follows does not wait for it.
        base = max(base, events.count >= Self.window ? last : min(last, (open ?? .max) - 1))
        told = told.filter { $0 > base }
        return new
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

extension ExchangeRecord {
    /// An exchange without heads and bodies.
    init(_ summary: ExchangeSummary) {
        self.init(
            id: summary.id,
            flow: summary.flow,
            scheme: summary.scheme,
            authority: summary.authority,
            method: summary.method,
            path: summary.path,
            request: MessageRecord(head: []),
            timings: summary.timings
        )
        request.body = summary.requestBody
        status = summary.status
        outcome = summary.outcome
        notes = summary.notes
        guard let body = summary.responseBody else { return }
        var message = MessageRecord(head: [])
        message.body = body
        response = message
    }
}
