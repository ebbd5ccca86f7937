import Foundation
import PinholeModel
import PinholeTestKit

@testable import PinholeConsole
@testable import PinholeStore

/// A capture with something in each column, in which any value can be put anywhere.
struct AlteredCapture {
    /// A column of a row.
    struct Place: Sendable, CustomStringConvertible {
        let table: String
        let column: String
        /// Which row, from 0.
        let row: Int
        /// A path in the JSON of the column; `nil` for the column itself.
        var member: String?

        var description: String { "\(table).\(column)[\(row)]\(member ?? "")" }
    }

    /// What SQL writes for a value of each storage class, extreme ones among them.
    static let values = [
        "NULL", "0", "1", "2", "-1", "255", "256", "65536", "4294967296", "9007199254740992",
        "1152921504606846976", "1152921504606846977", "4611686018427387904", "9223372036854775807",
        "-9223372036854775808", "253402300800000000", "-62135596800000001", "1.5", "-0.0", "1e300", "-1e300",
        "9e999",
        "''", "'x'", "'1'", "'a b:99999999'", "'[::1]:443'", "char(0, 233, 8232)", "'{}'", "'[]'", "'[1'",
        "x''", "x'00ff'", "zeroblob(70000)", "x'ffffffff41'", "CAST(zeroblob(40000) AS TEXT)",
    ]

    private static let path = "capture.sqlite"
    private static let types = ["NOT NULL", "INTEGER", "TEXT", "BLOB"]

    private let directory: TemporaryDirectory
    /// The file as Pinhole wrote it.
    private let original: Data
    /// Every column of every row, and every value in the JSON of flows.
    let places: [Place]

    init() throws {
        directory = try TemporaryDirectory()
        let path = directory.file(Self.path)
        let store = try CaptureStore.open(.init(path: path), now: ConsoleStage.epoch)
        store.record(try Self.events())
        store.close()
        let editor = try CaptureEditor(path: path)
        for id in [1, 3] as [Int64] { _ = try editor.note(id) { ($0.isMarked, $0.comment) = (true, "look") } }
        let database = try Database(path: path)
        places = try Self.places(database)
        try database.checkpoint(.truncating)
        database.close()
        original = try Data(contentsOf: URL(filePath: path))
    }

    /// The path of a copy in which values stand in other places; columns take any value, as the tables of a file that
    /// somebody else has written do.
    func altered(_ changes: [(place: Place, value: String)]) throws -> String {
        let path = directory.file("\(UUID().uuidString).sqlite")
        try original.write(to: URL(filePath: path))
        // Nobody records into a file that others can read.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        var tables: [(name: String, sql: String)] = []
        try Self.edit(path) { db in
            let declarations = "SELECT name, sql FROM sqlite_schema WHERE type = 'table'"
            tables = try db.rows("", declarations) { row in (name: try row.text(0), sql: try row.text(1)) }
            for (name, sql) in tables { try Self.declare(name, Self.untyped(sql), db) }
        }
        try Self.edit(path) { db in
            for (place, value) in changes {
                let key = place.table == "meta" ? "name" : "rowid"
                let row = """
                    \(key) = (SELECT \(key) FROM \(place.table) ORDER BY \(key) LIMIT 1 OFFSET \(place.row))
                    """
                let new = place.member.map { "json_set(\(place.column), '\($0)', \(value))" } ?? value
                // A key takes numbers alone, and JSON no blob.
                try? db.execute("UPDATE \(place.table) SET \(place.column) = \(new) WHERE \(row)")
            }
        }
        try Self.edit(path) { db in
            for (name, sql) in tables { try Self.declare(name, sql, db) }
        }
        return path
    }

    /// Removes a copy.
    func remove(_ path: String) {
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
    }

    private static func edit(_ path: String, _ change: (Database) throws -> Void) throws {
        let database = try Database(path: path)
        try database.execute("PRAGMA writable_schema = ON")
        try change(database)
        database.close()
    }

    private static func declare(_ table: String, _ sql: String, _ db: Database) throws {
        try db.execute(
            "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
            [.text(sql), .text(table)]
        )
    }

    private static func untyped(_ sql: String) -> String {
        types.reduce(sql.replacing("INTEGER PRIMARY KEY", with: "\u{1}")) { $0.replacing(" \($1)", with: "") }
            .replacing("\u{1}", with: "INTEGER PRIMARY KEY")
    }

