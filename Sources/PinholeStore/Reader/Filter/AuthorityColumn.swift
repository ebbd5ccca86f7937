import PinholeModel

/// The SQL for the host and port in a column: `name`, `name:port`, `[address]`, `[address]:port`.
struct AuthorityColumn {
    /// The SQL expression for the port of an authority without one.
    let defaultPort: String
    /// The SQL condition under which a missing authority stays missing; `nil` if it is never missing.
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

    /// The port, or the default if the authority names none.
    var port: SQLColumn { SQLColumn(sql: FilterFunctions.port(default: defaultPort), absence: absence) }

    /// Returns the condition that the pattern matches, or that it does not.
    func condition(_ pattern: HostPattern, isNegated: Bool) -> SQLCondition {
        let name = pattern.hostText
        let isPlain = !name.contains("*")
        var holds: SQLCondition =
            if isPlain {
                // Names in the column are in lower case. In ASCII, the colon of a port is followed by the semicolon.
                Self.isNamed(name.contains(":") ? "[\(name)]" : name)
            } else {
                // The column contains the text between two stars, whatever else it contains.
                .all(
                    (name.split(separator: "*").max { $0.count < $1.count }.map {
                        [SQLColumn.like("authority", "%\(SQLColumn.escaped($0))%")]
                    } ?? []) + [SQLCondition("\(host.sql) GLOB ?", .text(name))]
                )
            }
        if let port = pattern.port {
            holds = .all([holds, SQLCondition("\(self.port.sql) = ?", .number(Int64(port)))])
        }
        guard isNegated else { return holds }
        var negation = holds
        negation.sql = "NOT (\(holds.sql))"
        guard let absence else { return negation }
        return .any([negation, SQLCondition("(authority IS NULL AND \(absence))")])
    }

    /// Returns the condition that the authority is the name, with or without a port; texts between both are excluded
    /// first.
    private static func isNamed(_ name: String) -> SQLCondition {
        .all([
            SQLCondition("authority >= ?", .text(name)), SQLCondition("authority < ?", .text("\(name);")),
            .any([
                SQLCondition("authority = ?", .text(name)), SQLCondition("authority > ?", .text("\(name):")),
            ]),
        ])
    }
}

extension String {
    fileprivate var parenthesized: String { "(\(self))" }
}
