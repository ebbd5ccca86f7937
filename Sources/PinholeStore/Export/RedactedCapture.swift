import Glibc
import PinholeLock
package import PinholeModel

/// The file of a redacted copy: how it is made compact, and what its columns may have.
package enum RedactedCapture {
    /// The tables in the order in which a proof reads them: hosts of exchanges are known before the rest.
    package static let tables = [
        "exchange", "flow", "content", "body_part", "certificate", "message", "message_part", "packet",
        "secret", "note",
        "ruling", "meta", "change",
    ]

    /// The content that each column of a table may have, in the order of the columns; `nil` for an unknown table.
    ///
    /// - Parameter table: The name of the table.
    /// - Returns: The columns.
    package static func columns(_ table: String) -> [(name: String, content: RedactedColumn)]? {
        switch table {
        case "exchange": columns(of: ExchangeFields.all)
        case "flow": columns(of: FlowFields.all) + [("record", .flow)]
        default: others[table]
        }
    }

    private static func columns<Record>(
        of fields: [RecordField<Record>]
    ) -> [(name: String, content: RedactedColumn)] {
        fields.compactMap(\.column).filter { $0.expression == nil }.map { ($0.name, $0.redacted) }
    }

    private static let others: [String: [(name: String, content: RedactedColumn)]] = [
        "meta": [("name", .words(["schema", "created", "lastID", "unordered"])), ("value", .number)],
        "content": [
            ("id", .number), ("request_head", .head), ("request_body", .body(head: "request_head")),
            ("request_trailers", .trailers), ("informational", .heads), ("response_head", .head),
            ("response_body", .body(head: "response_head")), ("response_trailers", .trailers),
        ],
        "body_part": [
            ("id", .empty), ("exchange", .empty), ("owner", .empty), ("bytes", .empty), ("arrived", .empty),
        ],
        "certificate": [("id", .number), ("hash", .number), ("last_flow", .number), ("der", .certificate)],
        "message": [
            ("id", .number), ("exchange", .number), ("number", .number), ("sender", .number),
            ("kind", .number),
            ("state", .number), ("started", .number), ("ended", .number), ("frames", .number),
            ("length", .number),
            ("captured", .number), ("detail", .token), ("payload", .payload(kind: "kind")),
        ],
        "message_part": [("id", .empty), ("exchange", .empty), ("number", .empty), ("bytes", .empty)],
        "packet": [
            ("id", .empty), ("flow", .empty), ("connection", .empty), ("kind", .empty), ("time", .empty),
            ("bytes", .empty),
        ],
        "secret": [("id", .empty), ("random", .empty), ("line", .empty), ("packet", .empty)],
        "note": [("id", .number), ("marked", .number), ("comment", .token)],
        "ruling": [("id", .number), ("hits", .rules)],
        "change": [("revision", .empty), ("kind", .empty), ("numbers", .empty)],
    ]

    /// The tables and indexes of a capture, each with the statement that creates it.
    ///
    /// - Returns: The declarations: type, name, table and statement.
    /// - Throws: ``CaptureFailure`` if SQLite refuses.
    package static func declarations() throws(CaptureFailure) -> Set<[String]> {
        if let known = known.withLock(\.self) { return known }
        let made = try makeDeclarations()
        known.withLock { $0 = made }
        return made
    }

    private static let known = Lock<Set<[String]>?>(nil)

    private static func makeDeclarations() throws(CaptureFailure) -> Set<[String]> {
        do {
            let model = try Database(path: ":memory:")
            try CaptureSchema.create(model)
            let sql = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema"
            return Set(
                try model.rows("sqlite_schema", sql) { row in
                    [try row.text(0), try row.text(1), try row.text(2), try row.text(3)]
                }
            )
        } catch {
            throw CaptureSchema.failure(error, path: ":memory:")
        }
    }

    /// Returns the columns that the schema has, by table, for a test that compares them with ``columns(_:)``.
    ///
    /// - Returns: The names of the columns.
    /// - Throws: ``CaptureFailure`` if SQLite refuses.
    package static func schema() throws(CaptureFailure) -> [String: [String]] {
        do {
            let model = try Database(path: ":memory:")
            try CaptureSchema.create(model)
            let names = try model.rows("sqlite_schema", "SELECT name FROM sqlite_schema WHERE type = 'table'")
            {
                try $0.text(0)
            }
            var schema: [String: [String]] = [:]
            for name in names {
                schema[name] = try model.rows(name, "SELECT name FROM pragma_table_info('\(name)')") {
                    try $0.text(0)
                }
            }
            return schema
        } catch {
            throw CaptureSchema.failure(error, path: ":memory:")
        }
    }

    /// Writes a compact copy of a capture, without free pages, without a journal, and with zeroes in free space.
    ///
    /// - Parameters:
    ///   - draft: The capture.
    ///   - target: The copy, which must not exist.
    /// - Throws: ``CaptureFailure`` if it cannot be written.
    package static func compact(_ draft: String, to target: String) throws(CaptureFailure) {
        let descriptor = open(target, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(path: target, String(cString: strerror(errno))) }
        close(descriptor)
        do {
            let db = try Database(path: draft)
            try db.execute("PRAGMA secure_delete = ON; PRAGMA auto_vacuum = NONE")
            try db.execute("DELETE FROM change")
            try db.execute("VACUUM INTO ?", [.text(target)])
            db.close()
            let file = try DatabaseFile(path: target, isWritable: true)
            for root in try roots(file) {
                try file.walk(
                    root: root,
                    gap: { page, number, range in
                        if page[range].contains(where: { $0 != 0 }) { try file.erase(number, range) }
                    },
                    { _, _ in }
                )
            }
        } catch let fault as DatabaseFile.Fault {
            throw .system(path: target, fault.description)
        } catch {
            throw CaptureSchema.failure(error, path: target)
        }
    }

    /// Erases the free space of the first page, and returns the first pages of all trees but its own.
    private static func roots(_ file: DatabaseFile) throws -> [Int] {
        var roots: [Int] = []
        try file.walk(
            root: 1,
            gap: { page, number, range in
                if page[range].contains(where: { $0 != 0 }) { try file.erase(number, range) }
            },
            { _, values in
                if values.count == 5, case .number(let root) = values[3], root > 0 {
                    roots.append(Int(clamping: root))
                }
            }
        )
        return roots
    }
}

extension CaptureReader {
    /// The largest number of hosts that are returned.
    private static let hostLimit = 1 << 16

    /// Returns the hosts of exchanges that a filter selects, without ports; of many hosts, the first.
    ///
    /// - Parameter filter: The filter; `nil` for all exchanges.
    /// - Returns: The hosts, in the notation of authorities.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func hosts(_ filter: ExchangeFilter?) throws(CaptureFailure) -> Set<String> {
        var hosts: Set<String> = []
        if let filter {
            try eachExchange(filter) { record throws(CaptureFailure) in
                hosts.insert(record.authority.host.description)
                return hosts.count < Self.hostLimit
            }
            return hosts
        }
        let texts = try read { db in
            try db.rows("exchange", "SELECT DISTINCT authority FROM exchange LIMIT \(Self.hostLimit)") {
                row in
                try row.text(0)
            }
        }
        for text in texts {
            if let read = try? Authority(text, defaultPort: 0) { hosts.insert(read.host.description) }
        }
        return hosts
    }
}
