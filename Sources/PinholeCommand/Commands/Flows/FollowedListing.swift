import PinholeFormats
import PinholeModel
import PinholeStore

/// The entries of a capture as they are recorded, for `--follow`.
///
/// An exchange has one entry when it begins, and one when it ends; a short exchange has only the one at its end. A flow
/// has one when it ends.
struct FollowedListing {
    /// The number of newest exchanges among which open ones are searched at the beginning.
    private static let window = 2000

    private let listing: CaptureListing
    private var changes: TrafficChanges
    /// The open exchanges that have an entry.
    private var begun: Set<Int64> = []
    /// The ended exchanges and flows that have an entry, each with the revision up to which changes may repeat it.
    private var ended: [Int64: Int64] = [:]

    /// Begins to follow.
    ///
    /// - Parameter listing: The filter of the entries, and the capture.
    /// - Throws: ``CaptureFailure`` if the capture cannot be read.
    init(_ listing: CaptureListing) throws(CaptureFailure) {
        self.listing = listing
        changes = try TrafficChanges(after: nil, in: listing.reader, readsAll: true)
    }

    /// Returns the newest entries that are present, the oldest first.
    ///
    /// - Parameter limit: The maximum count.
    /// - Returns: Exchanges and flows.
    /// - Throws: ``CaptureFailure`` if the capture cannot be read.
    mutating func present(_ limit: Int) throws(CaptureFailure) -> [TrafficEvent] {
        let events = try listing.newest(limit)
        // Some of these entries were perhaps recorded after `changes` began.
        let now = try TrafficChanges(after: nil, in: listing.reader).revision
        for event in events where event.hasEnded {
            ended[event.number] = now
        }
        // An exchange that has begun is no new entry when it is recorded again, also if it is not among the newest.
        for exchange in try listing.reader.exchanges(limit: Self.window) where exchange.outcome == nil {
            begun.insert(exchange.id.rawValue)
        }
        return events
    }

    /// Returns the entries that are new since the last call, in the order of their numbers in each step.
    ///
    /// - Returns: Exchanges and flows, and whether some were left out, because too many were recorded.
    /// - Throws: ``CaptureFailure`` if the capture cannot be read.
    mutating func next() throws(CaptureFailure) -> (events: [TrafficEvent], isBehind: Bool) {
        var events: [TrafficEvent] = []
        var isBehind = false
        while true {
            let step = try changes.next(in: listing.reader)
            isBehind = isBehind || step.isBehind
            let new = step.rows.filter { take($0) }
            ended = ended.filter { $0.value > changes.revision }
            // The filter is applied to each state of an exchange, because it may match the end alone.
            var filter = TrafficFilter(listing.condition)
            filter.flows?.showsSpares = listing.showsSpares
            let matched = try new.isEmpty ? [] : listing.reader.trafficIDs(filter, among: new.map(\.id))
            events += new.filter { matched.contains($0.id) }.map(TrafficEvent.init)
            if !step.hasMore { return (events, isBehind) }
        }
    }

    /// Whether a recorded row is a new entry.
    private mutating func take(_ row: TrafficRow) -> Bool {
        guard !row.hasEnded else {
            begun.remove(row.id)
            guard ended[row.id] == nil else { return false }
            ended[row.id] = changes.readAt
            return true
        }
        guard case .exchange = row.kind else { return false }
        return begun.insert(row.id).inserted
    }
}
