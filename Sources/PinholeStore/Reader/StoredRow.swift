import GRDB
import GRDBSQLite

/// A row of a statement's result, whose columns are read with type checks.
///
/// A capture may come from anybody, and a column of SQLite holds a value of any type. A value that Pinhole cannot have
/// written throws a ``StoredValueFault``, which names its place. GRDB's own `row[]` would end the process.
/// This is the one file that reads columns; `RepositoryTests` checks that.
struct StoredRow {
    private let table: String
    private let handle: OpaquePointer

    /// Lengths and counts of a file, of which a few can be added.
    static let lengths: ClosedRange<Int64> = 0...1 << 60
    /// Numbers of exchanges and flows are at most this large, so that a page of JavaScript can count with them.
    static let greatestID: Int64 = 1 << 53 - 1

    fileprivate init(_ table: String, _ handle: OpaquePointer) {
        self.table = table
        self.handle = handle
    }

    /// The number in a column; `nil` for NULL.
    func optionalNumber(
        _ column: Int32,
        in range: ClosedRange<Int64> = .min ... .max
    ) throws(StoredValueFault) -> Int64? {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: return nil
        case SQLITE_INTEGER:
            let number = sqlite3_column_int64(handle, column)
            guard range.contains(number) else { throw fault(column, Self.expected(range)) }
            return number
        default: throw fault(column, Self.expected(range))
        }
    }

    /// The number in a column.
    func number(
        _ column: Int32,
        in range: ClosedRange<Int64> = .min ... .max
    ) throws(StoredValueFault) -> Int64 {
        guard let number = try optionalNumber(column, in: range) else {
            throw fault(column, Self.expected(range))
        }
        return number
    }

    /// The number of an exchange or flow.
    func id(_ column: Int32) throws(StoredValueFault) -> Int64 { try number(column, in: 0...Self.greatestID) }

    /// A count, or a length in bytes.
    func length(_ column: Int32) throws(StoredValueFault) -> Int64 {
        try number(column, in: Self.lengths)
    }

    /// Whether a column holds another number than 0.
    func truth(_ column: Int32) throws(StoredValueFault) -> Bool { try number(column) != 0 }

    /// The result of SQL's `total()`, as a whole number.
    func total(_ column: Int32) -> Int64 {
        let total = sqlite3_column_double(handle, column).rounded()
        return Int64(exactly: total) ?? (total < 0 ? .min : .max)
    }

    /// The text in a column; `nil` for NULL.
    func optionalText(_ column: Int32) throws(StoredValueFault) -> String? {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: nil
        case SQLITE_TEXT: String(decoding: span(column), as: UTF8.self)
        default: throw fault(column, "a text")
        }
    }

    /// The text in a column.
    func text(_ column: Int32) throws(StoredValueFault) -> String {
        guard let text = try optionalText(column) else { throw fault(column, "a text") }
        return text
    }

    /// The bytes in a column; none for NULL.
    func bytes(_ column: Int32) throws(StoredValueFault) -> [UInt8] {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: []
        case SQLITE_BLOB: Array(span(column))
        default: throw fault(column, "bytes")
        }
    }

    /// The value that a list is sorted by; its bytes are valid until the next row.
    func sortValue(_ column: Int32, isText: Bool) throws(StoredValueFault) -> SortValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: .missing
        case SQLITE_TEXT where isText, SQLITE_BLOB where isText: .text(span(column))
        case SQLITE_INTEGER where !isText: .number(sqlite3_column_int64(handle, column))
        default: throw fault(column, isText ? "a text" : "a whole number")
        }
    }

    /// The fault of a column whose value is not of the expected kind.
    func fault(_ column: Int32, _ expected: String) -> StoredValueFault {
        let found =
            switch sqlite3_column_type(handle, column) {
            case SQLITE_NULL: "nothing"
            case SQLITE_INTEGER: "the number \(sqlite3_column_int64(handle, column))"
            case SQLITE_FLOAT: "the number \(sqlite3_column_double(handle, column))"
            case SQLITE_TEXT: "a text of \(sqlite3_column_bytes(handle, column)) bytes"
            default: "\(sqlite3_column_bytes(handle, column)) bytes"
            }
        let hasNumber = name(0) == "id" && sqlite3_column_type(handle, 0) == SQLITE_INTEGER
        return StoredValueFault(
            table: table,
            row: hasNumber ? sqlite3_column_int64(handle, 0) : nil,
            column: name(column),
            expected: expected,
            found: found
        )
    }

    private func name(_ column: Int32) -> String {
        sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "\(column)"
    }

    private func span(_ column: Int32) -> UnsafeRawBufferPointer {
        guard let start = sqlite3_column_blob(handle, column) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    private static func expected(_ range: ClosedRange<Int64>) -> String {
        range == .min ... .max ? "a whole number" : "a number from \(range.lowerBound) to \(range.upperBound)"
    }
}

