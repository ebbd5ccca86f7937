package import PinholeFilter

/// The plan for a filter: the part that SQL decides, and the part that is judged row by row.
package struct FilterPlan {
    let condition: SQLCondition
    /// The part that SQL cannot decide; `nil` if SQL decides everything.
    package let rest: Filter?
    /// The part of the filter that SQL takes into account; `nil` if there is none.
    package let answered: Filter?

    /// The SQL condition, for display.
    package var sql: String { condition.sql }

    /// Returns the plan for exchanges.
    package static func exchanges(_ filter: Filter) -> FilterPlan { FilterPlan(filter, ExchangeColumns()) }

    /// Returns the plan for flows.
    package static func flows(_ filter: Filter) -> FilterPlan { FilterPlan(filter, FlowColumns()) }

    private init(_ filter: Filter, _ columns: some FilterColumns) {
        var conditions: [SQLCondition] = []
        var answered: [FilterNode] = []
        var rest: [FilterNode] = []
        for node in filter.root.conjuncts {
            let condition = columns.condition(node)
            if let condition {
                conditions.append(condition)
                answered.append(node)
            }
            if condition?.isExact != true { rest.append(node) }
        }
        condition = .all(conditions)
        self.answered = answered.isEmpty ? nil : Filter(.all(of: answered))
        self.rest = rest.isEmpty ? nil : Filter(.all(of: rest))
    }
}
