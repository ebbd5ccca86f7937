import PinholeModel
import PinholeWire
import Testing

@Suite("HTTP1Reader")
struct HTTP1ReaderTests {
    @Test("keeps a request as it came", arguments: ReaderRun.chunkSizes)
    func request(chunk: Int) throws {
        let text = "GET /a?b=c HTTP/1.1\r\nhOsT: Example.com:8443\r\nX-Empty:\r\nX-Blank: \t a b\t \r\n\r\n"
        let run = ReaderRun(text, chunk: chunk)
        let head = try #require(run.requests.first)
        #expect(run.failure == nil)
        #expect(run.items.count == 2)
        #expect(run.ends == 1)
        #expect(head.raw == Array(text.utf8))
        #expect(head.method == "GET")
        #expect(head.target == .origin("/a?b=c"))
        #expect(head.version == .http11)
        #expect(head.fields.pairs.map(\.name) == ["hOsT", "X-Empty", "X-Blank"])
        #expect(head.fields.pairs.map(\.value) == ["Example.com:8443", "", "a b"])
        #expect(String(decoding: head.fields.line(at: 2), as: UTF8.self) == "X-Blank: \t a b\t \r\n")
        #expect(head.authority(for: .https)?.description == "example.com:8443")
    }

    @Test("reads pipelined requests with bodies", arguments: ReaderRun.chunkSizes)
    func pipelining(chunk: Int) {
        let run = ReaderRun(
            """
            POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello\
            \r\nPOST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n\
            HEAD /3 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n
            """,
            chunk: chunk
        )
        #expect(run.failure == nil)
        #expect(run.requests.map(\.framing) == [.length(5), .chunked, .length(0)])
        #expect(run.body == "helloabc")
        #expect(run.ends == 3)
    }

    @Test("reads each target of a connection as if it were the first one", arguments: ReaderRun.chunkSizes)
    func targets(chunk: Int) {
        let targets = [
            "http://a/1", "http://a/2?q", "http://ab/3", "http://a", "http://a/", "http://A/4", "https://a/5",
            "http://a?6", "http://a:80/7", "http://a/\u{e9}", "/8", "http://a/9",
        ]
        let requests = targets.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
        let run = ReaderRun(requests.joined(), chunk: chunk)
        #expect(run.failure == nil)
        #expect(run.requests.map(\.target) == requests.compactMap { ReaderRun($0).requests.first?.target })
        for wrong in ["GET http://a/1#f", "CONNECT http://a/1", "GET http://a /1"] {
            let alone = ReaderRun("\(wrong) HTTP/1.1\r\nHost: a\r\n\r\n", chunk: chunk)
            let behind = ReaderRun("\(requests[0])\(wrong) HTTP/1.1\r\nHost: a\r\n\r\n", chunk: chunk)
            #expect(alone.failure != nil && behind.failure == alone.failure, "\(wrong)")
        }
    }

    @Test(
        "tells chunk data from framing and trailers, and leaves out extensions",
        arguments: ReaderRun.chunkSizes
    )
    func chunks(chunk: Int) throws {
        let run = ReaderRun(
            """
            HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
            5;a=b ; c = "d;\\"e" ;f\r\nhello\r\n00A\r\n0123456789\r\n0;last\r\nGrpc-Status: 0\r\nX:\r\n\r\n
            """,
            chunk: chunk,
            methods: ["GET"]
        )
        #expect(run.failure == nil)
        guard run.items.count == 8 else {
            Issue.record("\(run.items)")
            return
        }
        #expect(run.items[1] == .framing(Array("5\r\n".utf8)))
        #expect(run.items[2] == .body(Array("hello".utf8)))
        #expect(run.items[3] == .framing(Array("\r\n00A\r\n".utf8)))
        #expect(run.items[5] == .framing(Array("\r\n0\r\n".utf8)))
        #expect(run.notes.isEmpty, "an extension breaks no rule")
        guard case .trailers(let section, let fields) = run.items[6] else {
            Issue.record("\(run.items[6])")
            return
        }
        #expect(section == Array("Grpc-Status: 0\r\nX:\r\n".utf8))
        #expect(fields.first("grpc-status") == "0")
        #expect(run.items[7] == .end)
    }

