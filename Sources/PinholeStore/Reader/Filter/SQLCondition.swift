/// An SQL condition with the values of its parameters.
struct SQLCondition {
    /// The SQL, which can be joined with other conditions without parentheses.
    var sql: String
    /// The values of the parameters, in the order of the question marks.
    var values: [SQLValue]
    /// Whether the SQL is equivalent to the filter it was made from; otherwise it matches more rows.
    var isExact = true

    init(_ sql: String, _ values: SQLValue..., isExact: Bool = true) {
        self.sql = sql
        self.values = values
        self.isExact = isExact
    }

    static let always = SQLCondition("1")
    static let never = SQLCondition("0")

    /// Returns the conjunction of `conditions`.
    static func all(_ conditions: [SQLCondition]) -> SQLCondition {
        joined(conditions, " AND ", empty: always)
    }

    /// Returns the disjunction of `conditions`.
    static func any(_ conditions: [SQLCondition]) -> SQLCondition { joined(conditions, " OR ", empty: never) }

    /// The same condition on the flow of an exchange.
    var ofFlow: SQLCondition {
        var condition = self
        condition.sql = "flow IN (SELECT id FROM flow WHERE \(sql))"
        return condition
    }

    /// Returns the same condition on the note of an item, or its negation; `nil` if the negation is not exact.
    func ofNote(isNegated: Bool) -> SQLCondition? {
        guard isExact || !isNegated else { return nil }
        var condition = self
        condition.sql = "id \(isNegated ? "NOT IN" : "IN") (SELECT id FROM note WHERE \(sql))"
        return condition
    }

    /// The same condition in parentheses.
    var parenthesized: SQLCondition {
        var condition = self
        condition.sql = "(\(sql))"
        return condition
    }

    /// The same condition, marked as matching more rows than the filter does.
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
        for condition in conditions.dropFirst() { result.values += condition.values }
        result.isExact = conditions.allSatisfy(\.isExact)
        return result
    }
}
