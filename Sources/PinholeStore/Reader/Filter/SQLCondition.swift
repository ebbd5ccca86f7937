import GRDB

/// A condition of SQL, with its arguments.
struct SQLCondition {
    /// The text, which can stand beside others without parentheses.
    var sql: String
    /// The arguments, in the order of the question marks.
    var arguments: StatementArguments
    /// Whether it means exactly what it was made from; otherwise it lets more through.
    var isExact = true

    init(_ sql: String, _ arguments: any DatabaseValueConvertible..., isExact: Bool = true) {
        self.sql = sql
        self.arguments = StatementArguments()
        for argument in arguments { self.arguments += [argument] }
        self.isExact = isExact
    }

    static let always = SQLCondition("1")
    static let never = SQLCondition("0")

    /// What holds where all hold.
    static func all(_ conditions: [SQLCondition]) -> SQLCondition {
        joined(conditions, " AND ", empty: always)
    }

    /// What holds where one holds.
    static func any(_ conditions: [SQLCondition]) -> SQLCondition { joined(conditions, " OR ", empty: never) }

    /// The same about the flow of an exchange.
    var ofFlow: SQLCondition {
        var condition = self
        condition.sql = "flow IN (SELECT id FROM flow WHERE \(sql))"
        return condition
    }

    /// The same about what people said of it, or that it does not hold; `nil` where that is not known exactly.
    func ofNote(isNegated: Bool) -> SQLCondition? {
        guard isExact || !isNegated else { return nil }
        var condition = self
        condition.sql = "id \(isNegated ? "NOT IN" : "IN") (SELECT id FROM note WHERE \(sql))"
        return condition
    }

    /// The SQL for a file, which may be too old for notes, processes and users: then nobody said anything, and none is
    /// known.
    func sql(in db: Database) throws -> String {
        var sql = sql
        if sql.contains("FROM note WHERE"), try !CaptureSchema.hasNotes(db) {
            let nobody = "FROM (SELECT 0 AS id, 0 AS marked, NULL AS comment) WHERE"
            sql = sql.replacing("FROM note WHERE", with: nobody)
        }
        if sql.contains("process_"), try !CaptureSchema.hasProcesses(db) {
            for column in FlowColumns.process { sql = sql.replacing(column, with: "NULL") }
        }
        if sql.contains("proxy_user"), try !CaptureSchema.hasUsers(db) {
            sql = sql.replacing("proxy_user", with: "NULL")
        }
        return sql
    }

    /// The same in parentheses.
    var parenthesized: SQLCondition {
        var condition = self
        condition.sql = "(\(sql))"
        return condition
    }

    /// The same, where it lets more through than is meant.
    var inexact: SQLCondition {
        var condition = self
        condition.isExact = false
        return condition
    }

    private static func joined(
        _ conditions: [SQLCondition],
        _ operation: String,
        empty: SQLCondition
    ) -> SQLCondition {
        guard var result = conditions.first else { return empty }
        guard conditions.count > 1 else { return result }
        result.sql = "(\(conditions.map(\.sql).joined(separator: operation)))"
        for condition in conditions.dropFirst() { result.arguments += condition.arguments }
        result.isExact = conditions.allSatisfy(\.isExact)
        return result
    }
}
