import GRDB
import Testing

@testable import PinholeStore

@Suite("FilterFunctions")
struct FilterFunctionsTests {
    private func connection() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { db in try FilterFunctions.add(to: db) }
        return try DatabaseQueue(configuration: configuration)
    }

    @Test(
        "the port is what is written behind the host, or the one that is meant",
        arguments: [
            ("a.test", 443), ("a.test:8443", 8443), ("[2001:db8::1]", 443), ("[2001:db8::1]:80", 80),
            ("192.0.2.1:1", 1), ("a.test:", 443), ("a.test:80x", 443), ("", 443), (nil, nil),
            ("a.test:99999999999999999999999", 443),
        ] as [(String?, Int64?)]
    )
    func port(_ authority: String?, _ expected: Int64?) throws {
        let port = FilterFunctions.port(default: "443")
        let found = try connection().read { db in
            try Int64.fetchOne(db, sql: "SELECT \(port) FROM (SELECT ? AS authority)", arguments: [authority])
        }
        #expect(found == expected)
    }

    @Test("a view in the file cannot call them")
    func directOnly() throws {
        try connection().write { db in
            try db.execute(
                sql:
                    "CREATE VIEW trap AS SELECT \(FilterFunctions.port(default: "1")) FROM (SELECT '' AS authority)"
            )
            #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: "SELECT * FROM trap") }
        }
    }
}
