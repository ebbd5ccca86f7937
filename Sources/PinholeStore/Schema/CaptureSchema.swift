import Glibc

/// The tables of a capture file, and the checks that recognise such a file.
///
/// All moments are microseconds since 1970, all durations are microseconds.
///
/// | table | row | content |
/// |---|---|---|
/// | `meta` | a name | `schema`, `created`, `lastID` (the highest number that was ever given) |
/// | `flow` | one tunnel | some columns to select by, and the whole record as JSON, chains as certificate numbers |
/// | `exchange` | one request and response | the data for lists and filters; small, so that scans are fast |
/// | `content` | the same exchange | heads, trailers and the first part of the bodies, byte for byte |
/// | `body_part` | the rest of a long body | the bytes in the order of arrival; for a stream, with the times |
/// | `message` | one message of a WebSocket | its properties, and the first part of its payload |
/// | `message_part` | the rest of a long payload | the bytes in the order of arrival |
/// | `change` | numbers that were written or removed | the latest changes, so that readers learn of them |
/// | `note` | a note on an exchange or a flow | the user's mark and comment; nothing here was captured |
/// | `ruling` | an exchange that rules acted on | the rules and their effects, as JSON |
/// | `packet` | bytes of a connection | as they were sent, if the proxy was to keep them; with the opening and the end |
/// | `secret` | a secret of a TLS connection | a line of an NSS key log, which decrypts packets |
/// | `certificate` | one DER certificate | stored once, however many flows show it |
///
/// Tables that grow with traffic have no second index: the number of a row is its index, and numbers grow with time.
/// The indexes on `flow` contain only flows that lists show beside the exchanges (failed flows, and flows that were
/// relayed unread), and spare connections. `docs/CAPTURE.md` explains every column.
enum CaptureSchema {
    /// The schema that this code writes.
    static let version: Int64 = 1
    /// `Pinh`, in the header of the file.
    static let applicationID: Int64 = 0x5069_6e68

    /// The page size in bytes: a page holds about eight small exchanges, so a batch writes few pages with little waste.
    static let pageSize = 16 << 10

    /// The tables and indexes; the columns of flows and exchanges are those of their fields.
    private static let tables = """
        CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE flow(\(RecordTables.flow.declarations), record TEXT NOT NULL);
        CREATE INDEX flow_listed ON flow(id) WHERE \(FlowFilter.mayBeListed);
        CREATE INDEX flow_spare ON flow(closed) WHERE \(FlowFilter.isSpare);
        CREATE TABLE exchange(\(RecordTables.exchange.declarations));
        CREATE TABLE content(
            id INTEGER PRIMARY KEY, request_head BLOB, request_body BLOB, request_trailers BLOB,
            informational BLOB, response_head BLOB, response_body BLOB, response_trailers BLOB);
        CREATE TABLE body_part(
            id INTEGER PRIMARY KEY, exchange INTEGER NOT NULL, owner INTEGER NOT NULL, bytes BLOB NOT NULL,
            arrived INTEGER);
        CREATE INDEX body_part_exchange ON body_part(exchange, owner);
        CREATE TABLE certificate(
            id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, last_flow INTEGER NOT NULL, der BLOB NOT NULL);
        CREATE INDEX certificate_hash ON certificate(hash);
        CREATE TABLE message(
            id INTEGER PRIMARY KEY, exchange INTEGER NOT NULL, number INTEGER NOT NULL,
            sender INTEGER NOT NULL, kind INTEGER NOT NULL, state INTEGER NOT NULL,
            started INTEGER NOT NULL, ended INTEGER NOT NULL, frames INTEGER NOT NULL,
            length INTEGER NOT NULL, captured INTEGER NOT NULL, detail TEXT, payload BLOB);
        CREATE UNIQUE INDEX message_number ON message(exchange, number);
        CREATE TABLE message_part(
            id INTEGER PRIMARY KEY, exchange INTEGER NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX message_part_number ON message_part(exchange, number);
        CREATE TABLE packet(
            id INTEGER PRIMARY KEY, flow INTEGER NOT NULL, connection INTEGER NOT NULL, kind INTEGER NOT NULL,
            time INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX packet_flow ON packet(flow);
        CREATE TABLE secret(
            id INTEGER PRIMARY KEY, random TEXT NOT NULL, line TEXT NOT NULL, packet INTEGER NOT NULL);
        CREATE INDEX secret_random ON secret(random);
        CREATE TABLE note(id INTEGER PRIMARY KEY, marked INTEGER NOT NULL, comment TEXT);
        CREATE TABLE ruling(id INTEGER PRIMARY KEY, hits TEXT NOT NULL);
        \(ChangeLog.table)
        """

