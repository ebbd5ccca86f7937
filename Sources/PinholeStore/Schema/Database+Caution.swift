import CSQLite

/// Protection against untrusted files, which could exhaust memory and time, or run functions.
extension Database {
    /// The largest text or blob in a capture, in bytes; longer bodies are stored in parts.
    private static let longestValue: Int32 = 16 << 20
    /// The number of steps of SQLite's machine for reading a schema: about 250 tables, and a capture has far fewer.
    private static let schemaSteps: Int32 = 2000
    /// The number of steps of SQLite's machine between two checks for cancellation, a millisecond at most.
    private static let stepsBetweenQuestions: Int32 = 4000

    /// Limits the resources that the file may use, and reads its schema.
    ///
    /// - Parameter path: The file, for messages.
    /// - Throws: ``CaptureFailure`` if the schema is far larger than that of a capture, or a journal is from elsewhere.
    func distrust(_ path: String) throws {
        // SQLite reads the journals with the first statement.
        try distrustJournal(path)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestValue)
        // Views, triggers, generated columns and indexes of an untrusted file must not call functions.
        try execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        sqlite3_progress_handler(handle, Self.schemaSteps, { _ in 1 }, nil)
        defer { sqlite3_progress_handler(handle, 0, nil, nil) }
        do throws(DatabaseError) {
            try execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        } catch  where error.kind == .interrupted {
            throw CaptureFailure.notCapture(path: path, "its schema is larger than that of any capture")
        }
    }

    private func distrustJournal(_ path: String) throws(CaptureFailure) {
        // A database in memory has an empty name.
        guard let name = sqlite3_db_filename(handle, "main"), name.pointee != 0,
            let text = sqlite3_filename_journal(name)
        else { return }
        let journal = String(cString: text)
        guard !CaptureJournal.isForeign(journal) else {
            throw .notCapture(path: path, "Pinhole never wrote its journal, \(journal)")
        }
    }

    /// Does work whose statements end with `SQLITE_INTERRUPT` once it is cancelled.
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
            handle,
            Self.stepsBetweenQuestions,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Question>.fromOpaque(context).takeUnretainedValue().isCancelled() ? 1 : 0
            },
            question.toOpaque()
        )
        defer {
            sqlite3_progress_handler(handle, 0, nil, nil)
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
