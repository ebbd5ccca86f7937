import PinholeModel
import PinholeWire
import Testing

@Suite("HTTP1Writer")
struct HTTP1WriterTests {
    private static func request(_ text: String) throws -> RequestHead {
        let run = ReaderRun(text)
        if let failure = run.failure { throw failure }
        return try #require(run.requests.first)
    }

    private static func response(_ text: String, method: String = "GET") throws -> ResponseHead {
        let run = ReaderRun(text, methods: [method])
        if let failure = run.failure, failure.code != .truncated { throw failure }
        return try #require(run.responses.first)
    }

    private static func written(
        _ body: (inout ByteQueue) throws -> Void
    ) throws -> String {
        var output = ByteQueue()
        try body(&output)
        return String(decoding: output.prefix(), as: UTF8.self)
    }

    @Test(
        "forwards a request without fields for the proxy",
        arguments: [
            (
                "GET /a HTTP/1.1\r\nhost: b\r\nX-y:  z \r\n\r\n",
                "GET /a HTTP/1.1\r\nhost: b\r\nX-y:  z \r\n\r\n"
            ),
            (
                "GET http://b:81/a?c HTTP/1.1\r\nHost: B:81\r\nProxy-Connection: keep-alive\r\n\r\n",
                "GET /a?c HTTP/1.1\r\nHost: B:81\r\n\r\n"
            ),
            ("GET http://b?c HTTP/1.1\r\nHost: b\r\n\r\n", "GET /?c HTTP/1.1\r\nHost: b\r\n\r\n"),
            ("GET http://b HTTP/1.0\r\n\r\n", "GET / HTTP/1.0\r\nHost: b\r\n\r\n"),
            ("OPTIONS http://b:8 HTTP/1.1\r\nHost: b:8\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: b:8\r\n\r\n"),
            ("CONNECT b:8 HTTP/1.1\r\nHost: b:8\r\n\r\n", "CONNECT b:8 HTTP/1.1\r\nHost: b:8\r\n\r\n"),
            (
                """
                GET / HTTP/1.1\r\nHost: b\r\nConnection: close, X-Own\r\nX-Own: 1\r\nKeep-Alive: timeout=5\r\n\
                Proxy-Authorization: Basic eA==\r\nTE: gzip\r\nUpgrade: x\r\nAuthorization: Basic eA==\r\n\r\n
                """,
                "GET / HTTP/1.1\r\nHost: b\r\nAuthorization: Basic eA==\r\n\r\n"
            ),
            (
                "GET / HTTP/1.1\r\nHost: b\r\nTE: trailers\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: b\r\nTE: trailers\r\nConnection: TE\r\n\r\n"
            ),
            (
                "GET / HTTP/1.1\r\nHost: b\r\nTE: trailers, deflate\r\nConnection: TE\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: b\r\nTE: trailers\r\nConnection: TE\r\n\r\n"
            ),
            (
                "GET / HTTP/1.1\r\nHost: b\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: b\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
            ),
            (
                """
                GET / HTTP/1.1\r\nHost: b\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\
                HTTP2-Settings: AAMAAABk\r\n\r\n
                """,
                "GET / HTTP/1.1\r\nHost: b\r\n\r\n"
            ),
            (
                """
                PUT / HTTP/1.1\r\nHost: b\r\nConnection: Host, Content-Length, Cookie\r\nCookie: a\r\n\
                Content-Length: 0\r\n\r\n
                """,
                "PUT / HTTP/1.1\r\nHost: b\r\nCookie: a\r\nContent-Length: 0\r\n\r\n"
            ),
            (
                "PUT / HTTP/1.1\r\nHost: b\r\nContent-Length: 0, 0\r\nContent-Length: 00\r\nX: y\r\n\r\n",
                "PUT / HTTP/1.1\r\nHost: b\r\nX: y\r\nContent-Length: 0\r\n\r\n"
            ),
        ]
    )
    func requests(text: String, expected: String) throws {
        let head = try Self.request(text)
        #expect(try Self.written { try HTTP1Writer.write(request: head, into: &$0) } == expected)
    }

