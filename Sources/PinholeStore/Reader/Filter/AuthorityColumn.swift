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
            sieve: SQLColumn.Sieve(column: "authority", position: .anywhere)
        )
    }

    /// The port.
    var port: SQLColumn { SQLColumn(sql: FilterFunctions.port(default: defaultPort), absence: absence) }

    /// That the pattern matches, or that it does not.
    func condition(_ pattern: HostPattern, isNegated: Bool) -> SQLCondition {
        let name = pattern.hostText
        let isPlain = !name.contains("*")
        var holds: SQLCondition =
            if isPlain {
                // Names in the column are in lower case. A port's colon comes right before a semicolon.
                Self.isNamed(name.contains(":") ? "[\(name)]" : name)
            } else {
                // What stands between stars is in the column, whatever else is.
                .all(
                    (name.split(separator: "*").max { $0.count < $1.count }.map {
                        [SQLColumn.like("authority", "%\(SQLColumn.escaped($0))%")]
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

    /// That the authority is the name, or the name with a port: what comes between the two is ruled out first.
    private static func isNamed(_ name: String) -> SQLCondition {
        .all([
            SQLCondition("authority >= ?", name), SQLCondition("authority < ?", "\(name);"),
            .any([SQLCondition("authority = ?", name), SQLCondition("authority > ?", "\(name):")]),
        ])
    }
}

extension String {
    fileprivate var parenthesized: String { "(\(self))" }
}
