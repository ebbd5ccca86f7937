import GRDB
package import PinholeFilter
package import PinholeModel

/// Which exchanges are meant, and which of them are wanted now; every condition that is given must hold.
package struct ExchangeFilter: Sendable {
    /// What the exchanges are like.
    package var condition: Filter
    /// The flow that they belong to.
    package var flow: FlowID?
    /// Only those that are over.
    package var onlyEnded = false
    /// Only those that came after this one; so a list can be continued.
    package var after: ExchangeID?
    /// Only those that came before this one.
    package var before: ExchangeID?
    /// Only these.
    package var among: [ExchangeID]?

    /// Creates a filter.
    ///
    /// - Parameter condition: What the exchanges are like.
    package init(_ condition: Filter = .everything) { self.condition = condition }

    /// What is to hold beside ``condition``; no number of those that are meant is below `firstID`.
    func selection(firstID: Int64?) -> SQLCondition {
        var parts: [SQLCondition] = []
        if let firstID { parts.append(SQLCondition("id >= ?", firstID)) }
        if let flow { parts.append(SQLCondition("flow = ? AND id > ?", flow.rawValue, flow.rawValue)) }
        if onlyEnded { parts.append(SQLCondition("outcome IS NOT NULL")) }
        if let after { parts.append(SQLCondition("id > ?", after.rawValue)) }
        if let before { parts.append(SQLCondition("id < ?", before.rawValue)) }
        if let among { parts.append(.isAmong(among.map(\.rawValue))) }
        return .all(parts)
    }

    /// The latest moment before which none is meant.
    var since: Timestamp? {
        let moments = condition.root.conjuncts.compactMap { node -> Int64? in
            guard case .number(.time, let relation, let moment) = node else { return nil }
            return relation == .less || relation == .atMost ? nil : moment
        }
        return moments.max().map(Timestamp.init(microseconds:))
    }
}

extension SQLCondition {
    /// That the number is one of these.
    static func isAmong(_ ids: [Int64]) -> SQLCondition {
        SQLCondition("id IN (\(ids.map(String.init).joined(separator: ",")))")
    }
}
