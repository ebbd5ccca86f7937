package import PinholeModel

/// A host and port of a capture, with counts of its traffic.
package struct HostTally: Sendable, Equatable {
    /// The destination of requests or tunnels.
    package struct Place: Sendable, Hashable {
        /// The host, without the brackets of an IPv6 address.
        package var host: String
        /// The port; the default of the scheme if the authority names none.
        package var port: UInt16
    }

    /// The host and port that the counts are about.
    package var place: Place
    /// The number of exchanges.
    package var exchanges = 0
    /// The number of exchanges that failed, and of flows that failed without an exchange that shows it.
    package var failed = 0
    /// The time at which the last of them began.
    package var last = Timestamp(microseconds: 0)
}

extension CaptureReader {
    /// Returns the hosts and ports of the traffic that `filter` selects, the last used first.
    ///
    /// - Parameters:
    ///   - filter: The filter of exchanges and flows.
    ///   - isCancelled: Called now and then; `true` ends the search.
    /// - Returns: The tallies; `nil` if the search was cancelled.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func hosts(
        _ filter: TrafficFilter,
        isCancelled: () -> Bool = { false }
    ) throws(CaptureFailure) -> [HostTally]? {
        // If SQL cannot decide the whole filter, the matching numbers are found first.
        var meant: Set<Int64>?
        if !filter.isDecidedBySQL {
            var ids: Set<Int64> = []
            guard try trafficIDs(filter, isCancelled: isCancelled, { ids.insert($0) }) else { return nil }
            meant = ids
        }
        var tallies: [HostTally.Place: HostTally] = [:]
        let exchanges = SQLCondition.all([
            filter.exchanges.selection(firstID: nil),
            FilterPlan.exchanges(filter.exchanges.condition).condition,
        ])
        let columns = "id, authority, scheme, started, \(StandingSQL.isFailed)"
        guard try count(columns, "exchange", exchanges, meant, isCancelled, into: &tallies) else {
            return nil
        }
        if let flows = filter.flows {
            let condition = SQLCondition.all([
                flows.selection, FilterPlan.flows(flows.condition).condition,
            ])
            let columns = "id, authority, 2, opened, (failed AND NOT \(FlowFilter.isAnsweredFailure))"
            guard try count(columns, "flow", condition, meant, isCancelled, into: &tallies) else {
                return nil
            }
        }
        return tallies.values.sorted(by: HostTally.isBefore)
    }

    /// Counts rows with the columns number, authority, scheme (2 for a flow), time and failure.
    private func count(
        _ columns: String,
        _ table: String,
        _ condition: SQLCondition,
        _ meant: Set<Int64>?,
        _ isCancelled: () -> Bool,
        into tallies: inout [HostTally.Place: HostTally]
    ) throws(CaptureFailure) -> Bool {
        try read { db in
            // Rows with the same authority often follow one another.
            var plain: [String: HostTally.Place] = [:]
            var other: [String: HostTally.Place] = [:]
            var seen = 0
            let sql = "SELECT \(columns) FROM \(table) WHERE \(condition.sql) ORDER BY id"
            return try db.walk(table, sql, condition.values) { row in
                seen += 1
                if seen & 0xfff == 0, isCancelled() { return false }
                guard try meant?.contains(row.id(0)) != false, let authority = try row.optionalText(1) else {
                    return true
                }
                let scheme = try row.number(2, in: 0...2)
                let place =
                    (scheme == 0 ? plain : other)[authority] ?? HostTally.Place(authority, scheme: scheme)
                if scheme == 0 { plain[authority] = place } else { other[authority] = place }
                let started = try row.number(3)
                var tally = tallies[place] ?? HostTally(place: place)
                if scheme != 2 { tally.exchanges += 1 }
                if let failed = try row.optionalNumber(4), failed != 0 { tally.failed += 1 }
                tally.last = max(tally.last, Timestamp(microseconds: started))
                tallies[place] = tally
                return true
            }
        }
    }
}

extension HostTally {
    /// Orders tallies by the time of their last use, the latest first.
    static func isBefore(_ one: Self, _ other: Self) -> Bool {
        (other.last, one.place.host, one.place.port) < (one.last, other.place.host, other.place.port)
    }
}

extension HostTally.Place {
    /// Parses an authority of the capture; `scheme` is 0 for HTTP without TLS.
    init(_ authority: String, scheme: Int64) {
        let defaultPort: UInt16 = scheme == 0 ? 80 : 443
        let known = try? Authority(authority, defaultPort: defaultPort)
        self.init(host: known?.host.description ?? authority, port: known?.port ?? defaultPort)
    }
}

extension TrafficFilter {
    /// Whether SQL decides the whole filter.
    fileprivate var isDecidedBySQL: Bool {
        FilterPlan.exchanges(exchanges.condition).rest == nil
            && (flows.map { FilterPlan.flows($0.condition).rest == nil } ?? true)
    }
}
