package import PinholeFilter
package import PinholeModel

/// Which flows are meant, and which of them are wanted now; every condition that is given must hold.
package struct FlowFilter: Sendable {
    /// What the flows are like.
    package var condition: Filter
    /// Only those that lists show beside exchanges: relayed unread, or closed and failed without an exchange that
    /// would tell.
    package var onlyListed = false
    /// Whether lists show spare connections as well.
    package var showsSpares: Bool
    /// Only those that go on.
    package var onlyOpen = false
    /// Only those that were closed at this time or later.
    package var closedSince: Timestamp?
    /// Only those that came after this one.
    package var after: FlowID?
    /// Only those that came before this one.
    package var before: FlowID?
    /// Only these.
    package var among: [FlowID]?

    /// Creates a filter.
    ///
    /// - Parameter condition: What the flows are like.
    package init(_ condition: Filter = .everything) {
        self.condition = condition
        showsSpares = condition.root.asksForSpares
    }

    /// The SQL condition for a spare connection, which the index `flow_spare` uses as well.
    static let isSpare = "outcome = 'spare'"

    /// What the index `flow_listed` holds; the words have to be the same wherever it is to be used.
    static let mayBeListed =
        "(treatment IN ('passedThrough', 'opaque') OR (closed IS NOT NULL AND failed = 1))"

    /// What the index `flow_closed` holds.
    static let isOver = "closed IS NOT NULL AND (failed = 1 OR treatment IN ('passedThrough', 'opaque'))"

    /// What is left to ask of those: exchanges tell of a failure themselves, except of a handshake's.
    private static let isListed = """
        (treatment IN ('passedThrough', 'opaque') OR exchanges = 0 \
        OR record ->> '$.flow.clientHandshake.failure' IS NOT NULL \
        OR record ->> '$.flow.serverHandshake.failure' IS NOT NULL)
        """

    /// What is to hold beside ``condition``.
    var selection: SQLCondition {
        var parts: [SQLCondition] = []
        if onlyListed {
            let listed = "\(Self.mayBeListed) AND \(Self.isListed)"
            parts.append(SQLCondition(showsSpares ? "((\(listed)) OR \(Self.isSpare))" : listed))
        }
        if onlyOpen { parts.append(SQLCondition("closed IS NULL")) }
        if let closedSince {
            if onlyListed, !showsSpares { parts.append(SQLCondition(Self.isOver)) }
            parts.append(SQLCondition("closed >= ?", closedSince.microseconds))
        }
        if let after { parts.append(SQLCondition("id > ?", after.rawValue)) }
        if let before { parts.append(SQLCondition("id < ?", before.rawValue)) }
        if let among { parts.append(.isAmong(among.map(\.rawValue))) }
        return .all(parts)
    }
}
