import PinholeLock

/// The tables and indexes of a file, each with the statement that created it.
///
/// An untrusted file could have a view in place of a table, triggers, or computed columns, which would run when the
/// file is read or written. So Pinhole checks these declarations before it reads anything else. Other views are left
/// out: no connection of this program can use a view (``Database``).
struct SchemaDeclarations: Equatable {
    private struct Declaration: Hashable {
        let type: String
        let name: String
        let table: String
        let sql: String?
    }

    private let all: Set<Declaration>

    private static let known = Lock<SchemaDeclarations?>(nil)

    /// Reads the declarations of a file.
    init(_ db: Database) throws {
        // A row may have another type than its statement, and SQLite runs the statement.
        let sql = """
            SELECT type, name, tbl_name, sql FROM sqlite_schema
            WHERE NOT coalesce(type = 'view' AND sql GLOB 'CREATE VIEW *', 0)
            """
        all = Set(
            try db.rows("sqlite_schema", sql) { row in
                Declaration(
                    type: try row.text(0),
                    name: try row.text(1),
                    table: try row.text(2),
                    sql: try row.optionalText(3)
                )
            }
        )
    }

    /// Returns the declarations of a file that Pinhole creates.
    static func expected() throws -> SchemaDeclarations {
        if let known = known.withLock(\.self) { return known }
        let model = try Database(path: ":memory:")
        try CaptureSchema.create(model)
        let made = try SchemaDeclarations(model)
        known.withLock { $0 = made }
        return made
    }

    /// Whether the table with this name is the one that `other` has.
    func hasTable(_ name: String, of other: SchemaDeclarations) -> Bool {
        let tables = all.filter { $0.table == name }
        return !tables.isEmpty && tables == other.all.filter { $0.table == name }
    }

    /// Returns a difference from `other`, described for the user; `nil` if both are equal.
    func difference(from other: SchemaDeclarations) -> String? {
        let names = { (declarations: Set<Declaration>) in declarations.map { "\($0.type) \($0.name)" } }
        let wrong = names(all.subtracting(other.all)) + names(other.all.subtracting(all))
        guard let first = wrong.min() else { return nil }
        let printable = first.unicodeScalars.prefix(80).map {
            $0.isASCII && $0.value >= 0x20 ? String($0) : "?"
        }
        return "its \(printable.joined()) is not as Pinhole makes it"
    }
}
