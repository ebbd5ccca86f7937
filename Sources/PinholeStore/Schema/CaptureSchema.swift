import GRDB
import Glibc

/// The tables of a capture file, and how a file is recognised as one.
///
/// All moments are microseconds since 1970, all durations are microseconds.
///
/// | table | row | content |
/// |---|---|---|
/// | `meta` | a name | `schema`, `created`, `lastID` (the highest number that was ever given) |
/// | `flow` | one tunnel | some columns to select by, and the whole record as JSON, chains as certificate numbers |
/// | `exchange` | one request and response | all that lists and filters need; small, so that a million are scanned quickly |
/// | `content` | the same exchange | heads, trailers and the first part of the bodies, byte for byte |
/// | `body_part` | the rest of a long body | in the order in which it came; of a stream, with the times |
/// | `message` | one message of a WebSocket | what it is, and the first part of its payload |
/// | `message_part` | the rest of a long payload | in the order in which it came |
/// | `note` | a remark on an exchange or a flow | what people said of it; nothing was captured here |
/// | `ruling` | an exchange that rules acted on | the rules, and what they did, as JSON |
/// | `certificate` | one DER certificate | stored once, however many flows show it |
///
/// There is no second index on what grows with traffic: a number is its own index, and numbers grow with time.
/// The indexes on `flow` hold only failed flows and flows that were relayed unread, which lists show beside
/// the exchanges, and spare connections.
/// `docs/CAPTURE.md` explains every column.
enum CaptureSchema {
    /// The schema that this code writes.
    static let version: Int64 = 9
    /// `Pinh`, in the header of the file.
    static let applicationID: Int64 = 0x5069_6e68

    /// A page holds about eight small exchanges, so that a batch writes few pages with little waste.
    static let pageSize = 16 << 10

    static let tables = """
        CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE flow(
            id INTEGER PRIMARY KEY, opened INTEGER NOT NULL, closed INTEGER, client TEXT NOT NULL,
            authority TEXT, treatment TEXT, outcome TEXT, failed INTEGER NOT NULL, exchanges INTEGER NOT NULL,
            record TEXT NOT NULL);
        CREATE TABLE exchange(
            id INTEGER PRIMARY KEY, flow INTEGER NOT NULL, started INTEGER NOT NULL, ended INTEGER,
            scheme INTEGER NOT NULL, authority TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
            status INTEGER, outcome INTEGER, detail TEXT, notes INTEGER NOT NULL, state INTEGER NOT NULL,
            blocked INTEGER, resolve INTEGER, connect INTEGER, tls INTEGER,
            request_ended INTEGER, response_started INTEGER,
            request_length INTEGER NOT NULL, request_captured INTEGER NOT NULL,
            response_length INTEGER NOT NULL, response_captured INTEGER NOT NULL);
        CREATE TABLE content(
            id INTEGER PRIMARY KEY, request_head BLOB, request_body BLOB, request_trailers BLOB,
            informational BLOB, response_head BLOB, response_body BLOB, response_trailers BLOB);
        CREATE TABLE body_part(
            id INTEGER PRIMARY KEY, exchange INTEGER NOT NULL, owner INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX body_part_exchange ON body_part(exchange, owner);
        CREATE TABLE certificate(
            id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, last_flow INTEGER NOT NULL, der BLOB NOT NULL);
        CREATE INDEX certificate_hash ON certificate(hash);
        """

    /// What schema 2 added: the messages of WebSockets.
    private static let messageTables = """
        CREATE TABLE message(
            id INTEGER PRIMARY KEY, exchange INTEGER NOT NULL, number INTEGER NOT NULL,
            sender INTEGER NOT NULL, kind INTEGER NOT NULL, state INTEGER NOT NULL,
            started INTEGER NOT NULL, ended INTEGER NOT NULL, frames INTEGER NOT NULL,
            length INTEGER NOT NULL, captured INTEGER NOT NULL, detail TEXT, payload BLOB);
        CREATE UNIQUE INDEX message_number ON message(exchange, number);
        CREATE TABLE message_part(
            id INTEGER PRIMARY KEY, exchange INTEGER NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX message_part_number ON message_part(exchange, number);
        """