    /// Creates the tables and the views.
    static func create(_ db: Database) throws {
        try db.execute(tables)
        try CaptureViews.install(db)
    }

    /// Turns an empty file into a capture, and refuses a file that is not one.
    static func prepare(_ db: Database, path: String, now: Int64) throws {
        let hasPages = try db.number("the file", "PRAGMA page_count") != 0
        let isEmpty = try !hasPages || isBegun(db)
        if !isEmpty { try check(db, path: path) }
        if !hasPages {
            try db.execute("PRAGMA page_size = \(pageSize)")
            // Retention can then return space to the file system in small steps.
            try db.execute("PRAGMA auto_vacuum = INCREMENTAL")
        }
        try db.execute("PRAGMA journal_mode = WAL")
        // A power cut may lose the last batches, but does not damage the file; `kill -9` loses nothing that was
        // written.
        try db.execute("PRAGMA synchronous = NORMAL")
        guard isEmpty else { return try db.transaction(.immediate) { try CaptureViews.install(db) } }
        try db.transaction(.immediate) {
            try create(db)
            try db.execute(
                "INSERT INTO meta VALUES ('schema', ?), ('created', ?), ('lastID', 0)",
                [.number(version), .number(now)]
            )
            try db.execute("PRAGMA application_id = \(applicationID)")
        }
    }

    /// Whether the file has no more than the first page of a capture, because the disk was full or the program was killed
    /// before there were tables.
    private static func isBegun(_ db: Database) throws -> Bool {
        try db.number("the file", "SELECT count(*) FROM sqlite_master") == 0
            && db.number("the file", "PRAGMA page_size") == Int64(pageSize)
            && db.number("the file", "PRAGMA application_id") == 0
    }

    /// Removes the secrets that were written before all packets, which they cannot decrypt.
    static let removalOfSecrets = """
        DELETE FROM secret WHERE packet < coalesce((SELECT min(id) FROM packet), 9223372036854775807)
        """

    /// Notes that numbers may not grow with time in this file, so that no search uses bisection.
    static func noteDisorder(_ db: Database) throws {
        try db.execute("INSERT OR IGNORE INTO meta VALUES ('unordered', 1)")
    }

    /// Whether numbers grow with time.
    static func isOrdered(_ db: Database) throws -> Bool {
        try meta("unordered", db) == nil
    }

    /// Throws a ``CaptureFailure`` unless the file is a capture with a known schema whose tables are exactly as Pinhole
    /// makes them.
    static func check(_ db: Database, path: String) throws {
        let found = try SchemaDeclarations(db)
        guard try db.number("the file", "PRAGMA application_id") == applicationID,
            found.hasTable("meta", of: try .expected()), let schema = try meta("schema", db)
        else { throw CaptureFailure.notCapture(path: path, "it is another program's SQLite database") }
        guard schema <= version else {
            throw CaptureFailure.newerSchema(path: path, found: schema, known: version)
        }
        if let difference = found.difference(from: try .expected()) {
            throw CaptureFailure.notCapture(path: path, difference)
        }
    }

    /// Returns a number from the table `meta`; `nil` if the table does not have it.
    static func meta(_ name: String, _ db: Database) throws -> Int64? {
        try db.number("meta", "SELECT value FROM meta WHERE name = ?", [.text(name)], isKept: true)
    }

    /// Returns the number of bytes of the file, without the journal.
    static func fileBytes(_ db: Database) throws -> Int64 {
        let pages = try db.number("the file", "PRAGMA page_count") ?? 0
        return pages * (try db.number("the file", "PRAGMA page_size") ?? 0)
    }

    /// Converts an error of reading or writing to a failure of the capture.
    static func failure(_ error: any Error, path: String) -> CaptureFailure {
        if let failure = error as? CaptureFailure { return failure }
        if let fault = error as? StoredValueFault { return .wrongValue(path: path, fault) }
        guard let error = error as? DatabaseError else { return .database(path: path, "\(error)") }
        if isFolder(path) { return .notCapture(path: path, "it is a folder") }
        switch error.kind {
        case .noDatabase: return .notCapture(path: path, "it is not a SQLite database")
        case .damaged: return .notCapture(path: path, "it is damaged")
        case .interrupted: return .cancelled
        case .busy, .constraint, .other: return .database(path: path, error.message)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether another program currently holds the file.
    static func isBusy(_ error: any Error) -> Bool { (error as? DatabaseError)?.kind == .busy }
}
