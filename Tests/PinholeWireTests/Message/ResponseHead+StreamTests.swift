import PinholeModel
import Testing

@testable import PinholeWire

@Suite("ResponseHead: HTTP/2")
struct ResponseHeadStreamTests {
    private func head(_ pairs: [(String, String)]) throws(StreamHeadFailure) -> ResponseHead {
        var fields = HeaderFields()
        for (name, value) in pairs { fields.append(name, value) }
        return try ResponseHead(stream: fields, endsStream: false)
    }

    private func lines(_ fields: HeaderFields) -> [String] { fields.pairs.map { "\($0.name): \($0.value)" } }

    @Test("reads the status, and records the fields as they came")
    func reads() throws {
        let head = try head([(":status", "204"), ("x", "1"), ("x", "2")])
        #expect(head.status == 204 && !head.isInformational)
        #expect(
            String(decoding: head.recorded, as: UTF8.self)
                == "HTTP/2 204\r\n:status: 204\r\nx: 1\r\nx: 2\r\n\r\n"
        )
    }

    @Test("refuses a status that is none, and 101", arguments: ["", "20", "2000", "abc", "099", "101"])
    func badStatus(status: String) {
        #expect(throws: StreamHeadFailure.self) { try head([(":status", status)]) }
    }

    @Test("becomes HTTP/1, framed as its client can read it")
    func toHTTP1() throws {
        let open = try head([(":status", "200"), ("x", "1")])
        let chunked = open.http1(to: "GET", version: .http11, isComplete: false)
        #expect(chunked.framing == .chunked && chunked.reason == "OK")
        #expect(lines(chunked.fields) == ["x: 1", "Transfer-Encoding: chunked"])
        #expect(open.http1(to: "GET", version: .http10, isComplete: false).framing == .untilClose)
        #expect(open.http1(to: "GET", version: .http11, isComplete: true).framing == .length(0))
        #expect(open.http1(to: "HEAD", version: .http11, isComplete: true).framing == BodyFraming.none)
        let sized = try head([(":status", "200"), ("content-length", "3")])
        #expect(sized.http1(to: "GET", version: .http10, isComplete: false).framing == .length(3))
        let cached = try head([(":status", "304"), ("content-length", "3")])
        #expect(cached.http1(to: "GET", version: .http11, isComplete: true).framing == BodyFraming.none)
    }

    @Test("comes from HTTP/1 without fields of the connection, with one length")
    func fromHTTP1() throws {
        var reader = HTTP1Reader(reading: .responses, limits: Limits())
        reader.expectResponse(toMethod: "GET")
        let text =
            "HTTP/1.1 200 Fine\r\nConnection: X-Gone\r\nX-Gone: 1\r\nContent-Length: 2, 2\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n\r\n"
        var input = ByteQueue(Array(text.utf8))
        guard case .response(let http1)? = try reader.next(&input) else {
            Issue.record("there is a response")
            return
        }
        let head = http1.http2()
        #expect(
            lines(head.fields) == [":status: 200", "set-cookie: a", "set-cookie: b", "content-length: 2"]
        )
        #expect(head.recorded == http1.raw)
    }

    @Test("loses Alt-Svc, and records that it was there")
    func altSvc() throws {
        let head = try head([(":status", "200"), ("alt-svc", "h3=\":443\""), ("x", "1")])
        let stripped = try #require(head.withoutAltSvc())
        #expect(lines(stripped.fields) == [":status: 200", "x: 1"])
        #expect(stripped.recorded == head.recorded)
        #expect(try self.head([(":status", "200")]).withoutAltSvc() == nil)
    }

    @Test("gives the phrases of RFC 9110, and none for an unknown status")
    func phrases() {
        #expect(ReasonPhrase.of(404) == "Not Found" && ReasonPhrase.of(599) == "")
    }
}