    @Test(
        "writes a head that a reader has checked as it writes the same head from elsewhere",
        arguments: [
            "GET /a?b HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://a/b HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n",
            "GET http://a HTTP/1.0\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.0\r\nHost: a\r\nConnection: close\r\n\r\n",
            "GET / HTTP/1.7\r\nHost: a\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nConnection: x\r\nHost: a\r\nX: y\r\n\r\n",
            "GET / HTTP/1.1\r\nKeep-Alive: 1\r\nHost: a\r\nTE: trailers\r\nConnection: TE\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: b\r\nConnection: Upgrade, close\r\nX: y\r\n\r\n",
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: , Chunked\r\n\r\n0\r\n\r\n",
            "PUT / HTTP/1.1\r\nContent-Length: 0, 0\r\nHost: a\r\n\r\n",
            "PUT / HTTP/1.1\r\nContent-Length: 00\r\nHost: a\r\nProxy-Authorization: b\r\n\r\n",
        ]
    )
    func sameRequest(text: String) throws {
        let head = try Self.request(text)
        let other = RequestHead(
            method: head.method,
            target: head.target,
            version: head.version,
            fields: head.fields,
            framing: head.framing
        )
        for authorization in [nil, "Basic eA=="] {
            let write = { (head: RequestHead) in
                try Self.written {
                    try HTTP1Writer.write(request: head, proxyAuthorization: authorization, into: &$0)
                }
            }
            #expect(try write(head) == write(other))
        }
    }

    @Test(
        "writes the head of an answer that a reader has checked as it writes the same head from elsewhere",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.3 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 204 \r\n\r\n",
            "HTTP/1.1 200\r\nX: y\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\nConnection: keep-alive\r\nContent-Length: 0\r\nKeep-Alive: a\r\nX: y\r\n\r\n",
            "HTTP/1.1 426 \r\nUpgrade: b\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nProxy-Authorization: a\r\nContent-Length: 0, 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nConnection: a, close\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ]
    )
    func sameResponse(text: String) throws {
        let head = try Self.response(text)
        let other = ResponseHead(
            status: head.status,
            reason: head.reason,
            version: head.version,
            fields: head.fields,
            framing: head.framing
        )
        for (closing, keepAlive) in [(true, false), (false, true), (false, false)]
        where closing || head.framing != .untilClose {
            let write = { (head: ResponseHead) in
                try Self.written {
                    try HTTP1Writer.write(
                        response: head,
                        closing: closing,
                        keepAliveForHTTP10: keepAlive,
                        into: &$0
                    )
                }
            }
            #expect(try write(head) == write(other))
        }
    }

    @Test("keeps transfer coding, since framing is forwarded too")
    func chunkedRequest() throws {
        let head = RequestHead(
            method: "PUT",
            target: .origin("/"),
            fields: HeaderFields(section: "Host: a\r\nTransfer-Encoding: Chunked\r\n".utf8),
            framing: .chunked
        )
        let text = try Self.written { try HTTP1Writer.write(request: head, into: &$0) }
        #expect(text == "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n")
    }

    @Test("writes bytes of the target that are no UTF-8 as they came")
    func rawTarget() throws {
        for (before, after) in [("/", "/"), ("http://a/", "/"), ("http://a?", "/?")] {
            let bytes =
                Array("GET \(before)".utf8) + [0xe4, 0xff] + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            let head = try #require(ReaderRun(bytes, chunk: 3).requests.first)
            var output = ByteQueue()
            try HTTP1Writer.write(request: head, into: &output)
            let expected =
                Array("GET \(after)".utf8) + [0xe4, 0xff] + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            #expect(output.prefix() == expected)
        }
        let line = Array("HTTP/1.1 200 ".utf8) + [0xe4, 0x80] + Array("\r\nContent-Length: 0\r\n\r\n".utf8)
        let head = try #require(ReaderRun(line, chunk: 3, methods: ["GET"]).responses.first)
        var output = ByteQueue()
        try HTTP1Writer.write(response: head, closing: false, into: &output)
        #expect(output.prefix() == line)
    }

    @Test("writes another target and a Host that was missing")
    func otherTarget() throws {
        let head = try Self.request("GET /a HTTP/1.0\r\n\r\n")
        let text = try Self.written {
            try HTTP1Writer.write(request: head, target: "http://b/a", host: "b", into: &$0)
        }
        #expect(text == "GET http://b/a HTTP/1.0\r\nHost: b\r\n\r\n")
    }

