import GRDB
import PinholeModel

/// Ends the exchanges and relays that went on when the one that recorded them was killed.
///
/// A row of `meta` says that somebody records, and goes when the capture is closed: where it is still there,
/// nobody was left to end them.
enum LostExchanges {
    private static let name = "recording"
    private static let detail = "Pinhole was ended before this was over"

    /// Whether somebody records, or did and did not close the capture.
    static func isBegun(_ db: Database) throws -> Bool {
        try CaptureSchema.meta(name, db) != nil
    }

    /// Notes that somebody records, and ends what the one before has left.
    ///
    /// A copy of the file alone, without the journal, says so as well.
    static func begin(_ db: Database) throws {
        let wasKilled = try isBegun(db)
        try db.inTransaction(.immediate) {
            if wasKilled { try end(db) }
            // Written in any case, so that there is a journal.
            try db.execute(sql: "INSERT OR REPLACE INTO meta VALUES (?, 1)", arguments: [name])
            return .commit
        }
        // Into the file itself. The journal stays as long as it is: it is never empty while somebody records.
        try db.checkpoint(.passive)
    }

    /// Notes that nobody records any more.
    static func finish(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM meta WHERE name = ?", arguments: [name])
    }

    private static func end(_ db: Database) throws {
        let captured = { (owner: BodyOwnerCode, name: String) in
            """
            max(\(name)_captured,
                coalesce((SELECT length(\(name)_body) FROM content WHERE content.id = exchange.id), 0)
                + coalesce((SELECT sum(length(bytes)) FROM body_part
                    WHERE body_part.exchange = exchange.id AND owner = \(owner.rawValue)), 0))
            """
        }
        try db.execute(
            sql: """
                UPDATE exchange SET outcome = \(ExchangeOutcome.Kind.failed.code), detail = ?,
                    ended = coalesce(
                        (SELECT max(arrived) FROM body_part WHERE body_part.exchange = exchange.id) - started,
                        response_started, 0),
                    request_captured = \(captured(.request, "request")),
                    response_captured = \(captured(.response, "response"))
                WHERE outcome IS NULL
                """,
            arguments: [detail]
        )
        try db.execute(
            sql: """
                UPDATE exchange SET request_length = max(request_length, request_captured),
                    response_length = max(response_length, response_captured) WHERE detail = ?
                """,
            arguments: [detail]
        )
        try db.execute(
            sql: """
                UPDATE flow SET closed = opened, outcome = ?,
                    record = json_set(record, '$.flow.closed', record -> '$.flow.opened',
                        '$.flow.outcome', json_object('kind', ?, 'detail', ?))
                WHERE \(FlowFilter.mayBeListed) AND closed IS NULL
                """,
            arguments: [Outcome.Kind.stopped.rawValue, Outcome.Kind.stopped.rawValue, detail]
        )
    }
}