    private static func places(_ db: Database) throws -> [Place] {
        var places: [Place] = []
        for table in try texts(db, "SELECT name FROM sqlite_schema WHERE type = 'table'") {
            let columns = try texts(db, "SELECT name FROM pragma_table_info('\(table)')")
            let rows = Int(try db.number(table, "SELECT count(*) FROM \(table)") ?? 0)
            for row in 0..<rows { places += columns.map { Place(table: table, column: $0, row: row) } }
        }
        let flows = Int(try db.number("flow", "SELECT count(*) FROM flow") ?? 0)
        for row in 0..<flows {
            let members = try texts(
                db,
                """
                SELECT fullkey FROM json_tree((SELECT record FROM flow ORDER BY rowid LIMIT 1 OFFSET \(row)))
                WHERE fullkey <> '$'
                """
            )
            places += members.map { Place(table: "flow", column: "record", row: row, member: $0) }
        }
        return places
    }

    private static func texts(_ db: Database, _ sql: String) throws -> [String] {
        try db.rows("", sql) { row in try row.text(0) }
    }

    private static func events() throws -> [FlowEvent] {
        var flow = FlowRecord.sample(1)
        flow.clientProcess = ClientProcess(pid: 7, name: "curl", path: "/usr/bin/curl")
        flow.proxyUser = "anna"
        flow.exchanges = 3
        flow.server = "192.0.2.7:443"
        flow.dials = [
            DialRecord(
                address: "192.0.2.7:443",
                started: flow.opened,
                duration: .microseconds(77),
                failure: nil
            )
        ]
        flow.clientHello = ClientHelloRecord()
        flow.clientHello?.versions = [0x0304]
        flow.clientHello?.ja4 = "t13d1516h2_8daaf6152771_02713d6af862"
        flow.clientHandshake = HandshakeRecord(
            peer: .client,
            started: flow.opened,
            duration: .milliseconds(2)
        )
        flow.clientHandshake?.group = "x25519"
        var handshake = HandshakeRecord(peer: .server, started: flow.opened, duration: .milliseconds(9))
        handshake.version = "TLSv1.3"
        handshake.presentedChain = [[0x30, 0], [0x30, 1, 0]]
        handshake.clientCertificate = [0x30, 0]
        flow.serverHandshake = handshake
        var plain = try ExchangeRecord.sample(2, path: "/a?b=c", requestBody: Array("ask".utf8))
        plain.proxyUser = "anna"
        plain.responseServer = "nginx"
        plain.notes = [.ruled, .connectionReused]
        plain.rules = [RuleHit(rule: "slow", kind: "delay", effect: "1 s")]
        plain.informational = [Array("HTTP/1.1 103 Early Hints\r\n\r\n".utf8)]
        plain.timings.blocked = .microseconds(10)
        plain.timings.resolve = .microseconds(20)
        plain.timings.connect = .microseconds(30)
        plain.timings.tls = .microseconds(40)
        plain.timings.requestEnded = plain.timings.started + .microseconds(200)
        plain.timings.responseStarted = plain.timings.started + .microseconds(300)
        plain.response?.body.length = 25
        plain.response?.body.capturedLength = 25
        var socket = try ExchangeRecord.sample(
            5,
            status: 101,
            fields: "Upgrade: websocket\r\nSec-WebSocket-Extensions: permessage-deflate\r\n"
        )
        socket.notes = [.webSocket]
        let message = { (number: Int64, kind: WebSocketMessage.Kind, bytes: [UInt8]) in
            var message = WebSocketMessage(
                exchange: ExchangeID(rawValue: 5),
                number: number,
                sender: number.isMultiple(of: 2) ? .server : .client,
                kind: kind,
                started: ConsoleStage.epoch
            )
            message.inline = bytes
            (message.length, message.capturedLength) = (Int64(bytes.count) + 4, Int64(bytes.count) + 4)
            message.isComplete = true
            message.detail = "said"
            return message
        }
        let running = try ExchangeRecord.sample(6, type: "text/event-stream")
        var open = running
        open.outcome = nil
        open.timings.ended = nil
        open.response?.body.isComplete = false
        return [
            .flow(flow), .bodyPart(plain.id, .response, Array(repeating: 0x41, count: 20)), .exchange(plain),
            .flow(.sample(3, failed: true)), .flow(.sample(4, treatment: .passedThrough)), .exchange(socket),
            .webSocketMessage(message(1, .text, Array("hello".utf8))),
            .webSocketPart(socket.id, number: 1, Array("more".utf8)),
            .webSocketMessage(message(2, .close, [0x03, 0xe8])),
            .webSocketPart(socket.id, number: 2, [1, 2, 3, 4]),
            .bodyPiece(open.id, .response, Array("data: x\n\n".utf8), ConsoleStage.epoch + .milliseconds(7)),
            .exchange(open),
        ]
    }
}