    /// What schema 3 added: when the parts of a stream were there.
    private static let arrivalColumn = "ALTER TABLE body_part ADD COLUMN arrived INTEGER"

    /// What schema 4 added: remarks, and the flows that lists show.
    private static let noteTables = """
        CREATE TABLE note(id INTEGER PRIMARY KEY, marked INTEGER NOT NULL, comment TEXT);
        CREATE INDEX flow_listed ON flow(id) WHERE \(FlowFilter.mayBeListed);
        CREATE INDEX flow_closed ON flow(closed) WHERE \(FlowFilter.isOver);
        """

    /// What schema 5 added: the rules that acted.
    private static let rulingTable = "CREATE TABLE ruling(id INTEGER PRIMARY KEY, hits TEXT NOT NULL)"

    /// What schema 6 changed: relays are listed while they go on.
    private static let listedIndex = """
        DROP INDEX flow_listed;
        CREATE INDEX flow_listed ON flow(id) WHERE \(FlowFilter.mayBeListed);
        """

    /// What schema 7 added: the programs that made connections.
    private static let processColumns = """
        ALTER TABLE flow ADD COLUMN process_id INTEGER;
        ALTER TABLE flow ADD COLUMN process_name TEXT;
        ALTER TABLE flow ADD COLUMN process_path TEXT;
        """

    /// What schema 8 added: the users who logged in to the proxy.
    private static let userColumns = """
        ALTER TABLE flow ADD COLUMN proxy_user TEXT;
        ALTER TABLE exchange ADD COLUMN proxy_user TEXT;
        """

    /// The index of schema 9, by which spare connections are counted and found without a scan of all flows.
    private static let spareIndex =
        "CREATE INDEX flow_spare ON flow(closed) WHERE \(FlowFilter.isSpare)"

    /// The statements that turn the tables of each version into those of the next one.
    private static let steps: [(version: Int64, sql: String)] = [
        (1, tables), (2, messageTables), (3, arrivalColumn), (4, noteTables), (5, rulingTable),
        (6, listedIndex), (7, processColumns), (8, userColumns), (9, spareIndex),
    ]

    /// Makes the tables of a version.
    static func create(_ db: Database, version: Int64) throws {
        for step in steps where step.version <= version { try db.execute(sql: step.sql) }
    }

    /// Makes an empty file a capture, and refuses a file that is something else.
    static func prepare(_ db: Database, path: String, now: Int64) throws {
        let isEmpty = try db.number("the file", "PRAGMA page_count") == 0
        if !isEmpty { try check(db, path: path) }
        if isEmpty {
            try db.execute(sql: "PRAGMA page_size = \(pageSize)")
            // Lets retention give space back to the file system in small steps.
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        }
        try db.execute(sql: "PRAGMA journal_mode = WAL")
        // A power cut may take the last batches, never the file; `kill -9` takes nothing that was written.
        try db.execute(sql: "PRAGMA synchronous = NORMAL")
        guard isEmpty else { return try migrate(db) }
        try db.inTransaction(.immediate) {
            try create(db, version: version)
            try db.execute(
                sql: "INSERT INTO meta VALUES ('schema', ?), ('created', ?), ('lastID', 0)",
                arguments: [version, now]
            )
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            return .commit
        }
    }

    /// Brings a file of an older schema up to this one.
    static func migrate(_ db: Database) throws {
        try db.inTransaction(.immediate) {
            guard let schema = try meta("schema", db), schema < version else { return .rollback }
            for step in steps where step.version > schema { try db.execute(sql: step.sql) }
            try db.execute(sql: "UPDATE meta SET value = ? WHERE name = 'schema'", arguments: [version])
            return .commit
        }
    }

