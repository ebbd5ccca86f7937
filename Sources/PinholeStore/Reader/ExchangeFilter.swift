package import PinholeFilter
package import PinholeModel

/// Selects exchanges; all conditions that are set must hold.
package struct ExchangeFilter: Sendable {
    /// The filter that the exchanges must match.
    package var condition: Filter
    /// The flow that the exchanges must belong to; `nil` for any flow.
    package var flow: FlowID?
    /// Whether only finished exchanges are selected.
    package var onlyEnded = false
    /// The exchange after whose number the selection begins, to continue a list; `nil` for no bound.
    package var after: ExchangeID?
    /// The exchange before whose number the selection ends; `nil` for no bound.
    package var before: ExchangeID?
    /// The only exchanges to select from; `nil` for all.
    package var among: [ExchangeID]?

    /// Creates a filter.
    ///
    /// - Parameter condition: The filter that the exchanges must match.
    package init(_ condition: Filter = .everything) { self.condition = condition }

    /// Returns the SQL for the conditions besides ``condition``; `firstID` is a lower bound of the selected numbers.
    func selection(firstID: Int64?) -> SQLCondition {
        var parts: [SQLCondition] = []
        if let firstID { parts.append(SQLCondition("id >= ?", .number(firstID))) }
        if let flow {
            parts.append(SQLCondition("flow = ? AND id > ?", .number(flow.rawValue), .number(flow.rawValue)))
        }
        if onlyEnded { parts.append(SQLCondition("outcome IS NOT NULL")) }
        if let after { parts.append(SQLCondition("id > ?", .number(after.rawValue))) }
        if let before { parts.append(SQLCondition("id < ?", .number(before.rawValue))) }
        if let among { parts.append(.isAmong(among.map(\.rawValue))) }
        return .all(parts)
    }

    /// The latest moment that the filter names as a lower bound of the time; `nil` if there is none.
    var since: Timestamp? {
        let moments = condition.root.conjuncts.compactMap { node -> Int64? in
            guard case .number(.time, let relation, let moment) = node else { return nil }
            return relation == .less || relation == .atMost ? nil : moment
        }
        return moments.max().map(Timestamp.init(microseconds:))
    }
}

extension SQLCondition {
    /// Returns the condition that the number, or another column, is one of `ids`.
    static func isAmong(_ ids: [Int64], column: String = "id") -> SQLCondition {
        SQLCondition("\(column) IN (\(ids.map(String.init).joined(separator: ",")))")
    }
}
