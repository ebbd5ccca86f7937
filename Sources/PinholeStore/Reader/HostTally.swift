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
        var tallies: [String: HostTally] = [:]
        let exchanges = try read { db in
            let (condition, arguments) = filter.exchanges.condition(firstID: nil)
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT authority, scheme, started, \(ExchangeFilter.failed) FROM exchange
                    WHERE \(condition) ORDER BY id
                    """,
                arguments: arguments
            )
            return try Self.count(rows, HostMatcher(filter.exchanges.host), isCancelled, into: &tallies)
        }
        guard exchanges else { return nil }
        if let flows = filter.flows {
            let isDone = try read { db in
                let (condition, arguments) = flows.condition()
                let rows = try Row.fetchCursor(
                    db,
                    sql: "SELECT authority, 2, opened, failed FROM flow WHERE \(condition) ORDER BY id",
                    arguments: arguments
                )
                return try Self.count(rows, HostMatcher(flows.host), isCancelled, into: &tallies)
            }
            guard isDone else { return nil }
        }
        return tallies.values.sorted { ($1.last, $0.host) < ($0.last, $1.host) }
    }

    /// Counts rows of a host, its scheme (2 for a flow), a time and whether it failed.
    private static func count(
        _ rows: RowCursor,
        _ matcher: HostMatcher,
        _ isCancelled: () -> Bool,
        into tallies: inout [String: HostTally]
    ) throws -> Bool {
        var hosts = matcher
        // Rows with the same authority come in a row of their own, mostly.
        var names: [String: String] = [:]
        var seen = 0
        while let row = try rows.next() {
            seen += 1
            if seen & 0xfff == 0, isCancelled() { return false }
            guard let authority = row[0] as String? else { continue }
            let scheme: Int64 = row[1]
            guard hosts.matches(authority, defaultPort: scheme == 0 ? 80 : 443) else { continue }
            let name = names[authority] ?? Self.name(authority)
            names[authority] = name
            let started: Int64 = row[2]
            var tally = tallies[name] ?? HostTally(host: name)
            if scheme != 2 { tally.exchanges += 1 }
            if (row[3] as Bool?) == true { tally.failed += 1 }
            tally.last = max(tally.last, Timestamp(microseconds: started))
            tallies[name] = tally
        }
        return true
    }

    /// The authority without its port.
    private static func name(_ authority: String) -> String {
        (try? Authority(authority, defaultPort: 443))?.host.description ?? authority
    }
}
