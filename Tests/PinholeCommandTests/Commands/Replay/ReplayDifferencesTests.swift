import PinholeModel
import Testing

@testable import PinholeCommand

@Suite("ReplayDifferences")
struct ReplayDifferencesTests {
    private func message(_ status: Int, _ fields: String, _ body: String?) -> ReplayDifferences.Message {
        .init(
            status: status,
            fields: HeaderFields(section: Array(fields.utf8)),
            body: body.map { Array($0.utf8) }
        )
    }

    @Test("what is new in every answer is no difference")
    func same() {
        let texts = ReplayDifferences(
            recorded: message(200, "Date: a\r\nSet-Cookie: s=1; Path=/\r\nX: 1\r\nX: 2\r\n\r\n", "body"),
            answer: message(
                200,
                "x: 1\r\nX: 2\r\ndate: b\r\nset-cookie: s=2; Path=/\r\nage: 3\r\n\r\n",
                "body"
            )
        ).texts
        #expect(texts == [])
    }

    @Test("status, fields and body are told")
    func different() {
        let texts = ReplayDifferences(
            recorded: message(200, "A: 1\r\nB: 1\r\n\r\n", "body"),
            answer: message(500, "B: 2\r\nC: 1\r\n\r\n", "born!")
        ).texts
        #expect(
            texts == [
                "status 200, now 500", "no a", "b “1”, now “2”", "c “1” is new",
                "body: 4 bytes, now 5, the same up to 2",
            ]
        )
        let bytes = ReplayDifferences(
            recorded: message(200, "\r\n", "abc"),
            answer: message(200, "\r\n", "axc")
        )
        #expect(bytes.texts == ["body: other bytes from 1 on"])
        let part = ReplayDifferences(recorded: message(200, "\r\n", nil), answer: message(200, "\r\n", "a"))
        #expect(part.texts == ["the recorded body is not whole"])
    }
}
