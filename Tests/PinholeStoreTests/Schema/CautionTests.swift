import Foundation
import PinholeModel
import Testing

@testable import PinholeStore

@Suite("A file from elsewhere")
struct CautionTests {
    private func capture(_ scratch: ScratchDirectory, _ changes: String = "") throws {
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        for id in Int64(1)...500 { store.record([.exchange(try .sample(id))]) }
        store.close()
        try Database(path: scratch.capture).execute(changes)
    }

    @Test(
        "tables, views, triggers and columns that are not Pinhole's are refused before anything is read",
        arguments: [
            (
                """
                ALTER TABLE exchange RENAME TO old;
                CREATE VIEW exchange AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                    SELECT old.* FROM old, n;
                """, "exchange"
            ),
            ("CREATE TRIGGER t AFTER INSERT ON exchange BEGIN DELETE FROM content; END", "trigger t"),
            ("ALTER TABLE flow ADD COLUMN x AS (hex(zeroblob(100000000)))", "table flow"),
            ("DROP TABLE note; CREATE VIRTUAL TABLE note USING fts5(id, marked, comment)", "note"),
            ("DROP TABLE meta; CREATE VIEW meta AS SELECT 'schema' AS name, 8 AS value", "another program"),
            ("CREATE INDEX i ON exchange(hex(path))", "index i"),
            ("CREATE TABLE diary(text)", "table diary"), ("DROP INDEX flow_listed", "index flow_listed"),
            ("CREATE TRIGGER t INSTEAD OF INSERT ON exchanges BEGIN DELETE FROM content; END", "trigger t"),
            ("DROP VIEW exchanges; CREATE TABLE exchanges(id)", "table exchanges"),
            // The type of a row is a text that anybody can write. This SQLite refuses such a row by itself.
            (
                """
                PRAGMA writable_schema = ON;
                INSERT INTO sqlite_schema VALUES ('view', 'v', 'v', 0,
                    'CREATE TRIGGER v AFTER INSERT ON exchange BEGIN DELETE FROM content; END');
                """, "it is damaged"
            ),
        ]
    )
    func schema(_ changes: String, _ named: String) throws {
        let scratch = try ScratchDirectory()
        try capture(scratch, changes)
        let open: [() throws -> Void] = [
            { _ = try CaptureReader(path: scratch.capture) },
            { _ = try CaptureEditor(path: scratch.capture) },
            { try CaptureStore.open(.init(path: scratch.capture), now: epoch).close() },
        ]
        for open in open {
            do {
                try open()
                Issue.record("expected a refusal of \(changes)")
            } catch let failure as CaptureFailure {
                #expect(failure.description.contains("is no Pinhole capture: it"))
                #expect(failure.description.contains(named), "\(failure)")
            }
        }
    }

    @Test("views of other names, and others in place of Pinhole's, are ignored and never run")
    func views() throws {
        let scratch = try ScratchDirectory()
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n"
        try capture(
            scratch,
            """
            CREATE VIEW mine AS \(endless); DROP VIEW exchanges; CREATE VIEW exchanges AS \(endless);
            CREATE VIEW json_each AS \(endless);
            """
        )
        #expect(try CaptureReader(path: scratch.capture).exchanges(limit: 999).count == 500)
        _ = try CaptureEditor(path: scratch.capture)
        try CaptureStore.open(.init(path: scratch.capture), now: epoch).close()
    }

    @Test("a schema of ten thousand tables is not read to its end")
    func largeSchema() throws {
        let scratch = try ScratchDirectory()
        try capture(scratch)
        let database = try Database(path: scratch.capture)
        try database.transaction(.immediate) {
            for number in 0..<10_000 { try database.execute("CREATE TABLE t\(number)(a)") }
        }
        database.close()
        #expect(
            throws: CaptureFailure.notCapture(
                path: scratch.capture,
                "its schema is larger than that of any capture"
            )
        ) { try CaptureReader(path: scratch.capture) }
    }

    @Test("a statement ends when nobody waits for it any more, and the reader goes on to serve others")
    func interrupted() throws {
        let scratch = try ScratchDirectory()
        try capture(scratch)
        let reader = try CaptureReader(path: scratch.capture)
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let deadline = ContinuousClock.now + .milliseconds(20)
        #expect(throws: CaptureFailure.cancelled) {
            try reader.until { ContinuousClock.now > deadline }.read { db in try db.number("n", endless) }
        }
        #expect(try reader.exchanges(limit: 999).count == 500)
        #expect(try reader.until { false }.exchanges(limit: 999).count == 500)
    }

    @Test("an import of a capture ends while it is read")
    func cancelledCopy() throws {
        let scratch = try ScratchDirectory()
        try capture(scratch)
        let target = try ScratchDirectory()
        let copy = CaptureCopy(into: target.capture, now: epoch)
        copy.isCancelled = { true }
        #expect(throws: CaptureFailure.cancelled) { try copy.add(scratch.capture, TrafficFilter()) }
    }

    @Test("a value that is larger than any of a capture is an error")
    func largeValue() throws {
        let scratch = try ScratchDirectory()
        try capture(scratch, "UPDATE content SET request_head = zeroblob(40000000) WHERE id = 7")
        let reader = try CaptureReader(path: scratch.capture)
        #expect(throws: CaptureFailure.self) { try reader.exchange(ExchangeID(rawValue: 7)) }
        #expect(try reader.exchange(ExchangeID(rawValue: 8)) != nil)
    }
}