    @Test("passes interim responses and waits for the final one", arguments: ReaderRun.chunkSizes)
    func interim(chunk: Int) {
        let run = ReaderRun(
            """
            HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\
            HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n
            """,
            chunk: chunk,
            methods: ["PUT"]
        )
        #expect(run.failure == nil)
        #expect(run.responses.map(\.status) == [100, 103, 204])
        #expect(run.responses.map(\.isInformational) == [true, true, false])
        #expect(run.ends == 1)
        #expect(run.items.last == .end)
    }

    @Test("knows which responses have no body", arguments: ReaderRun.chunkSizes)
    func bodyless(chunk: Int) {
        let run = ReaderRun(
            """
            HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n\
            HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
            HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n\
            HTTP/1.1 200 Connection established\r\nContent-Length: 5\r\nTransfer-Encoding: x\r\n\r\n
            """,
            chunk: chunk,
            methods: ["HEAD", "HEAD", "GET", "CONNECT"]
        )
        #expect(run.failure == nil)
        #expect(run.responses.map(\.framing) == [.none, .none, .none, .none])
        #expect(run.ends == 4)
    }

    @Test("reads a response until the server closes", arguments: ReaderRun.chunkSizes)
    func untilClose(chunk: Int) {
        let run = ReaderRun("HTTP/1.0 200 OK\r\n\r\nall of it\r\n\r\n", chunk: chunk, methods: ["GET"])
        #expect(run.failure == nil)
        #expect(run.responses.first?.framing == .untilClose)
        #expect(run.responses.first?.isKeepAlive == false)
        #expect(run.body == "all of it\r\n\r\n")
        #expect(run.ends == 1)
    }

    @Test("ends at 101 as at a final response, and leaves the bytes behind it")
    func switching() throws {
        var reader = HTTP1Reader(reading: .responses, limits: Limits())
        reader.expectResponse(toMethod: "GET")
        var input = ByteQueue(
            "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\u{1}x".utf8
        )
        guard case .response(let head)? = try reader.next(&input) else {
            Issue.record("expected a response")
            return
        }
        #expect(!head.isInformational)
        #expect(try reader.next(&input) == .end)
        #expect(input.prefix() == [1, 0x78])
    }

    @Test("hands out a buffered body at once")
    func coalescing() throws {
        var reader = HTTP1Reader(reading: .requests, limits: Limits())
        var input = ByteQueue("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n".utf8)
        _ = try reader.next(&input)
        input.append([UInt8](repeating: 1, count: 65_536))
        #expect(try reader.next(&input) == .body(65_536))
        input.consume(65_536)
        #expect(try reader.next(&input) == nil)
        input.append([UInt8](repeating: 1, count: 65_536))
        #expect(try reader.next(&input) == .body(34_464))
    }

    @Test("reports its position")
    func position() throws {
        var reader = HTTP1Reader(reading: .requests, limits: Limits())
        var input = ByteQueue()
        #expect(try reader.next(&input) == nil)
        #expect(place(of: reader) == (true, false))
        input.append("GET / HT")
        #expect(try reader.next(&input) == nil)
        #expect(place(of: reader) == (false, true))
        input.append("TP/1.1\r\nHost: a\r\n\r\n")
        _ = try reader.next(&input)
        #expect(place(of: reader) == (false, false))
        #expect(try reader.next(&input) == .end)
        #expect(place(of: reader) == (true, false))
        #expect(try reader.endOfInput(&input) == nil)
    }

    @Test("says that a message was cut off", arguments: ReaderRun.chunkSizes)
    func truncation(chunk: Int) {
        let requests = [
            "GET / HTTP/1.1\r\nHos", "GET / HTTP/1.1\r\nHost: a\r\n",
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab",
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na",
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n",
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nA: b\r\n",
        ]
        for text in requests {
            let run = ReaderRun(text, chunk: chunk)
            #expect(run.failure?.code == .truncated, "\(text.debugDescription)")
            #expect(run.ends == 0)
        }
    }

