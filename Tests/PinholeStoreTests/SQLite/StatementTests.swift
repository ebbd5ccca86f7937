import PinholeTestKit
import Testing

@testable import PinholeStore

@Suite("Statement")
struct StatementTests {
    /// A value of a column, with its bytes copied.
    private enum Copy: Equatable {
        case null
        case number(Int64)
        case real(Double)
        case text([UInt8])
        case blob([UInt8])

        init(_ value: ColumnValue) {
            self =
                switch value {
                case .null: .null
                case .number(let number): .number(number)
                case .real(let number): .real(number)
                case .text(let bytes): .text(Array(bytes))
                case .blob(let bytes): .blob(Array(bytes))
                }
        }
    }

    private let database: Database

    init() throws {
        database = try Database(path: ":memory:")
        try database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a, b NOT NULL DEFAULT 0)")
    }

    private func rows(_ sql: String) throws -> [[Copy]] {
        let statement = try database.statement(sql)
        var rows: [[Copy]] = []
        while try statement.step() { rows.append((0...2).map { Copy(statement.column($0)) }) }
        return rows
    }

    @Test("a column has the type that SQLite stored the value with")
    func columns() throws {
        let found = try rows("SELECT 1, 1.5, 'é' UNION ALL SELECT NULL, x'00ff', ''")
        #expect(
            found == [
                [.number(1), .real(1.5), .text(Array("é".utf8))], [.null, .blob([0, 0xff]), .text([])],
            ]
        )
        #expect(
            try rows("SELECT 9223372036854775807, -9223372036854775808, x''") == [
                [.number(.max), .number(.min), .blob([])]
            ]
        )
    }

    @Test("bound values are read unchanged: numbers, texts with any characters, blobs, and NULL")
    func values() throws {
        let insert = try database.statement("INSERT INTO t VALUES (?, ?, ?)", isKept: true)
        let texts = [
            "", "a", "fifteen bytes..", "sixteen bytes...", "a\u{0}b", "\u{1F600}", "'; DROP TABLE t",
        ]
        for (index, text) in texts.enumerated() {
            insert.bind(Int64(index))
            insert.bind(text)
            insert.bind([UInt8](text.utf8) + [0xff])
            try insert.run()
        }
        insert.bind(Int64.min)
        insert.bind(nil as String?)
        insert.bind(Int64.max)
        try insert.run()
        let expected = texts.enumerated().map { index, text -> [Copy] in
            [.number(Int64(index)), .text(Array(text.utf8)), .blob(Array(text.utf8) + [0xff])]
        }
        #expect(
            try rows("SELECT * FROM t ORDER BY id") == [[.number(.min), .null, .number(.max)]] + expected
        )
    }

    @Test("an array without bytes is NULL, and so is a missing number", arguments: [nil, 7] as [Int64?])
    func missing(_ number: Int64?) throws {
        let statement = try database.statement("SELECT ?, ?, 1")
        statement.bind(number)
        statement.bind([] as [UInt8])
        #expect(try statement.step())
        #expect(Copy(statement.column(0)) == (number.map { .number($0) } ?? .null))
        #expect(Copy(statement.column(1)) == .null)
    }

    @Test("a value of the row before is not left behind")
    func leftover() throws {
        let statement = try database.statement("SELECT ?, ?, ?", isKept: true)
        statement.bind([.number(1), .text("x"), .number(2)])
        #expect(try statement.step())
        statement.reset()
        statement.bind(3)
        #expect(try statement.step())
        #expect((0...2).map { Copy(statement.column($0)) } == [.number(3), .null, .null])
    }

    @Test("rows of any size are bound, one after the other")
    func sizes() throws {
        let insert = try database.statement("INSERT INTO t VALUES (?, ?, ?)", isKept: true)
        var random = SeededRandom(seed: 7)
        var expected: [[Copy]] = []
        for id in 0..<200 as Range<Int64> {
            let counts = (0...1).map { _ in
                Int.random(in: 1...Int.random(in: 1...150_000, using: &random), using: &random)
            }
            let blob = (0..<counts[0]).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(id)) }
            let text = String(repeating: "é", count: counts[1])
            insert.bind(id)
            insert.bind(text)
            insert.bind(blob)
            try insert.run()
            expected.append([.number(id), .text(Array(text.utf8)), .blob(blob)])
        }
        #expect(try rows("SELECT * FROM t ORDER BY id") == expected)
    }

    @Test("a statement runs again after an error, with other values")
    func afterError() throws {
        let insert = try database.statement("INSERT INTO t VALUES (?, ?, ?)", isKept: true)
        insert.bind([.number(1), .text("one"), .text("1")])
        try insert.run()
        insert.bind([.number(1), .text("again"), .text("1")])
        let repeated = #expect(throws: DatabaseError.self) { try insert.run() }
        #expect(repeated?.message == "UNIQUE constraint failed: t.id")
        #expect(repeated?.kind == .constraint)
        insert.bind([.number(2), .text("two"), .null])
        #expect(throws: DatabaseError.self) { try insert.run() }
        insert.bind([.number(2), .text("two"), .text("2")])
        try insert.run()
        #expect(try database.number("t", "SELECT count(*) FROM t") == 2)
        #expect(
            try database.rows("t", "SELECT a FROM t ORDER BY id") { row in try row.text(0) } == [
                "one", "two",
            ]
        )
    }

    @Test(
        "a text of a database in UTF-16 is read in UTF-8, by filters too",
        arguments: ["UTF-16le", "UTF-16be"]
    )
    func otherEncoding(name: String) throws {
        let database = try Database(path: ":memory:")
        try database.execute("PRAGMA encoding = '\(name)'; CREATE TABLE t(id INTEGER PRIMARY KEY, a)")
        try database.execute("INSERT INTO t(a) VALUES (?)", [.text("é.example:8080")])
        try database.execute("INSERT INTO t(a) VALUES ('')")
        let texts = try database.rows("t", "SELECT a FROM t ORDER BY id") { try $0.text(0) }
        #expect(texts == ["é.example:8080", ""])
        try FilterFunctions.add(to: database)
        let port = FilterFunctions.port(default: "443")
        let sql = "SELECT \(port) FROM (SELECT a AS authority FROM t WHERE id = 1)"
        #expect(try database.number("t", sql) == 8080)
    }

    @Test("a value that SQLite refuses is an error of the row, and no NULL")
    func refusedValue() throws {
        try database.distrust("t")
        let insert = try database.statement("INSERT INTO t(id, a) VALUES (?, ?)", isKept: true)
        insert.bind(1)
        insert.bind([UInt8](repeating: 0, count: 17 << 20))
        let error = #expect(throws: DatabaseError.self) { try insert.run() }
        #expect(error?.message == "string or blob too big")
        insert.bind(1)
        let last = #expect(throws: DatabaseError.self) {
            try insert.run(with: [UInt8](repeating: 0, count: 17 << 20))
        }
        #expect(last == error)
        #expect(try database.number("t", "SELECT count(*) FROM t") == 0)
        insert.bind(1)
        try insert.run(with: [1, 2])
        #expect(try rows("SELECT * FROM t") == [[.number(1), .blob([1, 2]), .number(0)]])
    }

    @Test(
        "a text that is no SQL is an error",
        arguments: ["SELEC 1", "SELECT a FROM missing", "SELECT \"misspelt\" FROM t"]
    )
    func noStatement(_ sql: String) throws {
        let error = #expect(throws: DatabaseError.self) { try database.statement(sql) }
        #expect(error?.message.isEmpty == false)
        #expect(error?.description == error?.message)
    }
}