    /// Whether the file is of a schema, or a later one; another process may just have brought it there, so the file is
    /// asked, and not what GRDB remembers of it.
    private static func reaches(_ schema: Int64, _ db: Database) throws -> Bool {
        (try meta("schema", db) ?? 0) >= schema
    }

    /// Whether the file has the messages of schema 2.
    static func hasMessages(_ db: Database) throws -> Bool { try reaches(2, db) }

    /// Whether the file has the remarks of schema 4.
    static func hasNotes(_ db: Database) throws -> Bool { try reaches(4, db) }

    /// Whether the file has the programs of schema 7.
    static func hasProcesses(_ db: Database) throws -> Bool { try reaches(7, db) }

    /// Whether the file has the users of schema 8.
    static func hasUsers(_ db: Database) throws -> Bool { try reaches(8, db) }

    /// Whether the file may have the spare connections of schema 9.
    static func hasSpares(_ db: Database) throws -> Bool { try reaches(9, db) }

    /// Notes that numbers need not grow with time in this file, so that nothing is found by bisection.
    static func noteDisorder(_ db: Database) throws {
        try db.execute(sql: "INSERT OR IGNORE INTO meta VALUES ('unordered', 1)")
    }

    /// Whether numbers grow with time.
    static func isOrdered(_ db: Database) throws -> Bool {
        try meta("unordered", db) == nil
    }

    /// Throws a ``CaptureFailure`` unless the file is a capture whose schema is known, and as Pinhole makes it.
    static func check(_ db: Database, path: String) throws {
        let found = try SchemaDeclarations(db)
        guard try db.number("the file", "PRAGMA application_id") == applicationID,
            found.hasTable("meta", of: try .expected(version)), let schema = try meta("schema", db)
        else { throw CaptureFailure.notCapture(path: path, "it is another program's SQLite database") }
        guard schema <= version else {
            throw CaptureFailure.newerSchema(path: path, found: schema, known: version)
        }
        if let difference = found.difference(from: try .expected(schema)) {
            throw CaptureFailure.notCapture(path: path, difference)
        }
    }

    /// A number of the table `meta`; `nil` if the table does not have it.
    static func meta(_ name: String, _ db: Database) throws -> Int64? {
        try db.number("meta", "SELECT value FROM meta WHERE name = ?", [name], isKept: true)
    }

    /// Bytes of the file, without the journal.
    static func fileBytes(_ db: Database) throws -> Int64 {
        let pages = try db.number("the file", "PRAGMA page_count") ?? 0
        return pages * (try db.number("the file", "PRAGMA page_size") ?? 0)
    }

    /// Says in the words of a capture what SQLite found.
    static func failure(_ error: any Error, path: String) -> CaptureFailure {
        if let failure = error as? CaptureFailure { return failure }
        if let fault = error as? StoredValueFault { return .wrongValue(path: path, fault) }
        guard let error = error as? DatabaseError else { return .database(path: path, "\(error)") }
        if isFolder(path) { return .notCapture(path: path, "it is a folder") }
        switch error.resultCode {
        case .SQLITE_NOTADB: return .notCapture(path: path, "it is no SQLite database")
        case .SQLITE_CORRUPT: return .notCapture(path: path, "it is damaged")
        case .SQLITE_INTERRUPT: return .cancelled
        default: return .database(path: path, error.message ?? "SQLite error \(error.resultCode.rawValue)")
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether another program holds the file for the moment.
    static func isBusy(_ error: any Error) -> Bool {
        let code = (error as? DatabaseError)?.resultCode
        return code == .SQLITE_BUSY || code == .SQLITE_LOCKED
    }

    /// What SQLite says about `error`, without the statement.
    static func reason(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        return error.message ?? "SQLite error \(error.resultCode.rawValue)"
    }
}
