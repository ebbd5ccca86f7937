import Foundation
import Testing

@testable import PinholeStore

@Suite("Database")
struct DatabaseTests {
    private struct Stop: Error {}

    private func count(_ database: Database) throws -> Int64? {
        try database.number("t", "SELECT count(*) FROM t")
    }

    private func database(_ path: String = ":memory:") throws -> Database {
        let database = try Database(path: path)
        try database.execute("CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES (1)")
        return database
    }

    @Test("statements without parameters run one after the other, and the first error ends them")
    func script() throws {
        let database = try database()
        let error = #expect(throws: DatabaseError.self) {
            try database.execute(
                "INSERT INTO t VALUES (2); INSERT INTO t VALUES (1); INSERT INTO t VALUES (3)"
            )
        }
        #expect(error?.message == "UNIQUE constraint failed: t.a")
        #expect(try count(database) == 2)
    }

    @Test("a transaction is committed, and its result returned")
    func commit() throws {
        let database = try database()
        let result = try database.transaction(.immediate) {
            try database.execute("INSERT INTO t VALUES (?)", [.number(2)])
            return database.changedRows
        }
        #expect(result == 1)
        #expect(database.lastInsertedRow == 2)
        #expect(try count(database) == 2)
    }

    @Test("a failed transaction is rolled back, and the next one works", arguments: [true, false])
    func rollback(isDatabaseError: Bool) throws {
        let database = try database()
        do {
            try database.transaction(.immediate) {
                try database.execute("INSERT INTO t VALUES (2)")
                if isDatabaseError { try database.execute("INSERT INTO t VALUES (1)") }
                throw Stop()
            }
        } catch {
            #expect(error is Stop != isDatabaseError)
        }
        #expect(try count(database) == 1)
        try database.transaction(.deferred) { try database.execute("INSERT INTO t VALUES (2)") }
        #expect(try count(database) == 2)
    }

    @Test("a transaction within another is an error, and the outer one is rolled back")
    func nested() throws {
        let database = try database()
        #expect(throws: DatabaseError.self) {
            try database.transaction(.immediate) {
                try database.execute("INSERT INTO t VALUES (2)")
                try database.transaction(.immediate) {}
            }
        }
        #expect(try count(database) == 1)
    }

    @Test("after a full disk, which rolls back by itself, the error is the reason")
    func full() throws {
        let scratch = try ScratchDirectory()
        let database = try database(scratch.capture)
        try database.execute("PRAGMA max_page_count = 8")
        let error = #expect(throws: DatabaseError.self) {
            try database.transaction(.immediate) {
                try database.execute("INSERT INTO t VALUES (zeroblob(1000000))")
            }
        }
        #expect(error?.message == "database or disk is full")
        #expect(error?.kind == .other)
        try database.transaction(.immediate) { try database.execute("INSERT INTO t VALUES (2)") }
        #expect(try count(database) == 2)
    }

    @Test("a second writer waits, and fails if the first one stays; a reader does not wait")
    func busy() throws {
        let scratch = try ScratchDirectory()
        let first = try database(scratch.capture)
        try first.execute("PRAGMA journal_mode = WAL")
        let second = try Database(path: scratch.capture, busyTimeout: .milliseconds(1))
        let reader = try Database(path: scratch.capture, .reading, busyTimeout: .zero)
        try first.transaction(.immediate) {
            try first.execute("INSERT INTO t VALUES (2)")
            let error = #expect(throws: DatabaseError.self) { try second.transaction(.immediate) {} }
            #expect(error?.kind == .busy)
            #expect(error?.message == "database is locked")
            #expect(try count(reader) == 1)
        }
        #expect(try count(second) == 2 && count(reader) == 2)
        #expect(throws: DatabaseError.self) { try reader.execute("INSERT INTO t VALUES (3)") }
    }

    @Test("a kept statement is prepared once, and a second time while it runs")
    func kept() throws {
        let database = try database()
        let sql = "SELECT a FROM t"
        let first = try database.statement(sql, isKept: true)
        #expect(try database.statement(sql, isKept: true) === first)
        #expect(try first.step())
        let second = try database.statement(sql, isKept: true)
        #expect(second !== first)
        #expect(try second.step())
        first.reset()
        #expect(try database.statement(sql, isKept: true) === first)
    }

    @Test("a walk that ends early, or throws, leaves no transaction open")
    func walk() throws {
        let database = try database()
        try database.execute("INSERT INTO t VALUES (2), (3)")
        let sql = "SELECT a FROM t ORDER BY a"
        var seen: [Int64] = []
        let isWhole = try database.walk("t", sql, isKept: true) { row in
            seen.append(try row.number(0))
            return seen.count < 2
        }
        #expect(!isWhole && seen == [1, 2])
        #expect(throws: StoredValueFault.self) {
            try database.walk("t", sql, isKept: true) { row in try row.text(0) == "" }
        }
        // A table that a statement reads cannot be dropped.
        try database.execute("DROP TABLE t")
    }

    @Test("an abandoned statement ends, and the next one runs to its end")
    func interrupted() throws {
        let database = try database()
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let error = #expect(throws: DatabaseError.self) {
            try database.interrupted(by: { true }, { try database.execute(endless) })
        }
        #expect(error?.kind == .interrupted)
        #expect(try count(database) == 1)
        let rows = try database.interrupted(by: { false }, { try count(database) })
        #expect(rows == 1)
    }

    @Test("a file that is missing, a folder, and a file that is no database are errors of different kinds")
    func noDatabase() throws {
        let scratch = try ScratchDirectory()
        let missing = #expect(throws: DatabaseError.self) { try Database(path: scratch.capture, .reading) }
        #expect(missing?.message == "unable to open database file")
        #expect(throws: DatabaseError.self) { try Database(path: scratch.path) }
        try Data(repeating: 0x61, count: 5000).write(to: URL(filePath: scratch.capture))
        let garbage = try Database(path: scratch.capture)
        let error = #expect(throws: DatabaseError.self) { try garbage.execute("SELECT 1 FROM sqlite_schema") }
        #expect(error?.kind == .noDatabase)
        #expect(error?.message == "file is not a database")
    }

    @Test("closing moves the journal into the file, also if a kept statement has not come to its end")
    func close() throws {
        let scratch = try ScratchDirectory()
        let database = try database(scratch.capture)
        try database.execute("PRAGMA journal_mode = WAL; INSERT INTO t VALUES (2)")
        #expect(FileManager.default.fileExists(atPath: scratch.capture + "-wal"))
        try database.checkpoint(.passive)
        try database.checkpoint(.truncating)
        _ = try database.statement("SELECT a FROM t", isKept: true).step()
        database.close()
        #expect(!FileManager.default.fileExists(atPath: scratch.capture + "-wal"))
    }
}
