import PinholeModel
import Testing

@testable import PinholeFilter

@Suite("Words for types")
struct TypeWordTests {
    @Test(
        "lists show the words, and filters take them",
        arguments: [
            ("text/html; charset=utf-8", "html", ["html", "text", "text/html"]),
            ("application/json", "json", ["json", "application/json"]),
            ("application/problem+json", "problem+json", ["problem+json", "json"]),
            ("text/javascript", "js", ["js", "text/javascript"]),
            ("application/x-javascript", "js", ["js"]),
            ("text/css", "css", ["css"]),
            ("IMAGE/PNG", "image/png", ["image/png", "image"]),
            ("font/woff2", "font/woff2", ["font"]),
            ("application/x-www-form-urlencoded", "www-form-urlencoded", ["www-form-urlencoded"]),
            ("image/svg+xml", "image/svg+xml", ["image", "xml"]),
            ("nothing", "nothing", ["nothing"]),
        ]
    )
    func words(value: String, shown: String, accepted: [String]) throws {
        #expect(TypeWord.shown(for: value) == shown)
        for word in accepted + [shown, value] {
            for filter in ["type == \"\(word)\"", "type ~ \"\(word)\"", "type ~ \"\(word)*\""] {
                let law = try Filter(filter)
                #expect(try Self.holds(law, value), "\(filter) for \(value)")
            }
        }
        let other = try Filter("type == else")
        #expect(try !Self.holds(other, value))
    }

    @Test("an expression of mitmproxy's is looked for in the value alone")
    func expressions() throws {
        let (word, value) = (try Filter("~t ^js$"), try Filter("~t javascript"))
        #expect(try !Self.holds(word, "text/javascript"))
        #expect(try Self.holds(value, "text/javascript"))
    }

    private static func holds(_ filter: Filter, _ value: String) throws -> Bool {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: 1),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("a.test:443"),
            method: "GET",
            path: "/",
            request: MessageRecord(head: Array("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8)),
            timings: ExchangeTimings(started: Timestamp(seconds: 0))
        )
        record.response = MessageRecord(head: Array("HTTP/1.1 200 OK\r\nContent-Type: \(value)\r\n\r\n".utf8))
        record.status = 200
        record.outcome = .completed
        var judge = FilterJudge(filter)
        var facts = RecordFacts(exchange: record, flow: nil)
        return judge.judge(&facts) == .yes
    }
}

@Suite("Filters near to a filter without matches")
struct LooserFilterTests {
    @Test(
        "suggested filters search within values, or leave out a condition",
        arguments: [
            ("host == shop", ["host contains shop", "url contains shop"]),
            ("path ~ /a*b", ["path contains /a", "url contains /a"]),
            ("host == api.test & method == PUT", ["host contains api.test & method contains PUT"]),
            ("method == TLS", ["tls.failed"]), ("method == tunnel", ["relayed"]),
            ("status == 404 & host ~ x", ["host contains x", "status == 404"]),
            ("teapot", ["url contains teapot", "body contains teapot"]),
            ("404", ["url contains 404", "body contains 404"]),
            ("POST", ["url contains POST", "body contains POST"]),
            (
                "teapot status == 200",
                ["url contains teapot & status == 200", "body contains teapot & status == 200"]
            ),
            (#"a\.b"#, []), ("outcome == completed", []), ("all", []), ("a | b", []),
        ]
    )
    func looser(text: String, expected: [String]) throws {
        let looser = try Filter(text).looser.map(\.description)
        #expect(looser.prefix(expected.count).elementsEqual(expected), "\(looser)")
        #expect(looser.count <= 6)
        for text in looser {
            let again = try Filter(text).description
            #expect(again == text)
        }
    }
}
