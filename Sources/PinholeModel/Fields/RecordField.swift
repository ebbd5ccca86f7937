/// A field of the records in a capture, with everything that the program knows about it.
///
/// ``ExchangeFields`` and ``FlowFields`` have one entry per field. The following are made from these entries: the
/// schema, the statements that write and read rows, filters and their SQL, orders of lists, JSON, CSV, the description
/// of the API, the columns of the page and the tables of docs/FILTERS.md.
package struct RecordField<Record>: Sendable {
    /// The name in filters and orders, or the name of the column for a field that only the capture knows.
    package let name: String
    /// The value in a record; `nil` for a field that only the capture knows.
    package var value: FieldValue<Record>?
    /// The column of the table; `nil` for a field that is computed from others.
    package var column: FieldColumn<Record>?
    /// The way in which filters ask for the field; `nil` if they do not.
    package var filter: FieldFilter<Record>?
    /// The way in which lists are sorted by the field; `nil` if they are not.
    package var order: FieldOrder?
    /// The member of JSON objects; `nil` if there is none.
    package var json: FieldJSON?
    /// The column of CSV that the field fills; `nil` if there is none.
    package var export: String?
    /// The column of the page; `nil` if there is none.
    package var title: FieldTitle?
    /// The attribute of spans for a collector of OpenTelemetry; `nil` if there is none.
    package var span: FieldSpan?
    /// Whether each exchange of a flow shows the field of its flow.
    package var isJoined = false
}

extension RecordField {
    /// Creates a field that has a value, which its column stores unless the column is coded.
    package init(
        _ name: String,
        _ value: FieldValue<Record>,
        column: FieldColumn<Record>? = nil,
        filter: FieldFilter<Record>? = nil,
        order: FieldOrder? = nil,
        json: FieldJSON? = nil,
        export: String? = nil,
        title: FieldTitle? = nil,
        span: FieldSpan? = nil,
        isJoined: Bool = false
    ) {
        self.init(
            name: name,
            value: value,
            column: column?.reading(value),
            filter: filter,
            order: order,
            json: json,
            export: export,
            title: title,
            span: span,
            isJoined: isJoined
        )
    }

    /// Creates a field that is only a column of the capture.
    package static func stored(_ column: FieldColumn<Record>, isJoined: Bool = false) -> RecordField {
        RecordField(name: column.name, column: column, isJoined: isJoined)
    }
}

/// The value of a field, by its type.
package enum FieldValue<Record>: Sendable {
    /// A text; `nil` if the record has none.
    case text(@Sendable (Record) -> String?)
    /// Any number of texts.
    case texts(@Sendable (Record) -> [String])
    /// A number with its unit; `nil` if the record has none.
    case number(FieldUnit, @Sendable (Record) -> Int64?)
    /// An object of JSON, and the text for CSV; `nil` if the record has none.
    case object(
        FieldSchema,
        @Sendable (Record) -> (any Encodable & Sendable)?,
        text: @Sendable (Record) -> String? = { _ in nil }
    )
}

/// The unit of a number, which decides its notation.
package enum FieldUnit: Sendable {
    /// A plain count or identifier.
    case count
    /// A status of HTTP.
    case status
    /// A number of bytes.
    case bytes
    /// A duration in microseconds.
    case duration
    /// A moment, in microseconds since 1970.
    case moment
}

/// The type of an object in the description of the API.
package enum FieldSchema: String, Sendable {
    /// True or false.
    case boolean
    /// Durations in milliseconds, by their names.
    case durations
    /// The reason why a handshake failed.
    case handshakeFailure = "HandshakeFailure"
    /// The program that made a connection.
    case clientProcess = "ClientProcess"
    /// The rules that acted on an exchange.
    case ruleHits = "RuleHits"
}

/// The form of a text, by its name in JSON Schema.
package enum FieldFormat: String, Sendable {
    /// A time (RFC 3339).
    case time = "date-time"
    /// Bytes in Base64.
    case base64 = "byte"
}

/// The member of a JSON object.
package struct FieldJSON: Sendable, ExpressibleByStringLiteral {
    /// The name of the member.
    package let name: String
    /// The description for the API; empty if the name says enough.
    package var meaning = ""
    /// All texts that the member can be; `nil` if there is no fixed list.
    package var values: [String]?
    /// The form of a text that is no plain text; `nil` for a plain one.
    package var format: FieldFormat?
    /// Whether only the console's list has the member.
    package var isOnlyListed = false

    /// Creates a member of every object.
    package init(stringLiteral name: String) { self.name = name }

    /// Creates a member with a description.
    package init(
        _ name: String,
        _ meaning: String = "",
        values: [String]? = nil,
        format: FieldFormat? = nil,
        isOnlyListed: Bool = false
    ) {
        self.name = name
        self.meaning = meaning
        self.values = values
        self.format = format
        self.isOnlyListed = isOnlyListed
    }

    /// Creates a member that only the console's list has.
    package static func listed(
        _ name: String,
        _ meaning: String = "",
        values: [String]? = nil
    ) -> FieldJSON {
        FieldJSON(name, meaning, values: values, isOnlyListed: true)
    }
}

/// The heading of a column on the page.
package struct FieldTitle: Sendable, ExpressibleByStringLiteral {
    /// The name of the column in the page's preferences; `nil` for the name of the field.
    package let id: String?
    /// The head of the column.
    package let text: String
    /// The full name, if the head is short for it.
    package let name: String?

    /// Creates a heading that needs no full name.
    package init(stringLiteral text: String) { self.init(text) }

    /// Creates a heading.
    package init(_ text: String, _ name: String? = nil, id: String? = nil) {
        self.id = id
        self.text = text
        self.name = name
    }
}

/// The attribute of spans that a field fills; no attribute tells a value of a message.
package struct FieldSpan: Sendable, ExpressibleByStringLiteral {
    /// The name, by the semantic conventions or with `pinhole.` at its beginning.
    package let name: String
    /// The side whose span has the attribute; `nil` for both.
    package let side: Side?

    /// Creates an attribute of the spans of both sides.
    package init(stringLiteral name: String) { self.init(name, of: nil) }

    /// Creates an attribute of the span toward one side.
    package init(_ name: String, of side: Side?) {
        self.name = name
        self.side = side
    }
}

/// The way in which lists are sorted by a field.
package struct FieldOrder: Sendable {
    /// The part of a text by which lists are sorted.
    package enum Part: Sendable {
        /// The whole text.
        case whole
        /// The host of an authority, IPv6 without brackets.
        case host
        /// The media type in a head, without parameters.
        case mediaType
    }

    /// The SQL expression to sort by; `nil` for the one that filters use.
    package var sql: String?
    /// The part of a text by which lists are sorted.
    package var part = Part.whole

    /// The order by the values that filters compare.
    package static let byValue = FieldOrder()

    /// Creates the order by another SQL expression.
    package static func by(_ sql: String, _ part: Part = .whole) -> FieldOrder {
        FieldOrder(sql: sql, part: part)
    }
}
