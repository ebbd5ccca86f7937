import Testing

@testable import PinholeStore

@Suite("FilterFunctions")
struct FilterFunctionsTests {
    private func connection() throws -> Database {
        let database = try Database(path: ":memory:")
        try FilterFunctions.add(to: database)
        return database
    }

    @Test(
        "the port is the written one, or the default",
        arguments: [
            ("a.test", 443), ("a.test:8443", 8443), ("[2001:db8::1]", 443), ("[2001:db8::1]:80", 80),
            ("192.0.2.1:1", 1), ("a.test:", 443), ("a.test:80x", 443), ("", 443), (nil, nil),
            ("a.test:99999999999999999999999", 443),
        ] as [(String?, Int64?)]
    )
    func port(_ authority: String?, _ expected: Int64?) throws {
        let port = FilterFunctions.port(default: "443")
        let sql = "SELECT \(port) FROM (SELECT ? AS authority)"
        let found = try connection().number("", sql, [authority.map(SQLValue.text) ?? .null])
        #expect(found == expected)
    }

    @Test("a view in the file cannot call them")
    func directOnly() throws {
        let database = try connection()
        let port = FilterFunctions.port(default: "1")
        try database.execute("CREATE VIEW trap AS SELECT \(port) FROM (SELECT '' AS authority)")
        #expect(throws: DatabaseError.self) { try database.execute("SELECT * FROM trap") }
    }
}
