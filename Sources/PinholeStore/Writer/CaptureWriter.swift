import PinholeModel

/// The only connection that writes a capture, with its statements.
///
/// Sendable: every method is called on the store's serial queue.
final class CaptureWriter: @unchecked Sendable {
    private let path: String
    private let opened: Timestamp
    private let instant = ContinuousClock.now
    /// The lock on the file, which is released last, after SQLite has closed the file.
    private var lock: CaptureLock?
    private var database: Database?
    private var batch: BatchWriter?
    private var pruner: Pruner
    /// The highest number that had been given when the file was opened.
    let lastID: Int64

    /// The size of SQLite's page cache in KiB: 32 pages of 16 KiB.
    ///
    /// Rows are appended, so only pages near the end are read again. A cache of 2 MiB cost 7 MiB of resident memory and
    /// saved nothing measurable.
    private static let cacheKibibytes = 512
    /// The number of pages of the journal, 16 MiB, after which it is moved into the file.
    ///
    /// A longer journal saves little, because most pages are written once, and readers must search it.
    private static let journalPages = (16 << 20) / CaptureSchema.pageSize

    init(_ options: CaptureStore.Options, now: Timestamp) throws(CaptureFailure) {
        path = options.path
        opened = now
        lock = try CaptureLock(path: path)
        pruner = Pruner(options.retention)
        do {
            let database = try Self.open(path)
            try CaptureSchema.prepare(database, path: path, now: now.microseconds)
            if let pages = options.maxPages { try database.execute("PRAGMA max_page_count = \(pages)") }
            if options.isUnordered { try CaptureSchema.noteDisorder(database) }
            // A revision that no capture has is found here, and not by the first batch.
            _ = try ChangeLog.revision(database)
            try LostExchanges.begin(database)
            let batch = try BatchWriter(database)
            lastID = try Self.lastID(database)
            (self.database, self.batch) = (database, batch)
        } catch {
            throw CaptureSchema.failure(error, path: path)
        }
    }

    /// Writes one batch in one transaction; returns whether readers have something new to show.
    func write(_ events: [FlowEvent]) throws -> Bool {
        try lookForFile()
        return try database.flatMap { try batch?.write(events, to: $0) } ?? false
    }

    /// Throws ``CaptureLoss`` if the file was deleted, moved or replaced.
    func lookForFile() throws { try lock?.check(path) }

    /// The present time.
    var now: Timestamp { opened + (ContinuousClock.now - instant) }

    /// Notes that numbers may not grow with time; returns the failure if this cannot be written.
    func noteDisorder() -> CaptureFailure? {
        do {
            if let database { try CaptureSchema.noteDisorder(database) }
            return nil
        } catch {
            return CaptureSchema.failure(error, path: path)
        }
    }

    /// Removes a few of the records that retention no longer keeps.
    func prune() -> Pruner.Step {
        let now = now
        guard pruner.isDue(now) else { return Pruner.Step() }
        // The next batch meets the same file, and reports the failure.
        let step = try? database.map { try pruner.step($0, now: now) }
        if step?.removedCertificates == true { batch?.forgetCertificates() }
        return step ?? Pruner.Step()
    }

    /// Limits the size of the file, by which tests imitate a full disk.
    func allowPages(_ pages: Int64) {
        try? database?.execute("PRAGMA max_page_count = \(pages)")
    }

    /// Moves the journal into the file and closes it.
    func close(lastID: Int64) {
        guard let database else { return }
        batch = nil
        // No failure here can lose an event: committed events are in the journal, which the next process moves.
        // On a full disk the journal cannot grow, so it is emptied before the last two rows go to it.
        try? database.checkpoint(.passive)
        try? database.execute("UPDATE meta SET value = ? WHERE name = 'lastID'", [.number(lastID)])
        try? LostExchanges.finish(database)
        try? database.checkpoint(.truncating)
        database.close()
        self.database = nil
        lock = nil
    }

    private static func open(_ path: String) throws -> Database {
        let database = try Database(path: path)
        try database.distrust(path)
        try database.execute(
            """
            PRAGMA cache_size = -\(cacheKibibytes);
            PRAGMA mmap_size = 0;
            PRAGMA temp_store = MEMORY;
            PRAGMA wal_autocheckpoint = \(journalPages);
            PRAGMA journal_size_limit = \(2 * journalPages * CaptureSchema.pageSize);
            """
        )
        return database
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
