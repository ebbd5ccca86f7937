import PinholeModel

/// A row of a statement's result, whose columns are read with type checks.
///
/// A capture may be untrusted, and a column of SQLite can hold a value of any type. A value that Pinhole cannot have
/// written throws a ``StoredValueFault``, which names its place.
struct StoredRow {
    private let table: String
    private let statement: Statement

    fileprivate init(_ table: String, _ statement: Statement) {
        self.table = table
        self.statement = statement
    }

    /// Returns the number in a column; `nil` for NULL.
    func optionalNumber(
        _ column: Int32,
        in range: ClosedRange<Int64> = .min ... .max
    ) throws(StoredValueFault) -> Int64? {
        switch statement.column(column) {
        case .null: return nil
        case .number(let number) where range.contains(number): return number
        case .number, .real, .text, .blob: throw fault(column, Self.expected(range))
        }
    }

    /// Returns the number in a column.
    func number(
        _ column: Int32,
        in range: ClosedRange<Int64> = .min ... .max
    ) throws(StoredValueFault) -> Int64 {
        guard let number = try optionalNumber(column, in: range) else {
            throw fault(column, Self.expected(range))
        }
        return number
    }

    /// Calls `use` with the bytes of each text and blob, and with the name of its column.
    func eachText(_ use: ([UInt8], String) -> Void) {
        for column in 0..<statement.columnCount {
            switch statement.column(column) {
            case .text(let bytes), .blob(let bytes): use(Array(bytes), statement.name(of: column))
            case .null, .number, .real: break
            }
        }
    }

    /// Returns the number of an exchange or flow.
    func id(_ column: Int32) throws(StoredValueFault) -> Int64 { try number(column, in: FieldRange.ids) }

    /// Returns a count, or a length in bytes.
    func length(_ column: Int32) throws(StoredValueFault) -> Int64 {
        try number(column, in: FieldRange.lengths)
    }

    /// Whether a column holds another number than 0.
    func truth(_ column: Int32) throws(StoredValueFault) -> Bool { try number(column) != 0 }

    /// Returns the result of SQL's `total()`, as a whole number.
    func total(_ column: Int32) -> Int64 {
        // Infinities of both signs add up to NULL.
        guard case .real(let total) = statement.column(column) else { return 0 }
        return Int64(exactly: total.rounded()) ?? (total < 0 ? .min : .max)
    }

    /// Returns the text in a column; `nil` for NULL.
    func optionalText(_ column: Int32) throws(StoredValueFault) -> String? {
        switch statement.column(column) {
        case .null: nil
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .number, .real, .blob: throw fault(column, "a text")
        }
    }

    func text(_ column: Int32) throws(StoredValueFault) -> String {
        guard let text = try optionalText(column) else { throw fault(column, "a text") }
        return text
    }

    /// Returns the bytes in a column; none for NULL.
    func bytes(_ column: Int32) throws(StoredValueFault) -> [UInt8] {
        switch statement.column(column) {
        case .null: []
        case .blob(let bytes): Array(bytes)
        case .number, .real, .text: throw fault(column, "bytes")
        }
    }

    /// Returns the value that a list is sorted by; its bytes are valid until the next row.
    func sortValue(_ column: Int32, isText: Bool) throws(StoredValueFault) -> SortValue {
        switch statement.column(column) {
        case .null: .missing
        case .text(let bytes) where isText, .blob(let bytes) where isText: .text(bytes)
        case .number(let number) where !isText: .number(number)
        case .number, .real, .text, .blob: throw fault(column, isText ? "a text" : "a whole number")
        }
    }

    /// Returns the fault of a column whose value is not of the expected kind.
    func fault(_ column: Int32, _ expected: String) -> StoredValueFault {
        let found =
            switch statement.column(column) {
            case .null: "nothing"
            case .number(let number): "the number \(number)"
            case .real(let number): "the number \(number)"
            case .text(let bytes): "a text of \(bytes.count) bytes"
            case .blob(let bytes): "\(bytes.count) bytes"
            }
        var row: Int64?
        if statement.name(of: 0) == "id", case .number(let number) = statement.column(0) { row = number }
        return StoredValueFault(
            table: table,
            row: row,
            column: statement.name(of: column),
            expected: expected,
            found: found
        )
    }

    private static func expected(_ range: ClosedRange<Int64>) -> String {
        range == .min ... .max ? "a whole number" : "a number from \(range.lowerBound) to \(range.upperBound)"
    }
}

/// A value of a capture that Pinhole cannot have written, and its place.
package struct StoredValueFault: Error, Equatable, CustomStringConvertible {
    let table: String
    /// The number of the row; `nil` if several rows were added up.
    let row: Int64?
    let column: String
    let expected: String
    let found: String

    /// The place of the value, the expected kind and the kind that was found.
    package var description: String {
        let row = row.map { ", row \($0)" } ?? ""
        return "table \(table)\(row), column \(column): expected \(expected), found \(found)"
    }

    /// Returns the remedy, for a message.
    func remedy(_ path: String) -> String {
        guard let row else { return "Use an unchanged copy of the file." }
        return """
            Use an unchanged copy of the file, or remove the row: sqlite3 \(path) "DELETE FROM \(table) WHERE id = \(row)"
            """
    }
}

extension Database {
    /// Calls `use` with each row of a statement's result, until it returns `false`.
    ///
    /// - Parameters:
    ///   - table: The table that the rows come from, for messages.
    ///   - sql: The statement; its first column should be the number of the row.
    ///   - values: The values of its parameters, in order.
    ///   - isKept: Whether the statement stays prepared for the next time; only for a text that never changes.
    ///   - use: Reads a row.
    /// - Returns: Whether `use` was called with all rows.
    /// - Throws: An error of SQLite, ``StoredValueFault``, or the error of `use`.
    @discardableResult
    func walk(
        _ table: String,
        _ sql: String,
        _ values: [SQLValue] = [],
        isKept: Bool = false,
        _ use: (StoredRow) throws -> Bool
    ) throws -> Bool {
        let statement = try statement(sql, isKept: isKept)
        // A statement that is not reset keeps its transaction open.
        defer { statement.reset() }
        statement.bind(values)
        let row = StoredRow(table, statement)
        while try statement.step() {
            guard try use(row) else { return false }
        }
        return true
    }

    /// Converts each row of a statement's result with `read`.
    func rows<Value>(
        _ table: String,
        _ sql: String,
        _ values: [SQLValue] = [],
        isKept: Bool = false,
        _ read: (StoredRow) throws -> Value
    ) throws -> [Value] {
        var results: [Value] = []
        try walk(table, sql, values, isKept: isKept) { row in
            results.append(try read(row))
            return true
        }
        return results
    }

    /// Converts the first row of a statement's result with `read`; `nil` for an empty result.
    func row<Value>(
        _ table: String,
        _ sql: String,
        _ values: [SQLValue] = [],
        isKept: Bool = false,
        _ read: (StoredRow) throws -> Value
    ) throws -> Value? {
        var value: Value?
        try walk(table, sql, values, isKept: isKept) { row in
            value = try read(row)
            return false
        }
        return value
    }

    /// Returns the number in the first row of a statement's result; `nil` for an empty result or NULL.
    func number(
        _ table: String,
        _ sql: String,
        _ values: [SQLValue] = [],
        isKept: Bool = false
    ) throws -> Int64? {
        try row(table, sql, values, isKept: isKept) { row in try row.optionalNumber(0) } ?? nil
    }
}
