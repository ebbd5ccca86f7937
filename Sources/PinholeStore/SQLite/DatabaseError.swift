import CSQLite

/// An error that SQLite reported.
struct DatabaseError: Error, Equatable, CustomStringConvertible {
    /// The errors that the store treats in different ways.
    enum Kind {
        /// Another connection holds the file.
        case busy
        /// The file is a damaged database.
        case damaged
        /// The file is no database.
        case noDatabase
        /// A progress handler ended the statement.
        case interrupted
        /// The table does not allow the values; mostly a row with their number is there already.
        case constraint
        /// Any other error, such as a full disk.
        case other
    }

    /// The extended result code (https://sqlite.org/rescode.html).
    let code: Int32
    /// The explanation of SQLite, as a part of a sentence.
    let message: String

    /// Describes the last error of a connection.
    ///
    /// - Parameters:
    ///   - code: The result code of the call that failed.
    ///   - connection: The connection of the call, which must be its last; `nil` if SQLite had no memory to make one.
    init(_ code: Int32, of connection: OpaquePointer?) {
        self.code = code
        let text = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        message = text.map { String(cString: $0) } ?? "SQLite error \(code)"
    }

    /// Describes a result code without its connection.
    init(_ code: Int32) {
        self.code = code
        message = sqlite3_errstr(code).map { String(cString: $0) } ?? "SQLite error \(code)"
    }

    /// The kind of the error.
    var kind: Kind {
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CORRUPT: .damaged
        case SQLITE_NOTADB: .noDatabase
        case SQLITE_INTERRUPT: .interrupted
        case SQLITE_CONSTRAINT: .constraint
        default: .other
        }
    }

    /// The explanation.
    var description: String { message }
}
