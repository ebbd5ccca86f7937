import CSQLite
import PinholeModel

/// A connection to a SQLite database.
///
/// Only one thread at a time may use it, because SQLite's own locks are off. A ``DatabaseQueue`` shares it between
/// threads.
final class Database {
    /// The purpose of a connection.
    enum Access {
        case reading
        /// Reads and writes, and makes the file if there is none.
        case writing
    }

    /// The time at which a transaction takes its lock.
    enum TransactionKind: String {
        /// The first statement takes the lock that it needs.
        case deferred = "BEGIN DEFERRED"
        /// The transaction begins with the lock of the writer.
        case immediate = "BEGIN IMMEDIATE"
    }

    /// A way to move the journal into the file.
    enum Checkpoint {
        /// Moves the part that no other connection needs.
        case passive
        /// Waits for other connections, moves all of it, and empties the journal.
        case truncating
    }

    /// Turns off the statistics of SQLite's memory, for which every allocation takes a lock; evaluated once.
    ///
    /// The result code is not checked: with statistics, SQLite only takes longer.
    private static let configuration = pinhole_sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0)

    private var connection: OpaquePointer?
    private var kept: [String: Statement] = [:]

    /// Opens a database.
    ///
    /// SQLite reads the file with the first statement, so a file that is no database is noticed only then.
    ///
    /// - Parameters:
    ///   - path: The file; `:memory:` is a new database in memory.
    ///   - access: The purpose.
    ///   - busyTimeout: The time for which a statement waits for another connection.
    /// - Throws: ``DatabaseError`` if the file cannot be opened.
    init(
        path: String,
        _ access: Access = .writing,
        busyTimeout: Duration = .seconds(5)
    ) throws(DatabaseError) {
        _ = Self.configuration
        var opened: OpaquePointer?
        let mode = access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            let error = DatabaseError(code, of: opened)
            // SQLite makes a connection for the error, too.
            sqlite3_close_v2(opened)
            throw error
        }
        connection = opened
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, Int32(clamping: busyTimeout.milliseconds))
        // Otherwise SQLite treats a misspelt column in double quotes as a text, and reports no error.
        pinhole_sqlite3_db_config(opened, SQLITE_DBCONFIG_DQS_DDL, 0)
        pinhole_sqlite3_db_config(opened, SQLITE_DBCONFIG_DQS_DML, 0)
        // A view or a trigger of a file from elsewhere never runs; Pinhole itself uses neither.
        pinhole_sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        pinhole_sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    }

    deinit { close() }

    /// Closes the file; if the caller still has statements of it, it is closed with the last of them.
    func close() {
        kept.removeAll()
        sqlite3_close_v2(connection)
        connection = nil
    }

    /// The connection, for the calls of SQLite that this type does not wrap.
    var handle: OpaquePointer {
        guard let connection else { preconditionFailure("the database is closed") }
        return connection
    }

    /// Runs statements that have no parameters.
    func execute(_ sql: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, of: handle) }
    }

    /// Runs one statement.
    func execute(_ sql: String, _ values: [SQLValue], isKept: Bool = false) throws(DatabaseError) {
        let statement = try statement(sql, isKept: isKept)
        statement.bind(values)
        try statement.run()
    }

    /// Prepares a statement.
    ///
    /// - Parameters:
    ///   - sql: The text of one statement.
    ///   - isKept: Whether the statement stays prepared for the next time; only for a text that never changes.
    /// - Returns: The statement. The caller resets one that is kept.
    /// - Throws: ``DatabaseError`` if SQLite does not understand the text.
    func statement(_ sql: String, isKept: Bool = false) throws(DatabaseError) -> Statement {
        guard isKept else { return try Statement(sql, on: handle, isKept: false) }
        let known = kept[sql]
        if let known, !known.isRunning { return known }
        let prepared = try Statement(sql, on: handle, isKept: true)
        // The kept statement is running: its caller runs the same query again while it reads a row.
        if known == nil { kept[sql] = prepared }
        return prepared
    }

    /// Does work in a transaction, which is committed after it, or rolled back if it throws.
    ///
    /// - Parameters:
    ///   - kind: The time at which the transaction takes its lock.
    ///   - work: The work.
    /// - Returns: The result of `work`.
    /// - Throws: ``DatabaseError``, or the error of `work`.
    @discardableResult
    func transaction<Value>(_ kind: TransactionKind, _ work: () throws -> Value) throws -> Value {
        try execute(kind.rawValue, [], isKept: true)
        do {
            let value = try work()
            try execute("COMMIT", [], isKept: true)
            return value
        } catch {
            // After some errors, such as a full disk, SQLite has already rolled it back.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK", [], isKept: true) }
            throw error
        }
    }

    /// Moves the journal into the file.
    func checkpoint(_ kind: Checkpoint) throws(DatabaseError) {
        let mode = kind == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, of: handle) }
    }

    /// The number of rows that the last statement changed.
    var changedRows: Int { Int(sqlite3_changes(handle)) }

    /// The number of the last row that was inserted.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }
}
