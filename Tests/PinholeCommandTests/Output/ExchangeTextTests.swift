import PinholeModel
import Testing

@testable import PinholeCommand

@Suite("ExchangeText")
struct ExchangeTextTests {
    @Test(
        "a body is decoded once, by the charset of its type or of the document",
        arguments: [
            ("text/xml", #"<?xml version="1.0" encoding="ISO-8859-1"?><a>"#, [0xe9] as [UInt8], "</a>", "é"),
            ("text/html", "<meta charset=windows-1251><p>", [0xcf, 0xf0], "</p>", "Пр"),
            ("text/plain; charset=iso-8859-1", "caf", [0xe9], "", "café"),
        ],
        [nil, 80]
    )
    func charset(
        body: (type: String, before: String, bytes: [UInt8], after: String, expected: String),
        width: Int?
    ) throws {
        let started = Timestamp(seconds: 1_700_000_000)
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: 1),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("a.test", defaultPort: 443),
            method: "GET",
            path: "/",
            request: MessageRecord(head: Array("GET / HTTP/1.1\r\n\r\n".utf8)),
            timings: ExchangeTimings(started: started)
        )
        record.status = 200
        record.response = MessageRecord(
            head: Array("HTTP/1.1 200 OK\r\nContent-Type: \(body.type)\r\n\r\n".utf8)
        )
        let text = ExchangeText(
            record: record,
            request: [],
            response: Array(body.before.utf8) + body.bytes + Array(body.after.utf8),
            setUpBefore: nil,
            stream: nil,
            style: .plain,
            width: width
        )
        #expect(text.lines.contains { $0.contains(body.expected) }, "\(text.lines)")
    }
}
