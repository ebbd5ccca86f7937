import Foundation
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeStore

@Suite("Views with words")
struct CaptureViewsTests {
    private static let hasSQLite = Executable.find("sqlite3") != nil

    private func capture(_ scratch: ScratchDirectory) throws {
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        var record = try ExchangeRecord.sample(2)
        record.notes = [.connectionReused, .webSocket]
        var message = WebSocketMessage(
            exchange: record.id,
            number: 1,
            sender: .server,
            kind: .text,
            started: epoch
        )
        message.inline = Array("hello".utf8)
        message.isComplete = true
        store.record([.exchange(record), .webSocketMessage(message)])
        store.close()
    }

    /// Returns what the sqlite3 program prints, one object a row.
    private func rows(_ sql: String, _ path: String) throws -> [[String: Any]] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sqlite3", "-json", "-readonly", path, sql]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(sql)")
        return data.isEmpty ? [] : try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
    }

    private func views(_ path: String) throws -> [String: String] {
        let database = try Database(path: path, .reading)
        let rows = try database.rows(
            "sqlite_schema",
            "SELECT name, sql FROM sqlite_schema WHERE type = 'view'"
        ) {
            (try $0.text(0), try $0.text(1))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    private static let ours = Dictionary(uniqueKeysWithValues: CaptureViews.all.map { ($0.name, $0.sql) })

    @Test("other programs read words, texts and numbers", .enabled(if: hasSQLite))
    func words() throws {
        let scratch = try ScratchDirectory()
        try capture(scratch)
        let exchange = try #require(try rows("SELECT * FROM exchanges", scratch.capture).first)
        let record = try ExchangeRecord.sample(2)
        #expect(exchange["method"] as? String == record.method && exchange["url"] as? String == record.url)
        #expect(exchange["host"] as? String == record.authority.host.description)
        #expect(exchange["port"] as? Int == Int(record.authority.port))
        #expect(exchange["scheme"] as? String == record.scheme.rawValue)
        #expect(exchange["status"] as? Int == record.status)
        #expect(exchange["outcome"] as? String == record.outcome?.kind.rawValue)
        #expect(exchange["notes"] as? String == "connectionReused webSocket")
        #expect(exchange["time"] as? String == record.timings.started.iso8601Milliseconds)
        let seconds = Double(record.timings.started.microseconds) / 1e6
        #expect(exchange["time_unix"] as? Double == seconds)
        #expect(exchange["messages"] as? Int == 1 && exchange["marked"] as? Int == 0)
        let message = try #require(try rows("SELECT * FROM messages", scratch.capture).first)
        #expect(message["sender"] as? String == "server" && message["kind"] as? String == "text")
        #expect(message["text"] as? String == "hello" && message["complete"] as? Int == 1)
        #expect(try rows("SELECT * FROM flows", scratch.capture).isEmpty)
    }

    @Test("every stored field of exchanges and flows is a column")
    func columns() throws {
        for (name, fields) in [
            ("exchanges", ExchangeFields.all.filter { $0.column != nil }.map(\.name)),
            ("flows", FlowFields.all.filter { $0.column != nil }.map(\.name)),
        ] {
            let sql = try #require(Self.ours[name])
            for field in fields where !["state", "process_path"].contains(field) {
                let column = field.replacing(".", with: "_")
                #expect(sql.contains(" AS \(column)") || sql.contains("\(column),"), "\(name): \(column)")
            }
        }
    }

    @Test("an older capture gets the views when it is recorded into, and keeps those of its user")
    func older() throws {
        let scratch = try ScratchDirectory()
        try capture(scratch)
        try Database(path: scratch.capture).execute(
            """
            DROP VIEW exchanges; DROP VIEW messages; CREATE VIEW Messages AS SELECT 1;
            CREATE VIEW mine AS SELECT * FROM flow
            """
        )
        _ = try CaptureReader(path: scratch.capture)
        #expect(try views(scratch.capture).count == 3, "a reader changes nothing")
        for _ in 0..<2 {
            try CaptureStore.open(.init(path: scratch.capture), now: epoch).close()
            var found = try views(scratch.capture)
            #expect(found.removeValue(forKey: "mine") == "CREATE VIEW mine AS SELECT * FROM flow")
            #expect(found == Self.ours)
        }
    }

    @Test("a copy has Pinhole's views, and none of the file that it was made of")
    func copy() throws {
        let scratch = try ScratchDirectory()
        try capture(scratch)
        try Database(path: scratch.capture).execute(
            "CREATE VIEW mine AS SELECT 1; DROP VIEW exchanges; CREATE VIEW exchanges AS SELECT 1"
        )
        let target = try ScratchDirectory()
        let copy = CaptureCopy(into: target.capture, now: epoch)
        _ = try copy.add(scratch.capture, TrafficFilter())
        try copy.finish()
        #expect(try views(target.capture) == Self.ours)
    }

    @Test("no connection of the program runs a view or a trigger")
    func forbidden() throws {
        let scratch = try ScratchDirectory()
        try capture(scratch)
        let database = try Database(path: scratch.capture)
        for sql in ["SELECT count(*) FROM exchanges", "SELECT id FROM messages"] {
            let error = #expect(throws: DatabaseError.self) { try database.number("a view", sql) }
            #expect(error?.message.contains("prohibited") == true, "\(error.debugDescription)")
        }
        try database.execute(
            "CREATE TRIGGER t AFTER INSERT ON note BEGIN DELETE FROM exchange; END; INSERT INTO note VALUES (2, 1, '')"
        )
        #expect(try database.number("exchange", "SELECT count(*) FROM exchange") == 1)
    }
}
