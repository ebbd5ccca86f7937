import GRDB
import GRDBSQLite

/// Protection against untrusted files, which could exhaust memory and time, or run functions.
extension Database {
    /// No text or blob of a capture is longer: a body is stored in parts.
    private static let longestValue: Int32 = 16 << 20
    /// Steps of SQLite's machine that reading a schema may take: about 250 tables, and a capture has eight.
    private static let schemaSteps: Int32 = 2000
    /// Steps of SQLite's machine between two questions, a millisecond at most.
    private static let stepsBetweenQuestions: Int32 = 4000

    /// Bounds what the file may cost, and reads its schema.
    ///
    /// - Parameter path: The file, for messages.
    /// - Throws: ``CaptureFailure`` where the schema is far larger than that of a capture.
    func distrust(_ path: String) throws {
        sqlite3_limit(sqliteConnection, SQLITE_LIMIT_LENGTH, Self.longestValue)
        // Views, triggers, generated columns and indexes of an untrusted file must not call functions.
        try execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        sqlite3_progress_handler(sqliteConnection, Self.schemaSteps, { _ in 1 }, nil)
        defer { sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
        do {
            try execute(sql: "SELECT 1 FROM sqlite_schema LIMIT 1")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw CaptureFailure.notCapture(path: path, "its schema is larger than that of any capture")
        }
    }

    /// Does work whose statements end with an error of SQLite, `SQLITE_INTERRUPT`, once nobody waits for them.
    ///
    /// - Parameters:
    ///   - isCancelled: Called while a statement runs; `true` ends the statement.
    ///   - work: The work.
    /// - Returns: The result of `work`.
    /// - Throws: The error of `work`.
    func interrupted<Value>(
        by isCancelled: @escaping @Sendable () -> Bool,
        _ work: () throws -> Value
    ) throws -> Value {
        let question = Unmanaged.passRetained(Question(isCancelled))
        sqlite3_progress_handler(
            sqliteConnection,
            Self.stepsBetweenQuestions,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Question>.fromOpaque(context).takeUnretainedValue().isCancelled() ? 1 : 0
            },
            question.toOpaque()
        )
        defer {
            sqlite3_progress_handler(sqliteConnection, 0, nil, nil)
            question.release()
        }
        return try work()
    }
}

/// An object around the closure, whose address can be passed to SQLite.
private final class Question {
    let isCancelled: @Sendable () -> Bool

    init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }
}
