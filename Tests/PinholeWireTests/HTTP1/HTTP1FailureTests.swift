import PinholeWire
import Testing

@Suite("HTTP1Failure")
struct HTTP1FailureTests {
    @Test("quotes the received text, escaped and shortened")
    func excerpt() {
        #expect(
            HTTP1Failure.excerpt(Array("a\r\n\t\\\0\u{7f}é".utf8)) == "“a\\r\\n\\t\\\\\\x00\\x7f\\xc3\\xa9”"
        )
        let long = HTTP1Failure.excerpt([UInt8](repeating: 0x61, count: 61))
        #expect(long == "“\(String(repeating: "a", count: 60))…”")
    }

    @Test("maps every code to a status", arguments: HTTP1Failure.Code.allCases)
    func statuses(code: HTTP1Failure.Code) {
        let request = HTTP1Failure(.peer, code, in: .request, "Why.")
        #expect([400, 408, 414, 431, 501, 505].contains(request.status))
        #expect(HTTP1Failure(.peer, code, in: .response, "Why.").status == 502)
        #expect("\(request)" == "Why.")
    }
}