    @Test("stays failed")
    func sticky() {
        var reader = HTTP1Reader(reading: .requests, limits: Limits())
        var input = ByteQueue("GET / HTTP/1.1\n".utf8)
        #expect(throws: HTTP1Failure.self) { try reader.next(&input) }
        input = ByteQueue("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        #expect(throws: HTTP1Failure.self) { try reader.next(&input) }
        #expect(throws: HTTP1Failure.self) { try reader.endOfInput(&input) }
    }

    @Test("refuses a response that was not asked for")
    func unexpected() {
        let run = ReaderRun("HTTP/1.1 408 Request Timeout\r\n\r\n", methods: [])
        #expect(run.failure?.code == .unexpectedResponse)
    }

    @Test("stops at each limit while bytes arrive", arguments: ReaderRun.chunkSizes)
    func limits(chunk: Int) {
        var limits = Limits()
        limits.headBytes = 1000
        limits.fieldCount = 10
        limits.chunkLineBytes = 50
        limits.trailerBytes = 100
        let long = String(repeating: "a", count: 5000)
        let put = "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let rows: [(String, HTTP1Failure.Code, Int)] = [
            ("GET /\(long)", .targetTooLong, 414),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: \(long)", .headTooLong, 431),
            (
                "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 10))\r\n",
                .tooManyFields,
                431
            ),
            (put + "1;\(long)\r\n", .chunkLineTooLong, 400),
            (put + "0\r\nX: \(long)\r\n\r\n", .trailersTooLong, 431),
        ]
        for (text, code, status) in rows {
            let run = ReaderRun(text, chunk: chunk, limits: limits)
            #expect(run.failure?.code == code)
            #expect(run.failure?.status == status)
            #expect(run.peak <= 1000 + chunk)
        }
        let fits = "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 9))\r\n"
        #expect(ReaderRun(fits, chunk: chunk, limits: limits).failure == nil)
        limits.headBytes = fits.utf8.count
        #expect(ReaderRun(fits, chunk: chunk, limits: limits).failure == nil)
        limits.headBytes -= 1
        #expect(ReaderRun(fits, chunk: chunk, limits: limits).failure?.code == .headTooLong)
    }

    @Test("is tolerant where nothing depends on it", arguments: ReaderRun.chunkSizes)
    func tolerance(chunk: Int) {
        let requests = [
            "BREW-#1 / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.9\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.0\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /{|}\\^\"<>` HTTP/1.1\r\nHost: a\r\n\r\n", "GET /\u{fc} HTTP/1.1\r\nHost: a\r\n\r\n",
            "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nX: \u{fc}\r\nHOST:a\r\n\r\n",
            "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:443 HTTP/1.1\r\nHost: b:8\r\n\r\n",
            "CONNECT a:443 HTTP/1.0\r\n\r\n",
            "GET http://A/ HTTP/1.1\r\nHost: a:80\r\n\r\n",
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0, 00\r\nContent-Length: 0\r\n\r\n",
        ]
        for text in requests {
            let run = ReaderRun(text, chunk: chunk)
            #expect(run.failure == nil, "\(text.debugDescription)")
            #expect(run.ends == 1)
        }
        for line in ["HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.1 999 \u{fc}\t\"what\"", "HTTP/1.0 299 a  b"] {
            let run = ReaderRun("\(line)\r\nContent-Length: 0\r\n\r\n", chunk: chunk, methods: ["GET"])
            #expect(run.failure == nil)
            #expect(run.ends == 1)
        }
    }

    /// Whether it stands between messages, and whether in a head.
    private func place(of reader: borrowing HTTP1Reader) -> (Bool, Bool) {
        (reader.isBetweenMessages, reader.isReadingHead)
    }
}
