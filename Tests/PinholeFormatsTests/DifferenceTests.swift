import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@testable import PinholeFormats

@Suite("Differences")
struct DifferenceTests {
    private static func facts(_ status: Int, _ fields: String, _ body: String?) -> MessageFacts {
        let fields = HeaderFields(section: Array(fields.utf8))
        var facts = MessageFacts()
        facts.add("status", String(status))
        facts.add(fields, namesCookiesOnly: true)
        if let body { facts.add(body: Array(body.utf8), fields) }
        return facts
    }

    private static func texts(_ before: MessageFacts, _ after: MessageFacts) -> [String] {
        FactDifference.all(before, after).map(\.text)
    }

    @Test("values that differ in every answer, and the values of cookies, are no difference")
    func same() {
        let before = Self.facts(200, "Date: a\r\nSet-Cookie: s=1; Path=/\r\nX: 1\r\nX: 2\r\n\r\n", "body")
        let after = Self.facts(
            200,
            "x: 1\r\nX: 2\r\ndate: b\r\nset-cookie: s=2; Path=/\r\nage: 3\r\n\r\n",
            "body"
        )
        #expect(Self.texts(before, after) == [])
    }

    @Test("differences of status, header fields and lines of text are listed")
    func text() {
        let before = Self.facts(200, "A: 1\r\nB: 1\r\n\r\n", "one\ntwo\nthree")
        let after = Self.facts(500, "B: 2\r\nC: 1\r\n\r\n", "one\n2\nthree\nfour")
        #expect(
            Self.texts(before, after) == [
                "status 200, now 500", "no header a (1)", "header b 1, now 2", "body line 2 two, now 2",
                "header c 1 is new", "body line 4 four is new",
            ]
        )
    }

    @Test("compares JSON value by value, in any order of members")
    func json() {
        let type = "Content-Type: application/json\r\n\r\n"
        let before = Self.facts(200, type, #"{"a":1,"list":[{"x":"1"},{"x":true}],"gone":null}"#)
        let after = Self.facts(200, type, #"{"list":[{"x":1},{"x":true}],"a":1.5,"new":[]}"#)
        #expect(
            Self.texts(before, after) == [
                "body .a 1, now 1.5", "no body .gone (null)", #"body .list[0].x "1", now 1"#,
                "body .new [] is new",
            ]
        )
    }

    @Test("numbers and letters are compared as they are written")
    func exact() {
        let type = "Content-Type: application/json\r\n\r\n"
        let pairs = [
            (#"{"a":12345678901234567890}"#, #"{"a":12345678901234567891}"#),
            (#"{"a":0.1234567890123456789}"#, #"{"a":0.12345678901234567891}"#),
            ("{\"a\":\"\u{e9}\"}", "{\"a\":\"e\u{301}\"}"), ("{\"\u{e9}\":1}", "{\"e\u{301}\":1}"),
        ]
        for (one, other) in pairs {
            let (before, after) = (Self.facts(200, type, one), Self.facts(200, type, other))
            #expect(!FactDifference.all(before, after).isEmpty, "\(one)")
            #expect(FactDifference.all(before, before).isEmpty)
        }
        #expect(
            !FactDifference.all(Self.facts(200, "\r\n", "\u{e9}"), Self.facts(200, "\r\n", "e\u{301}"))
                .isEmpty
        )
    }

    @Test("lines that end in CRLF are lines")
    func crlf() {
        let before = Self.facts(200, "\r\n", "one\r\ntwo\r\nthree")
        let after = Self.facts(200, "\r\n", "one\r\n2\r\nthree")
        #expect(FactDifference.all(before, after).map(\.name) == ["body line 2"])
    }

    @Test("forms and queries are compared name by name")
    func forms() {
        let type = "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        let before = Self.facts(200, type, "name=a+b&page=1")
        let after = Self.facts(200, type, "page=2&name=a%20b")
        #expect(Self.texts(before, after) == ["body form page 1, now 2"])
        var first = MessageFacts()
        first.add(target: "/a?x=1&x=2&y", server: "http://a.test")
        var second = MessageFacts()
        second.add(target: "/a?y&x=1&x=3", server: "http://b.test")
        #expect(
            Self.texts(first, second) == [
                "server http://a.test, now http://b.test", "query x 1, 2, now 1, 3",
            ]
        )
    }

    @Test("other bytes are compared as a whole, and a compressed body by its content")
    func bytes() {
        let before = Self.facts(200, "\r\n", "\u{0}a")
        let after = Self.facts(200, "\r\n", "\u{0}b")
        let differences = FactDifference.all(before, after)
        #expect(differences.map(\.name) == ["body"])
        let odd = Self.facts(200, "Content-Encoding: gzip\r\n\r\n", "no gzip")
        #expect(odd["body"]?.hasPrefix("7 bytes that cannot be decoded") == true)
    }

    private static func item(_ id: Int64, _ words: String) throws -> ExchangePair.Item {
        let parts = words.split(separator: " ").map(String.init)
        return ExchangePair.Item(
            id: ExchangeID(rawValue: id),
            method: parts[0],
            scheme: .http,
            authority: try Authority(parts[1], defaultPort: 80),
            target: parts[2]
        )
    }

    private static func pairs(_ before: [String], _ after: [String]) throws -> [[Int64?]] {
        let left = try before.enumerated().map { try item(Int64($0.offset + 1), $0.element) }
        let right = try after.enumerated().map { try item(Int64($0.offset + 1), $0.element) }
        return ExchangePair.all(left, right).map { [$0.before?.id.rawValue, $0.after?.id.rawValue] }
    }

    @Test("exchanges are paired by server, path and order, then without the server, then without identifiers")
    func pairing() throws {
        let before = [
            "GET a /x", "GET b /x", "GET a /x?again", "POST a /x", "GET a /orders/17", "GET a /gone",
        ]
        let after = ["GET b /x", "GET a /x", "GET c /x", "GET a /orders/3f2504e04f8911d39a0c0305e82c3301"]
        #expect(
            try Self.pairs(before, after) == [[1, 2], [2, 1], [3, 3], [4, nil], [5, 4], [6, nil]]
        )
        #expect(try Self.pairs([], ["GET a /"]) == [[nil, 1]])
    }

    @Test("the nearest request has the same method")
    func nearest() throws {
        let items = try [
            Self.item(1, "POST a /items"), Self.item(2, "GET a /item"), Self.item(3, "GET a /far/away"),
        ]
        let near = ExchangePair.Index(items).nearest(to: try Self.item(9, "GET a /items?x"))
        #expect(near?.id.rawValue == 2)
        #expect(ExchangePair.Index(items).nearest(to: try Self.item(9, "PUT a /items")) == nil)
    }
}
