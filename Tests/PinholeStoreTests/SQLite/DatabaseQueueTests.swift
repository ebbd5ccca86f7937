import PinholeTestKit
import Testing

@testable import PinholeStore

@Suite("DatabaseQueue")
struct DatabaseQueueTests {
    private func queue(_ path: String = ":memory:") throws -> DatabaseQueue {
        let database = try Database(path: path)
        try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES (0)")
        return DatabaseQueue(database, label: "test")
    }

    @Test("threads use the connection one after the other")
    func threads() async throws {
        let queue = try queue()
        await atOnce(200, width: 4) { number in
            do {
                if number.isMultiple(of: 2) {
                    try queue.write { db in
                        let sum = try db.number("t", "SELECT a FROM t", isKept: true) ?? 0
                        try db.execute("UPDATE t SET a = ?", [.number(sum + 1)], isKept: true)
                    }
                } else {
                    _ = try queue.read { db in try db.number("t", "SELECT a FROM t", isKept: true) }
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(try queue.read { db in try db.number("t", "SELECT a FROM t") } == 100)
    }

    @Test("all statements of a read see the same state, whatever another connection writes")
    func snapshot() throws {
        let scratch = try ScratchDirectory()
        let queue = try queue(scratch.capture)
        let writer = try Database(path: scratch.capture)
        let sql = "SELECT a FROM t"
        try queue.read { db in
            #expect(try db.number("t", sql) == 0)
            try writer.execute("UPDATE t SET a = 1")
            #expect(try db.number("t", sql) == 0)
        }
        #expect(try queue.read { db in try db.number("t", sql) } == 1)
    }

    @Test("a write that throws changes nothing; without a transaction each statement counts")
    func writes() throws {
        let queue = try queue()
        #expect(throws: DatabaseError.self) {
            try queue.write { db in try db.execute("UPDATE t SET a = 1; UPDATE missing SET a = 1") }
        }
        #expect(try queue.read { db in try db.number("t", "SELECT a FROM t") } == 0)
        #expect(throws: DatabaseError.self) {
            try queue.withoutTransaction { db in
                try db.execute("UPDATE t SET a = 1; UPDATE missing SET a = 1")
            }
        }
        #expect(try queue.read { db in try db.number("t", "SELECT a FROM t") } == 1)
    }
}
