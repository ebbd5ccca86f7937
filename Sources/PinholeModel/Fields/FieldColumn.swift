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

    /// Returns the column with the text of its field, unless the column is coded.
    func reading(text: @escaping @Sendable (Record) -> String?) -> FieldColumn {
        guard !isCoded, case .text(_, let set) = access else { return self }
        var column = self
        column.access = .text(get: text, set: set)
        return column
    }

    /// Returns the column with the number of its field, unless the column is coded.
    func reading(number: @escaping @Sendable (Record) -> Int64?) -> FieldColumn {
        guard !isCoded, case .number(_, let set) = access else { return self }
        var column = self
        column.access = .number(get: number, set: set)
        return column
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
    /// Creates a column of numbers that every row has, with the value of the field.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - redacted: What a redacted copy may have in the column.
    ///   - range: The numbers that Pinhole writes.
    ///   - isKey: Whether the column is the key of the table.
    ///   - set: Sets the number of a record; `nil` if records are not read from the column.
    /// - Returns: The column.
    package static func required(
        _ name: String,
        _ redacted: RedactedColumn,
        in range: ClosedRange<Int64> = FieldRange.any,
        isKey: Bool = false,
        set: (@Sendable (inout Record, Int64) throws -> Void)? = nil
    ) -> FieldColumn {
        let declaration = isKey ? "INTEGER PRIMARY KEY" : "INTEGER NOT NULL"
        return FieldColumn(name, declaration, redacted, .number(get: { _ in nil }, set: set), range)
    }

    /// Creates a column of numbers that every row has, with a code for the value of the field.
    package static func required(
        _ name: String,
        _ redacted: RedactedColumn,
        in range: ClosedRange<Int64> = FieldRange.any,
        get: @escaping @Sendable (Record) -> Int64?,
        set: (@Sendable (inout Record, Int64) throws -> Void)? = nil
    ) -> FieldColumn {
        FieldColumn(name, "INTEGER NOT NULL", redacted, .number(get: get, set: set), range, isCoded: true)
    }

    /// Creates a column of numbers that may be NULL, with the value of the field.
    package static func optional(
        _ name: String,
        _ redacted: RedactedColumn,
        in range: ClosedRange<Int64> = FieldRange.any,
        set: (@Sendable (inout Record, Int64) throws -> Void)? = nil
    ) -> FieldColumn {
        FieldColumn(name, "INTEGER", redacted, .number(get: { _ in nil }, set: set), range)
    }

    /// Creates a column of numbers that may be NULL, with a code for the value of the field.
    package static func optional(
        _ name: String,
        _ redacted: RedactedColumn,
        get: @escaping @Sendable (Record) -> Int64?,
        set: @escaping @Sendable (inout Record, Int64) throws -> Void
    ) -> FieldColumn {
        FieldColumn(name, "INTEGER", redacted, .number(get: get, set: set), FieldRange.any, isCoded: true)
    }

    /// Creates a number that SQL computes when a row is read.
    package static func counted(
        _ name: String,
        _ redacted: RedactedColumn,
        by expression: String,
        set: @escaping @Sendable (inout Record, Int64) throws -> Void
    ) -> FieldColumn {
        let access = Access.number(get: { _ in nil }, set: set)
        return FieldColumn(
            name,
            "INTEGER",
            redacted,
            access,
            FieldRange.lengths,
            isCoded: true,
            expression: expression
        )
    }

    /// Creates a column of texts, with the value of the field.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - redacted: What a redacted copy may have in the column.
    ///   - isRequired: Whether every row has a text.
    ///   - set: Sets the text of a record; `nil` if records are not read from the column.
    /// - Returns: The column.
    package static func text(
        _ name: String,
        _ redacted: RedactedColumn,
        isRequired: Bool = false,
        set: (@Sendable (inout Record, String) throws -> Void)? = nil
    ) -> FieldColumn {
        let declaration = isRequired ? "TEXT NOT NULL" : "TEXT"
        return FieldColumn(name, declaration, redacted, .text(get: { _ in nil }, set: set), FieldRange.any)
    }

    /// Creates a column of texts, with a code for the value of the field.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - redacted: What a redacted copy may have in the column.
    ///   - isRequired: Whether every row has a text.
    ///   - expected: The kind of text that Pinhole writes; `nil` if any text is valid.
    ///   - get: Returns the text of a record.
    ///   - set: Sets the text of a record.
    /// - Returns: The column.
    package static func text(
        _ name: String,
        _ redacted: RedactedColumn,
        isRequired: Bool = false,
        expected: String? = nil,
        get: @escaping @Sendable (Record) -> String?,
        set: @escaping @Sendable (inout Record, String) throws -> Void
    ) -> FieldColumn {
        let declaration = isRequired ? "TEXT NOT NULL" : "TEXT"
        let access = Access.text(get: get, set: set)
        return FieldColumn(
            name,
            declaration,
            redacted,
            access,
            FieldRange.any,
            isCoded: true,
            expected: expected
        )
    }
}
