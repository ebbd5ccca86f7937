import PinholeFilter
import PinholeModel

/// The hosts and ports of a column such as `authority`: `name`, `name:port`, `[address]`, `[address]:port`.
struct AuthorityColumn {
    /// The port that is meant where none is written.
    let defaultPort: String
    /// When a missing authority will never come; `nil` where none is ever missing.
    var absence: String?

    /// The host, IPv6 without brackets.
    var host: SQLColumn {
        SQLColumn(
            sql: """
                CASE WHEN authority LIKE '[%' THEN substr(authority, 2, instr(authority, ']') - 2) \
                WHEN instr(authority, ':') THEN substr(authority, 1, instr(authority, ':') - 1) ELSE authority END
                """.parenthesized,
            absence: absence,
            sieve: SQLColumn.Sieve(column: "authority", place: .anywhere)
        )
    }

    /// The port.
    var port: SQLColumn {
        let written = "substr(authority, instr(authority, ']') + 1)"
        return SQLColumn(
            sql: """
                CASE WHEN instr(\(written), ':') \
                THEN CAST(substr(\(written), instr(\(written), ':') + 1) AS INTEGER) \
                WHEN authority IS NOT NULL THEN \(defaultPort) END
                """.parenthesized,
            absence: absence
        )
    }

    /// That the pattern matches, or that it does not.
    func condition(_ pattern: HostPattern, isNegated: Bool) -> SQLCondition {
        let name = pattern.hostText
        let isPlain = !name.contains("*")
        // Names in the column are in lower case, and a name without a port is the column itself.
        var holds: SQLCondition =
            if isPlain, !name.contains(":") {
                .any([
                    SQLCondition("authority = ?", name), SQLCondition("authority GLOB ?", "\(name):*"),
                ])
            } else if isPlain {
                .any([
                    SQLCondition("authority = ?", "[\(name)]"),
                    SQLCondition("authority GLOB ?", "[[]\(name)]:*"),
                ])
            } else {
                // What stands between stars is in the column, whatever else is.
                .all(
                    (name.split(separator: "*").max { $0.count < $1.count }.map {
                        [SQLCondition("instr(authority, ?)", String($0))]
                    } ?? []) + [SQLCondition("\(host.sql) GLOB ?", name)]
                )
            }
        if let port = pattern.port {
            holds = .all([holds, SQLCondition("\(self.port.sql) = ?", Int64(port))])
        }
        guard isNegated else { return holds }
        var negation = holds
        negation.sql = "NOT (\(holds.sql))"
        guard let absence else { return negation }
        return .any([negation, SQLCondition("(authority IS NULL AND \(absence))")])
    }
}

extension String {
    fileprivate var parenthesized: String { "(\(self))" }
}
