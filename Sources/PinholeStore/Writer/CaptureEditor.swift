import Dispatch
import GRDB
import PinholeModel

/// Changes what is in a capture already: remarks, and what is to be forgotten.
///
/// It is a second writer beside the one that records, in this process or another: SQLite lets one in after the
/// other, and each change is small. It has a queue of its own.
package final class CaptureEditor: Sendable {
    private let path: String
    private let queue = DispatchQueue(label: "pinhole.editor")
    private let database: DatabaseQueue

    /// Numbers that are removed at once: the writer that records waits as long.
    private static let step = 500
    /// Pages that are given back to the file system at once.
    private static let pages = 256

    /// Opens the capture at `path`, and brings an older file up to date.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``CaptureFailure`` when there is none, it is something else, too new or not writable.
    package init(path: String) throws(CaptureFailure) {
        self.path = path
        var configuration = Configuration()
        configuration.label = "pinhole.editor"
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.distrust(path)
            try db.execute(sql: "PRAGMA cache_size = -512; PRAGMA mmap_size = 0")
        }
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            try database.writeWithoutTransaction { db in
                try CaptureSchema.check(db, path: path)
                try CaptureSchema.migrate(db)
            }
        } catch {
            throw CaptureSchema.failure(error, path: path)
        }
    }

    /// Does something soon, on the editor's queue.
    package func perform(_ work: @escaping @Sendable (CaptureEditor) -> Void) {
        queue.async { work(self) }
    }

    /// Says something of an exchange or a flow.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - change: Is given what was said, and changes it.
    /// - Returns: Whether there is such an exchange or flow.
    /// - Throws: ``CaptureFailure`` when the file cannot be written.
    package func note(_ id: Int64, _ change: (inout TrafficNote) -> Void) throws(CaptureFailure) -> Bool {
        try write { db in
            let sql = """
                SELECT EXISTS (SELECT 1 FROM exchange WHERE id = ?1) OR EXISTS (SELECT 1 FROM flow WHERE id = ?1)
                """
            guard try db.number("exchange", sql, [id]) == 1 else { return false }
            var note = try CaptureReader.note(id, db)
            change(&note)
            if note == TrafficNote() {
                try db.execute(sql: "DELETE FROM note WHERE id = ?", arguments: [id])
            } else {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO note VALUES (?, ?, ?)",
                    arguments: [id, note.isMarked, note.comment]
                )
            }
            return true
        }
    }

    /// Removes exchanges and flows, and flows that have no other exchange and are over.
    ///
    /// - Parameter ids: Their numbers.
    /// - Returns: How many of them there were.
    /// - Throws: ``CaptureFailure`` when the file cannot be written.
    @discardableResult
    package func remove(_ ids: [Int64]) throws(CaptureFailure) -> Int {
        var rest = ids[...]
        var removed: [Int64: Int] = [:]
        var count = 0
        while !rest.isEmpty {
            let list = rest.prefix(Self.step).map(String.init).joined(separator: ",")
            rest = rest.dropFirst(Self.step)
            try write { db in
                let sql = "SELECT id, flow FROM exchange WHERE id IN (\(list))"
                let flows = try db.rows("exchange", sql) { row in try row.id(1) }
                for flow in flows { removed[flow, default: 0] += 1 }
                count += try Self.remove("IN (\(list))", db)
            }
        }
        try removeFlows(removed)
        try shrink()
        return count
    }

    /// Removes everything up to a number, and what people said of it.
    ///
    /// - Parameter last: The number; what goes on is recorded again when it ends.
    /// - Returns: How many exchanges and flows there were.
    /// - Throws: ``CaptureFailure`` when the file cannot be written.
    @discardableResult
    package func removeAll(upTo last: Int64) throws(CaptureFailure) -> Int {
        var count = 0
        while true {
            let isDone = try write { db in
                let sql = """
                    SELECT max(id) FROM (
                        SELECT * FROM (SELECT id FROM exchange WHERE id <= ?1 ORDER BY id LIMIT \(Self.step))
                        UNION ALL SELECT * FROM (SELECT id FROM flow WHERE id <= ?1 ORDER BY id LIMIT \(Self.step))
                        ORDER BY id LIMIT \(Self.step))
                    """
                guard let end = try db.number("exchange", sql, [last]) else { return true }
                count += try Self.remove("<= \(end)", db)
                return false
            }
            if isDone { break }
        }
        try shrink()
        return count
    }

    /// The highest number of all.
    ///
    /// - Returns: The number; 0 where there is nothing.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func lastID() throws(CaptureFailure) -> Int64 {
        try write { db in
            let sql = """
                SELECT max(coalesce((SELECT max(id) FROM exchange), 0), coalesce((SELECT max(id) FROM flow), 0))
                """
            return try db.number("exchange", sql) ?? 0
        }
    }

    /// The flows all of whose exchanges were removed: they say with whom somebody spoke.
    private func removeFlows(_ removed: [Int64: Int]) throws(CaptureFailure) {
        var rest = Array(removed)[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.step)
            rest = rest.dropFirst(Self.step)
            try write { db in
                for (flow, count) in part {
                    try db.cachedStatement(
                        sql: "DELETE FROM flow WHERE id = ? AND closed IS NOT NULL AND exchanges <= ?"
                    ).execute(arguments: [flow, count])
                }
            }
        }
    }

    /// Removes what has such numbers, and counts the exchanges and flows among that.
    private static func remove(_ condition: String, _ db: Database) throws -> Int {
        var count = 0
        for table in ["exchange", "flow"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE id \(condition)")
            count += db.changesCount
        }
        for table in ["content", "note", "ruling"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE id \(condition)")
        }
        for table in ["body_part", "message", "message_part"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE exchange \(condition)")
        }
        return count
    }

    /// Gives the pages back that are free now, in small steps.
    private func shrink() throws(CaptureFailure) {
        var before = Int.max
        while true {
            let free = try write(isTransaction: false) { db in
                // The pragma moves one page for each row that is fetched.
                try db.walk("the file", "PRAGMA incremental_vacuum(\(Self.pages))") { _ in true }
                return Int(try db.number("the file", "PRAGMA freelist_count") ?? 0)
            }
            guard free > Self.pages, free < before else { return }
            before = free
        }
    }

    private func write<Value>(
        isTransaction: Bool = true,
        _ work: (Database) throws -> Value
    ) throws(CaptureFailure) -> Value {
        do {
            return try database.writeWithoutTransaction { db in
                guard isTransaction else { return try work(db) }
                var value: Value?
                try db.inTransaction(.immediate) {
                    value = try work(db)
                    return .commit
                }
                guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                return value
            }
        } catch {
            throw CaptureSchema.failure(error, path: path)
        }
    }
}
