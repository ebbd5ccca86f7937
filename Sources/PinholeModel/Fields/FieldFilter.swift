/// The way in which filters ask for a field.
package struct FieldFilter<Record>: Sendable {
    /// The meaning, for listings and docs/FILTERS.md; empty if the other table has it.
    package let meaning: String
    /// A filter that compares the field; empty if the other table has it.
    package let example: String
    /// The place at which SQL finds the value.
    package var sql = FieldSQL.column
    /// The moment after which a missing value stays missing; `nil` if a value is never missing.
    package var until: FieldEnd<Record>?
    /// The moment after which a number no longer grows; `nil` if it never grows.
    package var growth: FieldEnd<Record>?
    /// The moment at which rules can know the value.
    package var stage = FieldFilterStage.request
    /// All texts that the field can be; `nil` if there is no fixed list.
    package var values: [String]?
    /// The usual texts of the field; `nil` if no list exists.
    package var usualValues: [String]?
    /// Whether the text is a host name, as A-labels.
    package var isHostName = false
    /// Whether a record has at most one text, which never changes.
    package var isFixed = false

    /// Creates a filter for a field that the other table explains under the same name.
    static func same(
        sql: FieldSQL = .column,
        until: FieldEnd<Record>? = nil,
        values: [String]? = nil
    ) -> FieldFilter {
        FieldFilter(meaning: "", example: "", sql: sql, until: until, values: values)
    }
}

/// The moment at which rules can know the value of a field.
package enum FieldFilterStage: Sendable {
    /// With the head of the request.
    case request
    /// With the head of the response.
    case response
    /// At the end of the exchange.
    case end
}

/// A moment in the life of a record, for filters that judge records and for filters in SQL.
package struct FieldEnd<Record>: Sendable {
    /// Whether the moment has come.
    package let holds: @Sendable (Record) -> Bool
    /// The SQL condition that holds once the moment has come.
    package let sql: String

    /// Creates a moment.
    package init(_ sql: String, _ holds: @escaping @Sendable (Record) -> Bool) {
        self.holds = holds
        self.sql = sql
    }

    /// The beginning of every record.
    package static var always: FieldEnd { FieldEnd("1") { _ in true } }
}

/// The place at which SQL finds the value that filters ask for.
package enum FieldSQL: Sendable {
    /// The column of the field.
    case column
    /// Two columns, one for each text of the field.
    case columns(String, String)
    /// An SQL expression.
    case expression(String)
    /// An SQL expression, and a column that begins or ends with its text and is faster to search.
    case part(String, of: String, isBeginning: Bool)
    /// The host in the column `authority`.
    case host
    /// The port in the column `authority`.
    case port
    /// The URL, of which the store searches the parts.
    case url
    /// No place: SQL does not search for the value.
    case elsewhere
}
