import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeWire
import Testing

@testable import PinholeProxy

@Suite("RuleResponse: content of another status")
struct RuleResponseContentTests {
    private static let validated = [
        ("ETag", "\"a\""), ("Content-Length", "1234"), ("Content-Encoding", "gzip"), ("A", "b"),
    ]

    private func fields(_ lines: [(String, String)]) -> HeaderFields {
        var fields = HeaderFields()
        for (name, value) in lines { fields.append(name, value) }
        return fields
    }

    private func head(_ status: Int, _ framing: BodyFraming = .none) -> ResponseHead {
        ResponseHead(status: status, reason: "", fields: fields(Self.validated), framing: framing)
    }

    @Test(
        "304 and 204 become an empty response, not the validator's response",
        arguments: [304, 204]
    )
    func emptied(status: Int) {
        let head = head(status)
        let made = head.restated(200, head.fields, to: "GET")
        #expect(made.framing == .length(0))
        #expect(made.fields == fields([("A", "b"), ("Content-Length", "0")]))
        let stream = head.http2().restated(200, head.http2().fields, to: "GET")
        #expect(stream.contentLength == 0 && stream.fields.first("etag") == nil)
        #expect(stream.fields.first("content-encoding") == nil && stream.status == 200)
    }

    @Test("a validator that a rule writes stays")
    func ownValidator() {
        let head = head(304)
        let changed = fields([("ETag", "\"mine\""), ("Content-Length", "1234")])
        #expect(
            head.restated(200, changed, to: "GET").fields
                == fields([("ETag", "\"mine\""), ("Content-Length", "0")])
        )
    }

    @Test("a response that becomes 204 or 304 has neither content nor a length")
    func withoutContent() {
        let head = head(200, .length(1234))
        for status in [204, 304] {
            let made = head.restated(status, head.fields, to: "GET")
            #expect(made.framing == BodyFraming.none)
            #expect(made.fields == fields([("ETag", "\"a\""), ("A", "b")]))
        }
        let none = self.head(304)
        #expect(none.restated(204, none.fields, to: "GET").fields.first("content-length") == nil)
        #expect(none.restated(204, none.fields, to: "HEAD").fields.first("content-length") == nil)
    }

    @Test("the answer to HEAD keeps its fields, and a response with its old status is unchanged")
    func unchanged() {
        let head = head(304)
        #expect(head.restated(200, head.fields, to: "HEAD").fields == head.fields)
        #expect(head.restated(200, head.fields, to: "HEAD").framing == BodyFraming.none)
        #expect(head.restated(304, head.fields, to: "GET").fields == head.fields)
        let whole = self.head(200, .length(1234))
        #expect(whole.restated(201, whole.fields, to: "GET").framing == .length(1234))
    }

    @Test(
        "the client gets an end, whatever each side speaks",
        arguments: [(true, true), (true, false), (false, true)],
        [#"{"do": "rewriteResponse", "status": 200}"#, #"{"do": "breakpoint", "at": "response"}"#]
    )
    func passed(pair: (client: Bool, server: Bool), rule: String) throws {
        let rules = RuleBook(try RuleSet(JSONValue(parsing: Array("[\(rule)]".utf8)), path: "rules"))
        let server = ConversationHarness.Peer(pair.server ? .server : nil)
        let answer = [(":status", "304"), ("etag", "\"a\""), ("content-length", "1234")]
        server.react = { server, event in
            guard case .request(let stream, _, _) = event else { return }
            _ = try? server.session?.respond(self.fields(answer), on: stream, endsStream: true)
        }
        server.reactToText = {
            $0.sent.append("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nContent-Length: 1234\r\n\r\n")
        }
        let harness = try ConversationHarness(client: pair.client ? .client : nil, server: server) {
            $0.rules = rules
        }
        harness.onConsult = { question in
            guard case .message = question else { return nil }
            var change = MessageChange()
            change.status = 200
            return .change(change)
        }
        if let session = harness.client.session {
            let request = fields([
                (":method", "GET"), (":scheme", "http"), (":authority", "www.example.com:443"),
                (":path", "/"),
            ])
            let stream = try session.request(request, endsStream: true)
            harness.pump()
            let head = fields([(":status", "200"), ("content-length", "0")])
            #expect(harness.client.events.contains(.response(stream, head, endsStream: true)))
        } else {
            for _ in 0..<2 {
                harness.client.text = ""
                harness.client.sent.append("GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
                harness.pump()
                #expect(harness.client.text == "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
            }
        }
        #expect(harness.exchanges.last?.outcome == .completed)
    }
}
