import PinholeModel

/// Ends the exchanges and relays that were open when the recording process was killed.
///
/// A row of `meta` says that a process records, and is deleted when the capture is closed. If the row is still there,
/// the process was killed.
enum LostExchanges {
    private static let name = "recording"
    private static let detail = "Pinhole was ended before this was over"

    /// Whether a process records, or did so without closing the capture.
    static func isBegun(_ db: Database) throws -> Bool {
        try CaptureSchema.meta(name, db) != nil
    }

    /// Notes that this process records, and ends the exchanges that a killed process left open.
    ///
    /// A copy of the file without its journal contains the note as well.
    static func begin(_ db: Database) throws {
        let wasKilled = try isBegun(db)
        try db.transaction(.immediate) {
            if wasKilled { try end(db) }
            // The row is written in any case, so that there is a journal.
            try db.execute("INSERT OR REPLACE INTO meta VALUES (?, 1)", [.text(name)])
        }
        // The row is moved into the file itself. The journal keeps its length, so it is never empty during a recording.
        try db.checkpoint(.passive)
    }

    /// Notes that no process records any more.
    static func finish(_ db: Database) throws {
        try db.execute("DELETE FROM meta WHERE name = ?", [.text(name)])
    }

    private static func end(_ db: Database) throws {
        let lost = """
            SELECT id FROM exchange WHERE outcome IS NULL
            UNION ALL SELECT id FROM flow WHERE \(FlowFilter.mayBeListed) AND closed IS NULL
            """
        try ChangeLog.append(.written, db.rows("exchange", lost) { row in try row.id(0) }, to: db)
        let captured = { (owner: BodyOwnerCode, name: String) in
            """
            max(\(name)_captured,
                coalesce((SELECT length(\(name)_body) FROM content WHERE content.id = exchange.id), 0)
                + coalesce((SELECT sum(length(bytes)) FROM body_part
                    WHERE body_part.exchange = exchange.id AND owner = \(owner.rawValue)), 0))
            """
        }
        try db.execute(
            """
            UPDATE exchange SET outcome = \(ExchangeOutcome.Kind.failed.code), detail = ?,
                ended = coalesce(
                    (SELECT max(arrived) FROM body_part WHERE body_part.exchange = exchange.id) - started,
                    response_started, 0),
                request_captured = \(captured(.request, "request")),
                response_captured = \(captured(.response, "response"))
            WHERE outcome IS NULL
            """,
            [.text(detail)]
        )
        try db.execute(
            """
            UPDATE exchange SET request_length = max(request_length, request_captured),
                response_length = max(response_length, response_captured) WHERE detail = ?
            """,
            [.text(detail)]
        )
        try db.execute(
            """
            UPDATE flow SET closed = opened, outcome = ?,
                record = json_set(record, '$.flow.closed', record -> '$.flow.opened',
                    '$.flow.outcome', json_object('kind', ?, 'detail', ?))
            WHERE \(FlowFilter.mayBeListed) AND closed IS NULL
            """,
            [Outcome.Kind.stopped.rawValue, Outcome.Kind.stopped.rawValue, detail].map(SQLValue.text)
        )
    }
}