    @Test("forwards a response")
    func responses() throws {
        let rows: [(String, Bool, Bool, String)] = [
            (
                "HTTP/1.1 200 Fine \u{fc}\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\n", false,
                false,
                "HTTP/1.1 200 Fine \u{fc}\r\nContent-Length: 1\r\n\r\n"
            ),
            (
                "HTTP/1.1 200\r\nContent-Length: 1\r\nKeep-Alive: x\r\n\r\n", true, false,
                "HTTP/1.1 200 \r\nContent-Length: 1\r\nConnection: close\r\n\r\n"
            ),
            (
                "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\n", false, true,
                "HTTP/1.0 200 OK\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\n"
            ),
            ("HTTP/1.0 200 OK\r\n\r\n", true, false, "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\n"),
            ("HTTP/1.1 100 Continue\r\n\r\n", true, true, "HTTP/1.1 100 Continue\r\n\r\n"),
            (
                "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n", false, false,
                "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
            ),
            (
                "HTTP/1.1 200 X\r\nUpgrade: h2\r\nConnection: upgrade\r\nContent-Length: 0\r\n\r\n", false,
                false,
                "HTTP/1.1 200 X\r\nContent-Length: 0\r\n\r\n"
            ),
            (
                "HTTP/1.1 407 X\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n", false, false,
                "HTTP/1.1 407 X\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"
            ),
        ]
        for (text, closing, keepAlive, expected) in rows {
            let head = try Self.response(text)
            let came = try Self.written {
                try HTTP1Writer.write(
                    response: head,
                    closing: closing,
                    keepAliveForHTTP10: keepAlive,
                    into: &$0
                )
            }
            #expect(came == expected)
        }
    }

