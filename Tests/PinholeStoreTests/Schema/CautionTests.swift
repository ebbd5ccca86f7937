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
                #expect(failure.description.contains("is not a Pinhole capture: it"))
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

    @Test("a journal that names a file of the user, or is a pipe, is refused", arguments: [false, true])
    func foreignJournal(isLinked: Bool) throws {
        let scratch = try ScratchDirectory()
        try capture(scratch)
        var path = scratch.capture
        if isLinked {
            path += ".link"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: scratch.capture)
        }
        let (precious, journal) = (scratch.capture + ".precious", scratch.capture + "-journal")
        try Data("precious".utf8).write(to: URL(filePath: precious))
        let pages = try Data(contentsOf: URL(filePath: scratch.capture)).count / CaptureSchema.pageSize
        try Data(Self.journal(pages, naming: precious)).write(to: URL(filePath: journal))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: journal)
        func expectRefusals() {
            let open: [() throws -> Void] = [
                { _ = try CaptureReader(path: path) },
                { _ = try CaptureEditor(path: path) },
                { try CaptureStore.open(.init(path: path), now: epoch).close() },
            ]
            for open in open {
                let failure = #expect(throws: CaptureFailure.self) { try open() }
                let text = String(describing: failure)
                #expect(text.contains("Pinhole never wrote its journal"), "\(text)")
            }
        }
        expectRefusals()
        #expect(FileManager.default.fileExists(atPath: precious))
        try FileManager.default.removeItem(atPath: journal)
        #expect(mkfifo(journal, 0o600) == 0)
        expectRefusals()
        try FileManager.default.removeItem(atPath: journal)
        // The rest of an interrupted transaction of this file alone is rolled back, as ever.
        try Data(Self.journal(pages, naming: nil)).write(to: URL(filePath: journal))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: journal)
        try CaptureStore.open(.init(path: path), now: epoch).close()
        #expect(try CaptureReader(path: path).exchanges(limit: 999).count == 500)
    }

    /// Returns a journal of a file with some pages, none of which changed; it may end with the name of a super-journal.
    private static func journal(_ pages: Int, naming other: String?) -> [UInt8] {
        func word(_ number: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
        // The numbers of pages in the journal, of its checksums and of pages before, and the sizes of sector and page.
        var journal = magic + word(0) + word(7) + word(pages) + word(512) + word(CaptureSchema.pageSize)
        journal += [UInt8](repeating: 0, count: 512 - journal.count)
        guard let other else { return journal }
        let name = Array(other.utf8)
        let sum = name.reduce(0) { $0 + Int(Int8(bitPattern: $1)) }
        return journal + word(0x4000_0000 / CaptureSchema.pageSize + 1) + name + word(name.count) + word(sum)
            + magic
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

    @Test("an abandoned statement ends, and the reader serves other requests")
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
