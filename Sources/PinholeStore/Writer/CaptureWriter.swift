import GRDB
import PinholeModel

/// The one connection that writes a capture, with its statements.
///
/// `@unchecked Sendable`: the guard is the store's serial queue, on which alone every method is called.
final class CaptureWriter: @unchecked Sendable {
    private let path: String
    private let opened: Timestamp
    private let instant = ContinuousClock.now
    /// Released last, after SQLite has closed the file.
    private var lock: CaptureLock?
    private var database: DatabaseQueue?
    private var batch: BatchWriter?
    private var pruner: Pruner
    /// The highest number that was given when the file was opened.
    let lastID: Int64

    /// Pages in memory: 32 of 16 KiB.
    ///
    /// Rows are appended, so what is read again is near the end. 2 MiB cost 7 MiB of resident
    /// memory and saved nothing that could be measured.
    private static let cacheKibibytes = 512
    /// The journal goes into the file every 16 MiB.
    ///
    /// Longer journals save little, since most pages
    /// are written once, and a reader has to look through them.
    private static let journalPages = (16 << 20) / CaptureSchema.pageSize

    init(_ options: CaptureStore.Options, now: Timestamp) throws(CaptureFailure) {
        path = options.path
        opened = now
        lock = try CaptureLock(path: path)
        pruner = Pruner(options.retention)
        do {
            let database = try DatabaseQueue(path: path, configuration: Self.configuration(path))
            (batch, lastID) = try database.writeWithoutTransaction { db in
                try CaptureSchema.prepare(db, path: options.path, now: now.microseconds)
                if let pages = options.maxPages { try db.execute(sql: "PRAGMA max_page_count = \(pages)") }
                if options.isUnordered { try CaptureSchema.noteDisorder(db) }
                try LostExchanges.begin(db)
                return (try BatchWriter(db), try Self.lastID(db))
            }
            self.database = database
        } catch {
            throw CaptureSchema.failure(error, path: path)
        }
    }

    /// Writes one batch in one transaction.
    func write(_ events: [FlowEvent]) throws {
        try lookForFile()
        try database?.writeWithoutTransaction { db in try batch?.write(events, to: db) }
    }

    /// Throws ``CaptureLoss`` where the file has lost its name.
    func lookForFile() throws { try lock?.check(path) }

    /// The time.
    var now: Timestamp { opened + (ContinuousClock.now - instant) }

    /// Notes that numbers need not grow with time; says why it cannot be noted.
    func noteDisorder() -> CaptureFailure? {
        do {
            try database?.writeWithoutTransaction { db in try CaptureSchema.noteDisorder(db) }
            return nil
        } catch {
            return CaptureSchema.failure(error, path: path)
        }
    }

    /// Removes a little of what retention no longer keeps; true if there is more to remove.
    func prune() -> Bool {
        let now = now
        guard pruner.isDue(now) else { return false }
        // A failure is left to the next batch to report: it meets the same file.
        let step = try? database?.writeWithoutTransaction { db in try pruner.step(db, now: now) }
        if step?.removedCertificates == true { batch?.forgetCertificates() }
        return step?.hasMore ?? false
    }

    /// Bounds the file, in which tests imitate a full disk.
    func allowPages(_ pages: Int64) {
        try? database?.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
    }

    /// Moves the journal into the file and closes it.
    func close(lastID: Int64) {
        guard let database else { return }
        batch = nil
        // None of this can lose an event: what was committed is in the journal, which the next one to open moves.
        try? database.writeWithoutTransaction { db in
            try? db.execute(sql: "UPDATE meta SET value = ? WHERE name = 'lastID'", arguments: [lastID])
            try? LostExchanges.finish(db)
            try db.checkpoint(.truncate)
        }
        try? database.close()
        self.database = nil
        lock = nil
    }

    private static func configuration(_ path: String) -> Configuration {
        var configuration = Configuration()
        configuration.label = "pinhole.capture"
        configuration.foreignKeysEnabled = false
        // A reader that checkpoints, or a backup tool, may hold the file for a moment.
        configuration.busyMode = .timeout(5)
        configuration.observesSuspensionNotifications = false
        configuration.prepareDatabase { db in
            try db.distrust(path)
            try db.execute(
                sql: """
                    PRAGMA cache_size = -\(cacheKibibytes);
                    PRAGMA mmap_size = 0;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA wal_autocheckpoint = \(journalPages);
                    PRAGMA journal_size_limit = \(2 * journalPages * CaptureSchema.pageSize);
                    """
            )
        }
        return configuration
    }

    private static func lastID(_ db: Database) throws -> Int64 {
        let sql = """
            SELECT max(
                coalesce((SELECT value FROM meta WHERE name = 'lastID'), 0),
                coalesce((SELECT max(id) FROM flow), 0), coalesce((SELECT max(id) FROM exchange), 0))
            """
        return try db.row("meta", sql) { row in try row.id(0) } ?? 0
    }
}
