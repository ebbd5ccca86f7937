import CSQLite

/// A prepared statement of SQL.
///
/// Values are bound to its parameters in order. Then it runs, or it steps from row to row until ``reset()`` prepares it
/// for other values. A statement belongs to the thread that uses its ``Database``.
final class Statement {
    private let handle: OpaquePointer
    private var bytes = BoundBytes()
    /// The number of parameters that have a value.
    private var bound: Int32 = 0
    /// The result code of the first value that SQLite refused, such as one that is too long.
    private var refusal = SQLITE_OK

    /// Prepares a statement.
    ///
    /// - Parameters:
    ///   - sql: The text of one statement.
    ///   - connection: The connection of a ``Database``.
    ///   - isKept: Whether the statement is used often.
    /// - Throws: ``DatabaseError`` if SQLite does not understand the text.
    init(_ sql: String, on connection: OpaquePointer, isKept: Bool) throws(DatabaseError) {
        var prepared: OpaquePointer?
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sqlite3_prepare_v3(connection, sql, -1, flags, &prepared, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, of: connection) }
        guard let prepared else { preconditionFailure("a text without a statement: \(sql)") }
        handle = prepared
    }

    deinit { sqlite3_finalize(handle) }

    /// Binds values to all parameters.
    func bind(_ values: [SQLValue]) {
        precondition(values.count == sqlite3_bind_parameter_count(handle), "a value for each parameter")
        for value in values {
            switch value {
            case .null: bound += 1
            case .number(let number): bind(number)
            case .text(let text): bind(text)
            }
        }
    }

    /// Binds a number to the next parameter; `nil` is NULL.
    func bind(_ number: Int64?) {
        bound += 1
        // A parameter without a value is NULL.
        guard let number else { return }
        check(sqlite3_bind_int64(handle, bound, number))
    }

    /// Binds a text to the next parameter; `nil` is NULL.
    func bind(_ text: String?) {
        bound += 1
        guard var text else { return }
        let place = text.withUTF8 { bytes.copy(UnsafeRawBufferPointer($0)) }
        let start = place?.assumingMemoryBound(to: CChar.self)
        check(sqlite3_bind_text64(handle, bound, start, UInt64(text.utf8.count), nil, UInt8(SQLITE_UTF8)))
    }

    /// Binds a text in UTF-8 to the next parameter.
    func bind(utf8 text: [UInt8]) {
        bound += 1
        let place = text.withUnsafeBytes { bytes.copy($0) }?.assumingMemoryBound(to: CChar.self)
        check(sqlite3_bind_text64(handle, bound, place, UInt64(text.count), nil, UInt8(SQLITE_UTF8)))
    }

    /// Binds a blob to the next parameter; an empty one is NULL.
    func bind(_ blob: [UInt8]) {
        bound += 1
        guard !blob.isEmpty else { return }
        let place = blob.withUnsafeBytes { bytes.copy($0) }
        check(sqlite3_bind_blob64(handle, bound, place, UInt64(blob.count), nil))
    }

    private func check(_ code: Int32) {
        if code != SQLITE_OK, refusal == SQLITE_OK { refusal = code }
    }

    /// Runs the statement to its end, without its rows, and resets it.
    func run() throws(DatabaseError) {
        defer { reset() }
        while try step() {}
    }

    /// Runs the statement with a blob as its last value, which SQLite does not copy.
    func run(with blob: [UInt8]) throws(DatabaseError) {
        bound += 1
        let result = blob.withUnsafeBytes { blob in
            check(sqlite3_bind_blob64(handle, bound, blob.baseAddress, UInt64(blob.count), nil))
            // The statement is reset before the address of the blob ends.
            return Result { () throws(DatabaseError) in try run() }
        }
        try result.get()
    }

    /// Goes on to the next row.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``DatabaseError`` if the statement fails, or if a value was refused.
    func step() throws(DatabaseError) -> Bool {
        guard refusal == SQLITE_OK else { throw DatabaseError(refusal) }
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code, of: sqlite3_db_handle(handle))
        }
    }

    /// Makes the statement ready for other values.
    func reset() {
        // The result repeats the error of the last step.
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        bytes.removeAll()
        bound = 0
        refusal = SQLITE_OK
    }

    /// Whether the statement has begun and was not reset.
    var isRunning: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// The number of columns of a row.
    var columnCount: Int32 { sqlite3_column_count(handle) }

    /// Returns the value in a column of the row; the bytes of a text or blob are valid until the next step or reset.
    ///
    /// Condition: ``step()`` has returned `true` last. A ``StoredRow`` exists only then.
    func column(_ index: Int32) -> ColumnValue {
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: .number(sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, index))
        case SQLITE_TEXT: .text(content(sqlite3_column_text(handle, index), index))
        case SQLITE_BLOB: .blob(content(sqlite3_column_blob(handle, index), index))
        default: .null
        }
    }

    func name(of column: Int32) -> String {
        sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "\(column)"
    }

    /// Returns the bytes of a text in UTF-8, which SQLite may have to convert for the pointer, or of a blob.
    private func content(_ start: UnsafeRawPointer?, _ column: Int32) -> UnsafeRawBufferPointer {
        // SQLite returns a null pointer for an empty blob, and the length must be read after the pointer.
        UnsafeRawBufferPointer(
            start: start,
            count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
        )
    }
}
