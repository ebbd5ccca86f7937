package import PinholeFilter
package import PinholeModel

/// Which flows are meant, and which of them are wanted now; every condition that is given must hold.
package struct FlowFilter: Sendable {
    /// What the flows are like.
    package var condition: Filter
    /// Only those that are closed.
    package var onlyClosed = false
    /// Only those that came after this one.
    package var after: FlowID?
    /// Only those that came before this one.
    package var before: FlowID?
    /// Only these.
    package var among: [FlowID]?

    /// Creates a filter.
    ///
    /// - Parameter condition: What the flows are like.
    package init(_ condition: Filter = .everything) { self.condition = condition }

    /// What is to hold beside ``condition``.
    var selection: SQLCondition {
        var parts: [SQLCondition] = []
        if onlyClosed { parts.append(SQLCondition("closed IS NOT NULL")) }
        if let after { parts.append(SQLCondition("id > ?", after.rawValue)) }
        if let before { parts.append(SQLCondition("id < ?", before.rawValue)) }
        if let among { parts.append(.isAmong(among.map(\.rawValue))) }
        return .all(parts)
    }
}
