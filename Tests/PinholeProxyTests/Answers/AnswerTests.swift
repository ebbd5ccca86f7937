import PinholeModel
import Testing

@testable import PinholeProxy

@Suite("Answer")
struct AnswerTests {
    @Test("writes its head with its length", arguments: [true, false])
    func head(closing: Bool) {
        let answer = Answer(status: 502, fields: [.init("A", "b")], body: [1, 2, 3], reason: "")
        #expect(
            String(decoding: answer.head(closing: closing), as: UTF8.self)
                == "HTTP/1.1 502 Bad Gateway\r\nA: b\r\nContent-Length: 3\r\n\(closing ? "Connection: close\r\n" : "")\r\n"
        )
    }

    @Test("has a phrase for every status that the proxy gives")
    func phrases() {
        for status in [200, 400, 403, 404, 405, 407, 408, 414, 431, 501, 502, 503, 504, 505, 508] {
            let head = String(
                decoding: Answer(status: status, body: [], reason: "").head(closing: false),
                as: UTF8.self
            )
            #expect(!head.contains("\(status) Error"))
        }
    }
}
