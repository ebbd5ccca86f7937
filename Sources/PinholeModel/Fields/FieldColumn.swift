/// A column of a table in the capture, with the functions that write it from a record and read it into one.
package struct FieldColumn<Record>: Sendable {
    /// The functions that write and read the value of a record.
    ///
    /// A record is read by setting the columns that are not NULL, in the order of the table.
    package enum Access: Sendable {
        /// A whole number.
        case number(
            get: @Sendable (Record) -> Int64?,
            set: (@Sendable (inout Record, Int64) throws -> Void)?
        )
        /// A text in UTF-8.
        case text(
            get: @Sendable (Record) -> String?,
            set: (@Sendable (inout Record, String) throws -> Void)?
        )
    }

    /// The name of the column.
    package let name: String
    /// The type and the constraints in CREATE TABLE.
    package let declaration: String
    /// The functions that write and read the value.
    package private(set) var access: Access
    /// Whether the column holds another value than the field: a code, or only one of several texts.
    private let isCoded: Bool
    /// The numbers that Pinhole writes to the column.
    package let range: ClosedRange<Int64>
    /// The kind of text that Pinhole writes, for the message about an invalid one; `nil` if any text is valid.
    package let expected: String?
    /// The SQL expression that is read instead of a column; `nil` for a column of the table.
    package let expression: String?
    /// The content that a redacted copy may have in the column.
    package let redacted: RedactedColumn

    private init(
        _ name: String,
        _ declaration: String,
        _ redacted: RedactedColumn,
        _ access: Access,
        _ range: ClosedRange<Int64>,
        isCoded: Bool = false,
        expected: String? = nil,
        expression: String? = nil
    ) {
        self.name = name
        self.declaration = declaration
        self.redacted = redacted
        self.access = access
        self.range = range
        self.isCoded = isCoded
        self.expected = expected
        self.expression = expression
    }

    /// Whether NULL is invalid in the column.
    package var isRequired: Bool { expression != nil || declaration != optionalType }

    /// Returns the column with the value of its field, unless the column is coded.
    func reading(_ value: FieldValue<Record>) -> FieldColumn {
        var column = self
        switch (value, access) {
        case (.text(let get), .text(_, let set)) where !isCoded: column.access = .text(get: get, set: set)
        case (.number(_, let get), .number(_, let set)) where !isCoded:
            column.access = .number(get: get, set: set)
        default: break
        }
        return column
    }

    /// Copies the text of a record, if it has one, into another record.
    package func copy(_ record: Record, to other: inout Record, _ change: (String) -> String) {
        guard case .text(let get, let set?) = access, let text = get(record) else { return }
        // No column of texts from messages refuses one.
        try? set(&other, change(text))
    }

    private var optionalType: String {
        switch access {
        case .number: "INTEGER"
        case .text: "TEXT"
        }
    }
}

/// The ranges of numbers in columns.
package enum FieldRange {
    /// Every number.
    package static let any: ClosedRange<Int64> = .min ... .max
    /// The numbers of exchanges and flows, which JavaScript can represent exactly.
    package static let ids: ClosedRange<Int64> = 0...(1 << 53 - 1)
    /// Lengths and counts; the bound leaves room to add a few of them.
    package static let lengths: ClosedRange<Int64> = 0...1 << 60
}

extension FieldColumn {
    /// Creates a column of numbers that every row has.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - redacted: What a redacted copy may have in the column.
    ///   - range: The numbers that Pinhole writes.
    ///   - isKey: Whether the column is the key of the table.
    ///   - get: Returns the code for the value of the field; `nil` for the value itself.
    ///   - set: Sets the number of a record; `nil` if records are not read from the column.
    /// - Returns: The column.
    static func required(
        _ name: String,
        _ redacted: RedactedColumn,
        in range: ClosedRange<Int64> = FieldRange.any,
        isKey: Bool = false,
        get: (@Sendable (Record) -> Int64?)? = nil,
        set: (@Sendable (inout Record, Int64) throws -> Void)?
    ) -> FieldColumn {
        let declaration = isKey ? "INTEGER PRIMARY KEY" : "INTEGER NOT NULL"
        let access = Access.number(get: get ?? { _ in nil }, set: set)
        return FieldColumn(name, declaration, redacted, access, range, isCoded: get != nil)
    }

    /// Creates a column of numbers that may be NULL.
    static func optional(
        _ name: String,
        _ redacted: RedactedColumn,
        in range: ClosedRange<Int64> = FieldRange.any,
        get: (@Sendable (Record) -> Int64?)? = nil,
        set: (@Sendable (inout Record, Int64) throws -> Void)?
    ) -> FieldColumn {
        let access = Access.number(get: get ?? { _ in nil }, set: set)
        return FieldColumn(name, "INTEGER", redacted, access, range, isCoded: get != nil)
    }

    /// Creates a number that SQL computes when a row is read.
    static func counted(
        _ name: String,
        _ redacted: RedactedColumn,
        by sql: String,
        set: @escaping @Sendable (inout Record, Int64) throws -> Void
    ) -> FieldColumn {
        let access = Access.number(get: { _ in nil }, set: set)
        let range = FieldRange.lengths
        return FieldColumn(name, "INTEGER", redacted, access, range, isCoded: true, expression: sql)
    }

    /// Creates a column of texts.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - redacted: What a redacted copy may have in the column.
    ///   - isRequired: Whether every row has a text.
    ///   - expected: The kind of text that Pinhole writes; `nil` if any text is valid.
    ///   - get: Returns the code for the value of the field; `nil` for the value itself.
    ///   - set: Sets the text of a record; `nil` if records are not read from the column.
    /// - Returns: The column.
    static func text(
        _ name: String,
        _ redacted: RedactedColumn,
        isRequired: Bool = false,
        expected: String? = nil,
        get: (@Sendable (Record) -> String?)? = nil,
        set: (@Sendable (inout Record, String) throws -> Void)?
    ) -> FieldColumn {
        let type = isRequired ? "TEXT NOT NULL" : "TEXT"
        let access = Access.text(get: get ?? { _ in nil }, set: set)
        let range = FieldRange.any
        return FieldColumn(name, type, redacted, access, range, isCoded: get != nil, expected: expected)
    }
}
