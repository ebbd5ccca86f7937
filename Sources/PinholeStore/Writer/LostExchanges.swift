import GRDB

/// Ends the exchanges that went on when the one that recorded them was killed.
///
/// A row of `meta` says that somebody records, and goes when the capture is closed: where it is still there,
/// nobody was left to end them.
enum LostExchanges {
    private static let name = "recording"
    private static let detail = "Pinhole was ended before this was over"

    /// Notes that somebody records, and ends what the one before has left.
    static func begin(_ db: Database) throws {
        let wasKilled = try Int64.fetchOne(
            db,
            sql: "SELECT value FROM meta WHERE name = ?",
            arguments: [name]
        )
        try db.inTransaction(.immediate) {
            if wasKilled == nil {
                try db.execute(sql: "INSERT INTO meta VALUES (?, 1)", arguments: [name])
            } else {
                try end(db)
            }
            return .commit
        }
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
                UPDATE exchange SET outcome = \(OutcomeCode.Kind.failed.rawValue), detail = ?,
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
    }
}
