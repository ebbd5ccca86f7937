import CSQLite

/// SQL functions for filters, where those of SQLite are too slow for a million rows.
enum FilterFunctions {
    private static let inURL = "in_url"
    private static let authorityPort = "authority_port"

    /// Returns the condition that the URL of an exchange contains a text; `nil` if SQL cannot express the text.
    static func isInURL(_ text: String, _ position: TextPosition) -> SQLCondition? {
        guard !text.utf8.contains(0) else { return nil }
        let scheme = isOfScheme(text, position) ? "scheme" : "1"
        return SQLCondition("\(inURL)(?, '\(position)', \(scheme), authority, path)", .text(text))
    }

    /// Whether the scheme of a URL may matter for a text; otherwise the column need not be read, which saves time.
    private static func isOfScheme(_ text: String, _ position: TextPosition) -> Bool {
        switch position {
        case .whole, .beginning: true
        case .anywhere, .end:
            text.contains("://") || ["https://", "http://"].contains { $0.contains(text.lowercased()) }
        }
    }

    /// Returns the SQL for the port in the column `authority`: a default if there is no port, NULL if there is no
    /// authority.
    static func port(default port: String) -> String { "\(authorityPort)(authority, \(port))" }

    /// Adds the functions to a connection.
    static func add(to db: Database) throws {
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
        // Only Pinhole's own statements may call them, not views or triggers in an untrusted file.
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        let code = sqlite3_create_function_v2(db.handle, name, count, flags, nil, function, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, of: db.handle) }
    }

    /// Returns an object made from the first argument, which is kept for all rows of a statement.
    ///
    /// The result is `nil`, and the statement fails, if there is no memory to keep the object.
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

    /// Returns the text of an argument in UTF-8; no bytes for NULL, and if there is no memory to convert the text.
    ///
    /// Condition: during the call of the function. The length must be read after the pointer.
    private static func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
        let start = sqlite3_value_text(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    /// Returns the number after the last colon; `nil` if there is none, as after the brackets of an address.
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