    @Test("refuses lines that would become two")
    func injection() throws {
        let evil = ["a\r\nX: y", "a\nX: y", "a\rX: y", "a\0", "a\u{1}"]
        for text in evil {
            var fields = HeaderFields()
            fields.append("Host", "a")
            fields.append("X", text)
            var named = HeaderFields()
            named.append("Host", "a")
            named.append(text, "b")
            let plain = HeaderFields(section: "Host: a\r\n".utf8)
            let heads = [
                RequestHead(method: "GET", target: .origin("/"), fields: fields),
                RequestHead(method: "GET", target: .origin("/"), fields: named),
                RequestHead(method: text, target: .origin("/"), fields: plain),
                RequestHead(method: "GET", target: .origin("/" + text), fields: plain),
            ]
            var output = ByteQueue()
            for head in heads {
                let failure = #expect(throws: HTTP1Failure.self) {
                    try HTTP1Writer.write(request: head, into: &output)
                }
                #expect(failure?.fault == .misuse)
            }
            let good = RequestHead(
                method: "GET",
                target: .origin("/"),
                version: .http10,
                fields: HeaderFields()
            )
            #expect(throws: HTTP1Failure.self) {
                try HTTP1Writer.write(request: good, target: text, into: &output)
            }
            #expect(throws: HTTP1Failure.self) {
                try HTTP1Writer.write(request: good, host: text, into: &output)
            }
            #expect(throws: HTTP1Failure.self) {
                let head = ResponseHead(status: 200, reason: text, fields: HeaderFields(), framing: .none)
                try HTTP1Writer.write(response: head, closing: false, into: &output)
            }
            #expect(throws: HTTP1Failure.self) {
                let head = ResponseHead(status: 200, reason: "", fields: fields, framing: .none)
                try HTTP1Writer.write(response: head, closing: false, into: &output)
            }
            #expect(throws: HTTP1Failure.self) { try HTTP1Writer.lastChunk(trailers: fields, into: &output) }
            #expect(output.isEmpty)
        }
    }

    @Test(
        "refuses recorded lines that are none",
        arguments: ["X: a\n", "X: a", "X : a\r\n", ": a\r\n", "X\u{0}: a\r\n"]
    )
    func badLines(line: String) {
        let head = RequestHead(
            method: "GET",
            target: .origin("/"),
            fields: HeaderFields(section: "Host: a\r\n\(line)".utf8)
        )
        var output = ByteQueue()
        #expect(throws: HTTP1Failure.self) { try HTTP1Writer.write(request: head, into: &output) }
        #expect(output.isEmpty)
    }

    @Test("refuses fields that contradict the framing")
    func framing() {
        let rows: [(String, BodyFraming)] = [
            ("", .length(5)), ("", .chunked), ("Content-Length: 5\r\n", .none),
            ("Content-Length: 5\r\n", .length(6)), ("Transfer-Encoding: chunked\r\n", .none),
            ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", .chunked),
            ("Content-Length: 5\r\n", .chunked), ("", .untilClose), ("Host: a\r\n", .none),
            ("Transfer-Encoding: gzip, chunked\r\n", .chunked),
        ]
        var output = ByteQueue()
        for (section, framing) in rows {
            let fields = HeaderFields(section: ("Host: a\r\n" + section).utf8)
            let head = RequestHead(method: "PUT", target: .origin("/"), fields: fields, framing: framing)
            #expect(throws: HTTP1Failure.self) { try HTTP1Writer.write(request: head, into: &output) }
        }
        let bare = ResponseHead(status: 200, reason: "OK", fields: HeaderFields(), framing: .untilClose)
        #expect(throws: HTTP1Failure.self) {
            try HTTP1Writer.write(response: bare, closing: false, into: &output)
        }
        let empty = RequestHead(method: "GET", target: .origin("/"), fields: HeaderFields())
        #expect(throws: HTTP1Failure.self) { try HTTP1Writer.write(request: empty, into: &output) }
        #expect(output.isEmpty)
    }

    @Test("writes chunks and trailers that are read again")
    func chunks() throws {
        let head = ResponseHead(
            status: 200,
            reason: "OK",
            fields: HeaderFields(section: "Transfer-Encoding: chunked\r\n".utf8),
            framing: .chunked
        )
        var trailers = HeaderFields()
        trailers.append("Checksum", "1")
        var output = ByteQueue()
        try HTTP1Writer.write(response: head, closing: false, into: &output)
        HTTP1Writer.chunkHeader(26, into: &output)
        output.append("abcdefghijklmnopqrstuvwxyz\r\n")
        try HTTP1Writer.lastChunk(trailers: trailers, into: &output)
        let run = ReaderRun(output.prefix(), chunk: 7, methods: ["GET"])
        #expect(run.failure == nil)
        #expect(run.body == "abcdefghijklmnopqrstuvwxyz")
        #expect(run.items.contains(.trailers(Array("Checksum: 1\r\n".utf8), trailers)))
        trailers.append("Content-Length", "1")
        #expect(throws: HTTP1Failure.self) { try HTTP1Writer.write(trailers: trailers, into: &output) }
    }

    @Test("removes Alt-Svc from the fields and keeps it in the received head")
    func altSvc() throws {
        let head = try Self.response(
            "HTTP/1.1 204 X\r\nalt-SVC: h3=\":443\"\r\nA: b\r\nAlt-Svc: clear\r\n\r\n"
        )
        let stripped = try #require(head.withoutAltSvc())
        #expect(stripped.withoutAltSvc() == nil)
        #expect(stripped.raw == head.raw)
        let text = try Self.written { try HTTP1Writer.write(response: stripped, closing: false, into: &$0) }
        #expect(text == "HTTP/1.1 204 X\r\nA: b\r\n\r\n")
    }

    @Test("lets a body of chunks end at the close for a client that knows no chunks")
    func withoutChunks() throws {
        let head = try Self.response("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n")
        let ending = head.withoutChunks()
        #expect(ending != head)
        #expect(ending.framing == .untilClose && ending.raw == head.raw)
        let text = try Self.written { try HTTP1Writer.write(response: ending, closing: true, into: &$0) }
        #expect(text == "HTTP/1.1 200 X\r\nA: b\r\nConnection: close\r\n\r\n")
    }

    @Test("decides whether the heads keep the connection open")
    func persistence() throws {
        let rows: [(String, Bool, Bool, Bool)] = [
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", true, false, false),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, CLOSE\r\n\r\n", false, false, false),
            ("GET / HTTP/1.0\r\nProxy-Connection: keep-alive\r\n\r\n", false, false, false),
            ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", true, false, false),
            ("GET / HTTP/1.0\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", false, false, false),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", true, false, true),
            ("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\n\r\n", true, false, false),
            ("GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", true, false, false),
        ]
        for (text, keepAlive, expects, upgrade) in rows {
            let head = try Self.request(text)
            #expect(head.isKeepAlive == keepAlive)
            #expect(head.expectsContinue == expects)
            #expect(head.upgrade == upgrade)
        }
        let put = RequestHead(
            method: "PUT",
            target: .origin("/"),
            fields: HeaderFields(section: "Host: a\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n".utf8),
            framing: .length(3)
        )
        #expect(put.expectsContinue)
    }
}
