import PinholeModel

/// Removes the records that retention no longer keeps, in steps of a few milliseconds between batches.
struct Pruner {
    /// The result of a step.
    struct Step {
        var hasMore = false
        /// Whether flows or exchanges were removed.
        var removedRows = false
        var removedCertificates = false
    }

    private let retention: Retention
    private var isRunning = false
    private var next = Timestamp(microseconds: .min)
    private var removedFlows = false

    /// The number of flows and exchanges that a step removes.
    private static let rows = 256
    /// The number of pages that a step returns to the file system.
    private static let pages = 64
    /// The interval at which the limits are checked.
    private static let interval = Duration.seconds(1)

    init(_ retention: Retention) { self.retention = retention }

    /// Whether a step should run at `now`.
    mutating func isDue(_ now: Timestamp) -> Bool {
        guard retention.maxAge != nil || retention.maxBytes != nil else { return false }
        if isRunning { return true }
        guard now >= next else { return false }
        next = now + Self.interval
        isRunning = true
        return true
    }

    /// Does one step of the removal of records beyond the limits.
    ///
    /// The first steps remove the oldest flows and exchanges, the next ones the oldest messages of open WebSockets and
    /// the oldest packets of open flows.
    /// Then one step removes the certificates that only these records showed. The last ones return free pages.
    mutating func step(_ db: Database, now: Timestamp) throws -> Step {
        var step = Step()
        // This is reset even if the step throws, so that the next interval tries again.
        isRunning = false
        if let last = try lastToRemove(db, now: now) {
            try remove(upTo: last, db)
            removedFlows = true
            step.removedRows = true
            step.hasMore = true
        } else if try removeMessages(db, now: now) {
            step.hasMore = true
        } else if try removePackets(db, now: now) {
            step.hasMore = true
        } else if removedFlows {
            removedFlows = false
            try db.execute(
                "DELETE FROM certificate WHERE last_flow < coalesce((SELECT min(id) FROM flow), 0)"
            )
            step.removedCertificates = true
            step.hasMore = true
        } else {
            step.hasMore = try shrink(db)
        }
        isRunning = step.hasMore
        return step
    }

    /// Returns the number up to which a step removes, by the age limit or the size limit; `nil` if nothing is to be
    /// removed.
    private func lastToRemove(_ db: Database, now: Timestamp) throws -> Int64? {
        if let maxAge = retention.maxAge {
            // Only rows before the first that is young enough: a clock that was set back must not remove too much.
            let sql = """
                WITH oldest AS (\(Self.oldest)) SELECT max(id) FROM oldest
                WHERE id < coalesce((SELECT min(id) FROM oldest WHERE started >= ?), 9223372036854775807)
                """
            if let last = try db.number("exchange", sql, [.number((now - maxAge).microseconds)]) {
                return last
            }
        }
        guard let maxBytes = retention.maxBytes,
            try Self.usedPages(db) * Int64(CaptureSchema.pageSize) > maxBytes
        else { return nil }
        return try db.number("exchange", "SELECT max(id) FROM (\(Self.oldest))")
    }

    /// The numbers of the oldest flows and exchanges.
    ///
    /// An exchange that is still open is recorded again when it ends.
    private static let oldest = """
        SELECT id, started FROM (
            SELECT * FROM (SELECT id, started FROM exchange ORDER BY id LIMIT \(rows))
            UNION ALL SELECT * FROM (SELECT id, opened FROM flow ORDER BY id LIMIT \(rows)))
        ORDER BY id LIMIT \(rows)
        """

    private func remove(upTo last: Int64, _ db: Database) throws {
        try db.transaction(.immediate) {
            for sql in [
                "DELETE FROM exchange WHERE id <= ?", "DELETE FROM content WHERE id <= ?",
                "DELETE FROM body_part WHERE exchange <= ?", "DELETE FROM flow WHERE id <= ?",
                "DELETE FROM message WHERE exchange <= ?", "DELETE FROM message_part WHERE exchange <= ?",
                "DELETE FROM note WHERE id <= ?", "DELETE FROM ruling WHERE id <= ?",
                "DELETE FROM packet WHERE flow <= ?",
            ] {
                try db.execute(sql, [.number(last)], isKept: true)
            }
            try db.execute(CaptureSchema.removalOfSecrets)
            try ChangeLog.append(.removedUpTo, [last], to: db)
        }
    }

    /// Removes the oldest messages of open WebSockets.
    ///
    /// The exchange of an open WebSocket is recorded again when it ends, and until then nothing else would remove its
    /// messages.
    ///
    /// - Returns: Whether there were any to remove.
    private func removeMessages(_ db: Database, now: Timestamp) throws -> Bool {
        var last: Int64?
        if let maxAge = retention.maxAge {
            let sql = "SELECT max(id) FROM (\(Self.oldestMessages)) WHERE started < ?"
            last = try db.number("message", sql, [.number((now - maxAge).microseconds)])
        }
        if last == nil, let maxBytes = retention.maxBytes,
            try Self.usedPages(db) * Int64(CaptureSchema.pageSize) > maxBytes
        {
            last = try db.number("message", "SELECT max(id) FROM (\(Self.oldestMessages))")
        }
        guard let last else { return false }
        try db.transaction(.immediate) {
            let parts = """
                DELETE FROM message_part WHERE id IN (
                    SELECT part.id FROM message JOIN message_part AS part USING (exchange, number)
                    WHERE message.id <= ?)
                """
            for sql in [parts, "DELETE FROM message WHERE id <= ?"] {
                try db.execute(sql, [.number(last)], isKept: true)
            }
        }
        return true
    }

    /// Removes the oldest packets, which an open flow goes on to have when its record was removed.
    ///
    /// - Returns: Whether there were any to remove.
    private func removePackets(_ db: Database, now: Timestamp) throws -> Bool {
        let oldest = "SELECT id, time FROM packet ORDER BY id LIMIT \(Self.rows)"
        var last: Int64?
        if let maxAge = retention.maxAge {
            let sql = "SELECT max(id) FROM (\(oldest)) WHERE time < ?"
            last = try db.number("packet", sql, [.number((now - maxAge).microseconds)])
        }
        if last == nil, let maxBytes = retention.maxBytes,
            try Self.usedPages(db) * Int64(CaptureSchema.pageSize) > maxBytes
        {
            last = try db.number("packet", "SELECT max(id) FROM (\(oldest))")
        }
        guard let last else { return false }
        try db.transaction(.immediate) {
            try db.execute("DELETE FROM packet WHERE id <= ?", [.number(last)], isKept: true)
            try db.execute(CaptureSchema.removalOfSecrets)
        }
        return true
    }

    private static let oldestMessages = "SELECT id, started FROM message ORDER BY id LIMIT \(rows)"

    /// Returns pages to the file system while a quarter of the file is free; the next batches reuse the rest.
    private func shrink(_ db: Database) throws -> Bool {
        let free = try db.number("the file", "PRAGMA freelist_count") ?? 0
        guard free > Int64(Self.pages), free * 4 > (try db.number("the file", "PRAGMA page_count") ?? 0)
        else {
            return false
        }
        // The pragma moves one page for each row that is fetched.
        try db.walk("the file", "PRAGMA incremental_vacuum(\(Self.pages))") { _ in true }
        return true
    }

    private static func usedPages(_ db: Database) throws -> Int64 {
        let all = try db.number("the file", "PRAGMA page_count") ?? 0
        let free = try db.number("the file", "PRAGMA freelist_count") ?? 0
        return all - free
    }
}
