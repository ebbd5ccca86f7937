import PinholeModel

/// The views `exchanges`, `flows` and `messages`, for people who read a capture with other programs.
///
/// They show the tables with words, texts and plain names. Pinhole itself never reads a view: ``Database`` forbids it, so
/// a view of somebody else's file cannot run. The columns are those of the fields, so that a new field appears by itself.
enum CaptureViews {
    /// A named query in the file.
    struct View {
        /// The name, which no table has.
        let name: String
        /// The statement that creates it, as SQLite keeps it.
        let sql: String
    }

    /// All views.
    static let all = [
        View(name: "exchanges", sql: "CREATE VIEW exchanges AS \(exchanges)"),
        View(
            name: "flows",
            sql: "CREATE VIEW flows AS SELECT \(flows.map(\.sql).joined(separator: ", ")) FROM flow"
        ),
        View(
            name: "messages",
            sql: "CREATE VIEW messages AS SELECT \(messages.map(\.sql).joined(separator: ", ")) FROM message"
        ),
    ]

    /// Creates the views that are missing, and replaces those that an older program has made.
    ///
    /// The names belong to Pinhole: a view of somebody else with such a name is replaced too.
    static func install(_ db: Database) throws {
        for view in all {
            let sql = "SELECT sql FROM sqlite_schema WHERE type = 'view' AND lower(name) = ?"
            let found = try db.rows("sqlite_schema", sql, [.text(view.name)]) { try $0.optionalText(0) }
            guard found != [view.sql] else { continue }
            try db.execute("DROP VIEW IF EXISTS \(view.name)")
            try db.execute(view.sql)
        }
    }

    /// The fields of exchanges, those of their flows, and the notes of users.
    private static var exchanges: String {
        let own = ViewColumn.all(ExchangeFields.all, replacing: exchangeColumns)
        let joined = ViewColumn.all(FlowFields.joined, replacing: flowColumns)
        let names = own.map { "e.\($0.name)" } + joined.map { "f.\($0.name)" }
        return """
            SELECT \(names.joined(separator: ", ")), coalesce(n.marked, 0) AS marked, n.comment AS comment \
            FROM (SELECT \(own.map(\.sql).joined(separator: ", ")) FROM exchange) AS e \
            LEFT JOIN (SELECT id AS flow_number, \(joined.map(\.sql).joined(separator: ", ")) FROM flow) AS f \
            ON f.flow_number = e.flow LEFT JOIN note AS n ON n.id = e.id
            """
    }

    private static var flows: [ViewColumn] { ViewColumn.all(FlowFields.all, replacing: flowColumns) }

    private static let messages: [ViewColumn] = [
        ViewColumn("id"), ViewColumn("exchange"), ViewColumn("number"),
        ViewColumn(
            "sender",
            words(of: "sender", [(SideCode.client.rawValue, "client"), (SideCode.server.rawValue, "server")])
        ),
        ViewColumn(
            "kind",
            words(of: "kind", WebSocketMessage.Kind.allCases.map { (Int64($0.rawValue), "\($0)") })
        ),
        ViewColumn("time", ViewColumn.text(ofMoment: "started")),
        ViewColumn("time_unix", ViewColumn.seconds("started")),
        ViewColumn("duration_ms", ViewColumn.milliseconds("ended")),
        ViewColumn("frames"), ViewColumn("size", "length"), ViewColumn("captured"),
        ViewColumn("complete", "(state & \(MessageState.complete.rawValue) <> 0)"),
        ViewColumn("compressed", "(state & \(MessageState.compressed.rawValue) <> 0)"),
        ViewColumn(
            "notes",
            marks(of: "state", MessageState.notesByBit.map { ($0.0.rawValue, $0.1.rawValue) })
        ),
        ViewColumn("detail"),
        ViewColumn(
            "text",
            """
            (CASE WHEN kind = \(WebSocketMessage.Kind.text.rawValue) \
            AND state & \((MessageState.compressed.union(.invalidText)).rawValue) = 0 THEN CAST(payload AS TEXT) END)
            """
        ),
        ViewColumn("payload"),
    ]

    /// The columns that are written otherwise than their fields say.
    private static let exchangeColumns: [String: [ViewColumn]] = [
        "host": [ViewColumn("host", AuthorityColumn(defaultPort: "0").host.sql)],
        "port": [ViewColumn("port", port("(CASE scheme WHEN 1 THEN 443 ELSE 80 END)"))],
        "url": [ViewColumn("url", ExchangeColumns.url)],
        "state": [
            ViewColumn("request_complete", has(.requestComplete)), ViewColumn("answered", has(.hasResponse)),
            ViewColumn("response_complete", has(.responseComplete)),
        ],
        "notes": [
            ViewColumn(
                "notes",
                marks(of: "notes", ExchangeNote.allCases.map { (NoteBits.bits([$0]), $0.rawValue) })
            )
        ],
        "rules": [ViewColumn("rules", "(SELECT hits FROM ruling WHERE ruling.id = exchange.id)")],
        "request_ended": [ViewColumn("request_ended_ms", ViewColumn.milliseconds("request_ended"))],
    ]

