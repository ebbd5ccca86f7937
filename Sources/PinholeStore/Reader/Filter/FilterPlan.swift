package import PinholeFilter

/// How the store answers a filter: what SQL narrows, and what is then looked at one by one.
package struct FilterPlan {
    let condition: SQLCondition
    /// What SQL cannot decide; `nil` where it decides all.
    package let rest: Filter?
    /// The part of the filter that SQL takes part in; `nil` where it takes none.
    package let answered: Filter?

    /// The condition as SQL, for people who want to know.
    package var sql: String { condition.sql }

    /// Plans for exchanges.
    ///
    /// - Parameter filter: The filter.
    /// - Returns: The plan.
    package static func exchanges(_ filter: Filter) -> FilterPlan { FilterPlan(filter, ExchangeColumns()) }

    /// Plans for flows by themselves.
    ///
    /// - Parameter filter: The filter.
    /// - Returns: The plan.
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
