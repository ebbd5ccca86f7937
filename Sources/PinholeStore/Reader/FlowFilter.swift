package import PinholeFilter
package import PinholeModel

/// Selects flows; all conditions that are set must hold.
package struct FlowFilter: Sendable {
    /// The filter that the flows must match.
    package var condition: Filter
    /// Whether only flows that lists show beside exchanges are selected.
    ///
    /// These are flows that were relayed unread, and flows that were closed and failed without an exchange that shows
    /// it.
    package var onlyListed = false
    /// Whether lists show spare connections, too.
    package var showsSpares: Bool
    /// The flow after whose number the selection begins; `nil` for no bound.
    package var after: FlowID?
    /// The flow before whose number the selection ends; `nil` for no bound.
    package var before: FlowID?
    /// The only flows to select from; `nil` for all.
    package var among: [FlowID]?

    /// Creates a filter.
    ///
    /// - Parameter condition: The filter that the flows must match.
    package init(_ condition: Filter = .everything) {
        self.condition = condition
        showsSpares = condition.root.asksForSpares
    }

    /// The SQL condition for a spare connection, which the index `flow_spare` uses as well.
    static let isSpare = "outcome = 'spare'"

    /// The SQL condition for a failed handshake with the server that an exchange shows, as
    /// `FlowRecord.isAnsweredFailure` says it.
    static let isAnsweredFailure = """
        (failed = 1 AND exchanges > 0 AND closed IS NOT NULL AND outcome IS NOT NULL \
        AND coalesce(treatment, '') NOT IN ('passedThrough', 'opaque') \
        AND record ->> '$.flow.clientHandshake.failure' IS NULL \
        AND record ->> '$.flow.serverHandshake.failure' IS NOT NULL)
        """

    /// The condition of the index `flow_listed`; SQLite uses the index only for the same words.
    static let mayBeListed =
        "(treatment IN ('passedThrough', 'opaque') OR (closed IS NOT NULL AND failed = 1))"

    /// The remaining condition for these flows: exchanges show failures themselves, except those of handshakes.
    private static let isListed = """
        (treatment IN ('passedThrough', 'opaque') OR exchanges = 0 \
        OR record ->> '$.flow.clientHandshake.failure' IS NOT NULL \
        OR record ->> '$.flow.serverHandshake.failure' IS NOT NULL)
        """

    /// The SQL for the conditions besides ``condition``.
    var selection: SQLCondition {
        var parts: [SQLCondition] = []
        if onlyListed {
            let listed = "\(Self.mayBeListed) AND \(Self.isListed)"
            parts.append(SQLCondition(showsSpares ? "((\(listed)) OR \(Self.isSpare))" : listed))
        }
        if let after { parts.append(SQLCondition("id > ?", .number(after.rawValue))) }
        if let before { parts.append(SQLCondition("id < ?", .number(before.rawValue))) }
        if let among { parts.append(.isAmong(among.map(\.rawValue))) }
        return .all(parts)
    }
}