    private static let flowColumns: [String: [ViewColumn]] = [
        "host": [ViewColumn("host", AuthorityColumn(defaultPort: "443").host.sql)],
        "port": [ViewColumn("port", port("443"))],
        // The number of the flow is its `id`.
        "flow": [],
        "process": [ViewColumn("process", "process_name")],
        "server": [ViewColumn("server", "(record ->> '$.flow.server')")],
        "reason": [ViewColumn("reason", "(record ->> '$.flow.reason')")],
        "sni": [ViewColumn("sni", "(record ->> '$.flow.clientHello.serverName')")],
        "detail": [ViewColumn("detail", "(record ->> '$.flow.outcome.detail')")],
    ]

    private static func port(_ standard: String) -> String {
        """
        (CASE WHEN authority LIKE '[%]' OR instr(authority, ':') = 0 THEN \(standard) \
        WHEN authority LIKE '[%' THEN CAST(substr(authority, instr(authority, ']') + 2) AS INTEGER) \
        ELSE CAST(substr(authority, instr(authority, ':') + 1) AS INTEGER) END)
        """
    }

    private static func has(_ state: ExchangeState) -> String { "(state & \(state.rawValue) <> 0)" }

    private static func words(of column: String, _ words: [(Int64, String)]) -> String {
        "(CASE \(column)" + words.map { " WHEN \($0.0) THEN '\($0.1)'" }.joined() + " END)"
    }

    /// The words of the bits that are set, with a space between them.
    private static func marks(of column: String, _ marks: [(Int64, String)]) -> String {
        let words = marks.map { "CASE WHEN \(column) & \($0.0) THEN '\($0.1) ' ELSE '' END" }
        return "rtrim(\(words.joined(separator: " || ")))"
    }
}

/// A column of a view.
struct ViewColumn {
    /// The name that other programs see.
    let name: String
    /// The expression with the name.
    let sql: String

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - expression: The value; `nil` for the column of the table with that name.
    init(_ name: String, _ expression: String? = nil) {
        self.name = name
        sql = expression.map { "\($0) AS \(name)" } ?? name
    }

    /// Returns the columns of fields.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - others: Columns in place of those of a field, by the name of the field.
    /// - Returns: The columns; none for a field that SQL does not find.
    static func all<Record>(
        _ fields: [RecordField<Record>],
        replacing others: [String: [ViewColumn]]
    ) -> [ViewColumn] {
        fields.flatMap { field in others[field.name] ?? columns(of: field) }
    }

    /// Returns the columns of a field: a moment is a text in UTC and a number of seconds, a duration is a number of
    /// milliseconds, everything else is as it stands.
    private static func columns<Record>(of field: RecordField<Record>) -> [ViewColumn] {
        let name = String(field.name.map { $0 == "." ? "_" : $0 })
        guard let value = expression(of: field) else { return [] }
        guard case .number(let unit, _) = field.value else { return [ViewColumn(name, value)] }
        switch unit {
        case .moment:
            return [ViewColumn(name, text(ofMoment: value)), ViewColumn(name + "_unix", seconds(value))]
        case .duration: return [ViewColumn(name + "_ms", milliseconds(value))]
        case .count, .status, .bytes: return [ViewColumn(name, value)]
        }
    }

    private static func expression<Record>(of field: RecordField<Record>) -> String? {
        switch field.filter?.sql {
        case .expression(let sql), .part(let sql, _, _): return sql
        case .columns(let first, _): return first
        case .column, .host, .port, .url, .elsewhere, nil: break
        }
        if let column = field.column { return column.expression.map { "(\($0))" } ?? column.name }
        return field.order?.sql
    }

    /// Returns a moment as a text of RFC 3339, with milliseconds, of which the rest is cut off as everywhere.
    static func text(ofMoment sql: String) -> String {
        "strftime('%Y-%m-%dT%H:%M:%fZ', \(sql) / 1000 / 1000.0, 'unixepoch')"
    }

    /// Returns a moment in seconds since 1970.
    static func seconds(_ sql: String) -> String { "\(sql) / 1000000.0" }

    /// Returns a duration in milliseconds.
    static func milliseconds(_ sql: String) -> String { "\(sql) / 1000.0" }
}
