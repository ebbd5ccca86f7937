import GRDB
package import PinholeModel

/// A host of a capture, and what was said with it.
package struct HostTally: Sendable, Equatable {
    /// The host, whatever its ports.
    package var host: String
    /// Exchanges with it.
    package var exchanges = 0
    /// Exchanges that failed, and flows that did without an exchange that would tell.
    package var failed = 0
    /// When the last of them began.
    package var last = Timestamp(microseconds: 0)
}

extension CaptureReader {
    /// The hosts of what `filter` means, the last used first.
    ///
    /// - Parameters:
    ///   - filter: Which exchanges and flows are meant.
    ///   - isCancelled: Is asked now and then; true ends it.
    /// - Returns: The hosts; `nil` where it was ended.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func hosts(
        _ filter: TrafficFilter,
        isCancelled: () -> Bool = { false }
    ) throws(CaptureFailure) -> [HostTally]? {
        // Where SQL does not decide it all, what is meant is found first.
        var meant: Set<Int64>?
        if !filter.isDecidedBySQL {
            var ids: Set<Int64> = []
            guard try trafficIDs(filter, isCancelled: isCancelled, { ids.insert($0) }) else { return nil }
            meant = ids
        }
        var tallies: [String: HostTally] = [:]
        let exchanges = SQLCondition.all([
            filter.exchanges.selection(firstID: nil),
            FilterPlan.exchanges(filter.exchanges.condition).condition,
        ])
        let columns = "id, authority, scheme, started, \(ExchangeColumns.failed)"
        guard try count(columns, "exchange", exchanges, meant, isCancelled, into: &tallies) else {
            return nil
        }
        if let flows = filter.flows {
            let condition = SQLCondition.all([
                flows.selection, FilterPlan.flows(flows.condition).condition,
            ])
            let columns = "id, authority, 2, opened, failed"
            guard try count(columns, "flow", condition, meant, isCancelled, into: &tallies) else {
                return nil
            }
        }
        return tallies.values.sorted { ($1.last, $0.host) < ($0.last, $1.host) }
    }

    /// Counts rows of a number, a host, its scheme (2 for a flow), a time and whether it failed.
    private func count(
        _ columns: String,
        _ table: String,
        _ condition: SQLCondition,
        _ meant: Set<Int64>?,
        _ isCancelled: () -> Bool,
        into tallies: inout [String: HostTally]
    ) throws(CaptureFailure) -> Bool {
        try read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT \(columns) FROM \(table) WHERE \(try condition.sql(in: db)) ORDER BY id",
                arguments: condition.arguments
            )
            // Rows with the same authority come in a row of their own, mostly.
            var names: [String: String] = [:]
            var seen = 0
            while let row = try rows.next() {
                seen += 1
                if seen & 0xfff == 0, isCancelled() { return false }
                guard meant?.contains(row[0]) != false, let authority = row[1] as String? else { continue }
                let scheme: Int64 = row[2]
                let name = names[authority] ?? Self.name(authority)
                names[authority] = name
                let started: Int64 = row[3]
                var tally = tallies[name] ?? HostTally(host: name)
                if scheme != 2 { tally.exchanges += 1 }
                if (row[4] as Bool?) == true { tally.failed += 1 }
                tally.last = max(tally.last, Timestamp(microseconds: started))
                tallies[name] = tally
            }
            return true
        }
    }

    /// The authority without its port.
    static func name(_ authority: String) -> String {
        (try? Authority(authority, defaultPort: 443))?.host.description ?? authority
    }
}

extension TrafficFilter {
    /// Whether SQL decides it all.
    fileprivate var isDecidedBySQL: Bool {
        FilterPlan.exchanges(exchanges.condition).rest == nil
            && (flows.map { FilterPlan.flows($0.condition).rest == nil } ?? true)
    }
}