/// A value of a capture that Pinhole cannot have written, and its place.
package struct StoredValueFault: Error, Equatable, CustomStringConvertible {
    let table: String
    /// The number of the row; `nil` where several rows were added up.
    let row: Int64?
    let column: String
    let expected: String
    let found: String

    /// The place of the value, the expected kind and the kind that was found.
    package var description: String {
        let row = row.map { ", row \($0)" } ?? ""
        return "table \(table)\(row), column \(column): expected \(expected), found \(found)"
    }

    /// The remedy, for a message.
    func remedy(_ path: String) -> String {
        guard let row else { return "Use an unchanged copy of the file." }
        return """
            Use an unchanged copy of the file, or remove the row: sqlite3 \(path) "DELETE FROM \(table) WHERE id = \(row)"
            """
    }
}

extension Database {
    /// Gives each row that a statement finds to `use`, until that returns false.
    ///
    /// - Parameters:
    ///   - table: The table that the rows come from, for messages.
    ///   - sql: The statement; its first column should be the number of the row.
    ///   - arguments: Its arguments.
    ///   - isKept: Whether the statement stays prepared for the next time; only for a text that never changes.
    ///   - use: Reads a row.
    /// - Returns: Whether `use` was given all of them.
    /// - Throws: An error of SQLite, ``StoredValueFault``, or the error of `use`.
    @discardableResult
    func walk(
        _ table: String,
        _ sql: String,
        _ arguments: StatementArguments = [],
        isKept: Bool = false,
        _ use: (StoredRow) throws -> Bool
    ) throws -> Bool {
        let statement = try isKept ? cachedStatement(sql: sql) : makeStatement(sql: sql)
        let cursor = try Row.fetchCursor(statement, arguments: arguments)
        let row = StoredRow(table, statement.sqliteStatement)
        while try cursor.next() != nil {
            guard try use(row) else { return false }
        }
        return true
    }

    /// Converts each row of a statement's result with `read`.
    func rows<Value>(
        _ table: String,
        _ sql: String,
        _ arguments: StatementArguments = [],
        isKept: Bool = false,
        _ read: (StoredRow) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try walk(table, sql, arguments, isKept: isKept) { row in
            values.append(try read(row))
            return true
        }
        return values
    }

    /// Converts the first row of a statement's result with `read`; `nil` for an empty result.
    func row<Value>(
        _ table: String,
        _ sql: String,
        _ arguments: StatementArguments = [],
        isKept: Bool = false,
        _ read: (StoredRow) throws -> Value
    ) throws -> Value? {
        var value: Value?
        try walk(table, sql, arguments, isKept: isKept) { row in
            value = try read(row)
            return false
        }
        return value
    }

    /// The number in the first row of a statement's result; `nil` for an empty result or NULL.
    func number(
        _ table: String,
        _ sql: String,
        _ arguments: StatementArguments = [],
        isKept: Bool = false
    ) throws -> Int64? {
        try row(table, sql, arguments, isKept: isKept) { row in try row.optionalNumber(0) } ?? nil
    }
}
