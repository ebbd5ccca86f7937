import Dispatch

/// Changes an existing capture: adds marks and comments, and removes items.
///
/// The editor is a second writer beside the recorder, which may be in this process or another. SQLite admits one writer
/// at a time, and each change is small. The editor has its own queue.
package final class CaptureEditor: Sendable {
    private let path: String
    private let queue = DispatchQueue(label: "pinhole.editor")
    private let database: DatabaseQueue

    /// The number of items that are removed at once; the recorder waits that long.
    private static let step = 500
    /// The number of pages that are returned to the file system at once.
    private static let pages = 256

    /// Opens the capture at `path`.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``CaptureFailure`` if the file is missing, is not a capture, is too new or is not writable.
    package init(path: String) throws(CaptureFailure) {
        self.path = path
        do {
            let database = try Database(path: path)
            try database.distrust(path)
            try database.execute("PRAGMA cache_size = -512; PRAGMA mmap_size = 0")
            try CaptureSchema.check(database, path: path)
            self.database = DatabaseQueue(database, label: "pinhole.editor.database")
        } catch {
            throw CaptureSchema.failure(error, path: path)
        }
    }

    /// Runs work soon, on the editor's queue.
    package func perform(_ work: @escaping @Sendable (CaptureEditor) -> Void) {
        queue.async { work(self) }
    }

    /// Changes the note on an exchange or a flow.
    ///
    /// - Parameters:
    ///   - id: The number of the exchange or flow.
    ///   - change: Changes the note that it is given.
    /// - Returns: Whether there is such an exchange or flow.
    /// - Throws: ``CaptureFailure`` if the file cannot be written.
    package func note(_ id: Int64, _ change: (inout TrafficNote) -> Void) throws(CaptureFailure) -> Bool {
        try write { db in
            let sql = """
                SELECT EXISTS (SELECT 1 FROM exchange WHERE id = ?1) OR EXISTS (SELECT 1 FROM flow WHERE id = ?1)
                """
            guard try db.number("exchange", sql, [.number(id)]) == 1 else { return false }
            var note = try CaptureReader.note(id, db)
            change(&note)
            if note == TrafficNote() {
                try db.execute("DELETE FROM note WHERE id = ?", [.number(id)])
            } else {
                try db.execute(
                    "INSERT OR REPLACE INTO note VALUES (?, ?, ?)",
                    [.number(id), .number(note.isMarked ? 1 : 0), note.comment.map(SQLValue.text) ?? .null]
                )
            }
            try ChangeLog.append(.noted, [id], to: db)
            return true
        }
    }

    /// Removes exchanges and flows, and closed flows that have no other exchange.
    ///
    /// - Parameter ids: The numbers of the exchanges and flows.
    /// - Returns: The number of items that were removed.
    /// - Throws: ``CaptureFailure`` if the file cannot be written.
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
                let exchanges = try db.rows("exchange", sql) { row in (try row.id(0), try row.id(1)) }
                for (_, flow) in exchanges { removed[flow, default: 0] += 1 }
                let flows = try db.rows("flow", "SELECT id FROM flow WHERE id IN (\(list))") { row in
                    try row.id(0)
                }
                count += try Self.remove("IN (\(list))", db)
                try ChangeLog.append(.removed, exchanges.map(\.0) + flows, to: db)
            }
        }
        try removeFlows(removed)
        try shrink()
        return count
    }

    /// Removes all exchanges and flows up to a number, with their notes.
    ///
    /// - Parameter last: The number; an open exchange is recorded again when it ends.
    /// - Returns: The number of exchanges and flows that were removed.
    /// - Throws: ``CaptureFailure`` if the file cannot be written.
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
                guard let end = try db.number("exchange", sql, [.number(last)]) else { return true }
                count += try Self.remove("<= \(end)", db)
                try ChangeLog.append(.removedUpTo, [end], to: db)
                return false
            }
            if isDone { break }
        }
        try shrink()
        return count
    }

    /// Returns the highest number of all exchanges and flows.
    ///
    /// - Returns: The number; 0 in an empty capture.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func lastID() throws(CaptureFailure) -> Int64 {
        try write { db in
            let sql = """
                SELECT max(coalesce((SELECT max(id) FROM exchange), 0), coalesce((SELECT max(id) FROM flow), 0))
                """
            return try db.number("exchange", sql) ?? 0
        }
    }

    /// Removes flows whose exchanges were all removed, because they still show which server was used.
    private func removeFlows(_ removed: [Int64: Int]) throws(CaptureFailure) {
        var rest = Array(removed)[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.step)
            rest = rest.dropFirst(Self.step)
            try write { db in
                var gone: [Int64] = []
                for (flow, count) in part {
                    try db.execute(
                        "DELETE FROM flow WHERE id = ? AND closed IS NOT NULL AND exchanges <= ?",
                        [.number(flow), .number(Int64(count))],
                        isKept: true
                    )
                    guard db.changedRows > 0 else { continue }
                    gone.append(flow)
                    try Self.removePackets("= \(flow)", db)
                }
                try ChangeLog.append(.removed, gone, to: db)
            }
        }
    }

    /// Removes all rows whose number fulfils a condition, and returns the number of exchanges and flows among them.
    private static func remove(_ condition: String, _ db: Database) throws -> Int {
        var count = 0
        for table in ["exchange", "flow"] {
            try db.execute("DELETE FROM \(table) WHERE id \(condition)")
            count += db.changedRows
        }
        for table in ["content", "note", "ruling"] {
            try db.execute("DELETE FROM \(table) WHERE id \(condition)")
        }
        for table in ["body_part", "message", "message_part"] {
            try db.execute("DELETE FROM \(table) WHERE exchange \(condition)")
        }
        try removePackets(condition, db)
        return count
    }

    /// Removes the packets of flows whose number fulfils a condition, and the secrets that are of no use without them.
    private static func removePackets(_ condition: String, _ db: Database) throws {
        try db.execute("DELETE FROM packet WHERE flow \(condition)")
        if db.changedRows > 0 { try db.execute(CaptureSchema.removalOfSecrets) }
    }

    /// Returns free pages to the file system, in small steps.
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
            return try isTransaction ? database.write(work) : database.withoutTransaction(work)
        } catch {
            throw CaptureSchema.failure(error, path: path)
        }
    }
}
