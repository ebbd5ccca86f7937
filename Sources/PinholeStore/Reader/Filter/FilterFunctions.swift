import GRDB
import GRDBSQLite

/// The functions that filters use in SQL, where what SQLite has is too slow for a million rows.
///
/// GRDB's functions box each argument, which costs more than what is asked here.
enum FilterFunctions {
    private static let inText = "in_text"
    private static let inURL = "in_url"
    private static let authorityPort = "authority_port"

    /// That a text is in a column, or what is worked out from columns; `nil` where it cannot be said in SQL.
    static func isIn(_ column: String, _ text: String) -> SQLCondition? {
        text.utf8.contains(0) ? nil : SQLCondition("\(inText)(?, \(column))", text)
    }

    /// That a text is in the URL of an exchange; `nil` where it cannot be said in SQL.
    static func isInURL(_ text: String, _ position: TextPosition) -> SQLCondition? {
        guard !text.utf8.contains(0) else { return nil }
        let scheme = isOfScheme(text, position) ? "scheme" : "1"
        return SQLCondition("\(inURL)(?, '\(position)', \(scheme), authority, path)", text)
    }

    /// Whether it matters for a text which of the two schemes a URL has; to look at a column costs time.
    private static func isOfScheme(_ text: String, _ position: TextPosition) -> Bool {
        switch position {
        case .whole, .beginning: true
        case .anywhere, .end:
            text.contains("://") || ["https://", "http://"].contains { $0.contains(text.lowercased()) }
        }
    }

    /// The port in the column `authority`; a default where none is written, and NULL where there is no authority.
    static func port(default port: String) -> String { "\(authorityPort)(authority, \(port))" }

    /// Adds them to a connection.
    static func add(to db: Database) throws {
        try add(inText, 2, db) { context, _, values in
            guard let values, sqlite3_value_type(values[1]) != SQLITE_NULL else { return }
            let text = FilterFunctions.kept(context) { SoughtText(Array(FilterFunctions.bytes(values[0]))) }
            let isIn = text?._withUnsafeGuaranteedRef { $0.isIn(FilterFunctions.bytes(values[1])) }
            sqlite3_result_int(context, isIn == true ? 1 : 0)
        }
        try add(inURL, 5, db) { context, _, values in
            guard let values else { return }
            let question = FilterFunctions.kept(context) {
                let position = String(decoding: FilterFunctions.bytes(values[1]), as: UTF8.self)
                return URLQuestion(
                    TextPosition(rawValue: position) ?? .whole,
                    Array(FilterFunctions.bytes(values[0]))
                )
            }
            let isIn = question?._withUnsafeGuaranteedRef {
                $0.holds(
                    sqlite3_value_int64(values[2]),
                    FilterFunctions.bytes(values[3]),
                    FilterFunctions.bytes(values[4])
                )
            }
            sqlite3_result_int(context, isIn == true ? 1 : 0)
        }
        try add(authorityPort, 2, db) { context, _, values in
            guard let values, sqlite3_value_type(values[0]) != SQLITE_NULL else { return }
            let port = FilterFunctions.port(in: FilterFunctions.bytes(values[0]))
            sqlite3_result_int64(context, port ?? sqlite3_value_int64(values[1]))
        }
    }

    private typealias Function =
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private static func add(_ name: String, _ count: Int32, _ db: Database, _ function: Function) throws {
        // Only statements of ours may call them, not views or triggers in a file from elsewhere.
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        let handle = db.sqliteConnection
        let code = sqlite3_create_function_v2(handle, name, count, flags, nil, function, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// What is made of the first argument when the first row comes, and kept for the others of a statement; `nil`,
    /// and an error of the statement, where there is no memory to keep it.
    private static func kept<Value: AnyObject>(
        _ context: OpaquePointer?,
        _ make: () -> Value
    ) -> Unmanaged<Value>? {
        if let known = sqlite3_get_auxdata(context, 0) { return Unmanaged<Value>.fromOpaque(known) }
        sqlite3_set_auxdata(context, 0, Unmanaged.passRetained(make()).toOpaque()) { value in
            if let value { Unmanaged<AnyObject>.fromOpaque(value).release() }
        }
        guard let known = sqlite3_get_auxdata(context, 0) else {
            sqlite3_result_error_nomem(context)
            return nil
        }
        return Unmanaged<Value>.fromOpaque(known)
    }

    private static func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    /// The digits behind the last colon; `nil` where there are none, as behind the brackets of an address.
    private static func port(in authority: UnsafeRawBufferPointer) -> Int64? {
        guard let colon = authority.lastIndex(of: 0x3a), colon + 1 < authority.count else { return nil }
        var port: Int64 = 0
        for byte in authority[(colon + 1)...] {
            guard (0x30...0x39).contains(byte), port < 1 << 32 else { return nil }
            port = port * 10 + Int64(byte - 0x30)
        }
        return port
    }
}
