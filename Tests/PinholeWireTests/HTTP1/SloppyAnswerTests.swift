import PinholeModel
import PinholeWire
import Testing

/// Answers that break a rule of HTTP/1 and are read by every client: what is sent on has one reading.
@Suite("SloppyAnswer")
struct SloppyAnswerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var received: String
        /// The head that is sent on; the connection closes after it.
        var sent: String
        var framing = BodyFraming.length(2)
        var notes: [ExchangeNote]
        var testDescription: String { received.debugDescription }
    }

    private static func row(
        _ received: String,
        _ sent: String,
        _ framing: BodyFraming = .length(2),
        _ notes: ExchangeNote...
    ) -> Row {
        Row(received: received, sent: sent, framing: framing, notes: notes)
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let two = ok + "Content-Length: 2\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n"

    static let forms: [Row] = [
        row("HTTP/1.1 200 OK\nContent-Length: 2\n\n", two, .length(2), .answerLineEnds),
        row("HTTP/1.1 200 OK\r\nContent-Length: 2\n\r\n", two, .length(2), .answerLineEnds),
        row("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\n", two, .length(2), .answerLineEnds),
        row(two + "A: b\rC: d\r\n\r\n", two + "A: b C: d\r\n", .length(2), .answerLineEnds),
        row(ok + "Content-Length: 2\r\r\n\r\n", two, .length(2), .answerLineEnds),
        row("http/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", two, .length(2), .answerStatusLine),
        row("HTTP/1.1 \t 200  OK\r\nContent-Length: 2\r\n\r\n", two, .length(2), .answerStatusLine),
        row(
            "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n",
            "HTTP/1.1 200 \r\nContent-Length: 2\r\n",
            .length(2),
            .answerStatusLine
        ),
        row(
            "HTTP/1.1 200 O\u{1}K\r\nContent-Length: 2\r\n\r\n",
            "HTTP/1.1 200 O K\r\nContent-Length: 2\r\n",
            .length(2),
            .answerControls
        ),
        row(two + "A : b\r\n\r\n", two + "A: b\r\n", .length(2), .answerFieldNames),
        row(ok + "Content-Length \t: 2\r\n\r\n", two, .length(2), .answerFieldNames),
        row(two + "A: b\r\n \t c\r\n\r\n", two + "A: b c\r\n", .length(2), .answerFolding),
        row(
            two + "A: b\r\n Content-Length: 3\r\n\r\n",
            two + "A: b Content-Length: 3\r\n",
            .length(2),
            .answerFolding
        ),
        row(
            ok + "Content-Length: 2\r\n \r\n\r\n",
            ok + "Content-Length: 2 \r\n",
            .length(2),
            .answerFolding
        ),
        row(two + "A: b\u{1}\u{7f}c\r\n\r\n", two + "A: b  c\r\n", .length(2), .answerControls),
        row(two + "X-\u{fc}: b\r\n c\r\n\r\n", two, .length(2), .answerFieldNames, .answerFolding),
        row(two + "X Y: b\r\n: c\r\n\r\n", two, .length(2), .answerFieldNames),
    ]

    static let framings: [Row] = [
        row(
            ok + "Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n",
            two,
            .length(2),
            .answerTransferEncoding
        ),
        row(ok + "Transfer-Encoding: identity\r\n\r\n", ok, .untilClose, .answerTransferEncoding),
        row(ok + "Transfer-Encoding:\r\n\r\n", ok, .untilClose, .answerTransferEncoding),
        row(
            ok + "Transfer-Encoding: chunked, chunked\r\n\r\n",
            chunked,
            .chunked,
            .answerTransferEncoding
        ),
        row(
            ok + "Transfer-Encoding: chunked\r\nA: b\r\nTransfer-Encoding: Chunked\r\n\r\n",
            chunked + "A: b\r\n",
            .chunked,
            .answerTransferEncoding
        ),
        row(
            ok + "Transfer-Encoding: identity, , chunked\r\n\r\n",
            chunked,
            .chunked,
            .answerTransferEncoding
        ),
        row(
            ok + "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n",
            chunked,
            .chunked,
            .answerContentLength
        ),
        row(
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            chunked,
            .chunked,
            .answerTransferEncoding
        ),
        row(ok + "Content-Length: 2, 2\r\n\r\n", two, .length(2), .answerContentLength),
        row(ok + "Content-Length: 2,\r\n\r\n", two, .length(2), .answerContentLength),
        row(
            "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n",
            "HTTP/1.1 204 No Content\r\n",
            .none,
            .answerContentLength
        ),
        row(
            "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 204 No Content\r\n",
            .none,
            .answerTransferEncoding
        ),
        row(
            "http/1.0 200 OK\nTransfer-Encoding: chunked\nA : b\n\n",
            chunked + "A: b\r\n",
            .chunked,
            .answerStatusLine,
            .answerLineEnds,
            .answerFieldNames,
            .answerTransferEncoding
        ),
    ]

    @Test("reads an answer as clients do, and sends on a head with one reading", arguments: forms + framings)
    func heads(row: Row) throws {
        for chunk in ReaderRun.chunkSizes {
            // A \u{fc} in a row is one byte, which no encoding of names allows.
            let bytes = row.received.unicodeScalars.map { UInt8($0.value) }
            let run = ReaderRun(bytes, chunk: chunk, methods: ["GET"])
            let head = try #require(run.responses.first, "\(run.failure?.detail ?? "")")
            #expect(head.raw == bytes)
            #expect(head.framing == row.framing)
            #expect(Set(head.notes) == Set(row.notes))
            #expect(head.isKeepAlive == (row.notes == [.answerStatusLine]))
            var output = ByteQueue()
            try HTTP1Writer.write(response: head, closing: row.framing == .untilClose, into: &output)
            let end = row.framing == .untilClose ? "Connection: close\r\n\r\n" : "\r\n"
            #expect(String(decoding: output.prefix(), as: UTF8.self) == row.sent + end)
        }
    }

    private static let bodies: [(received: String, sent: String, notes: [ExchangeNote])] = [
        ("2 \t\r\nok\r\n0\r\n\r\n", "2\r\nok\r\n0\r\n\r\n", [.answerChunks]),
        ("2;\r\nok\r\n0; a b\r\n\r\n", "2\r\nok\r\n0\r\n\r\n", [.answerChunks]),
        ("2\nok\n0\n\n", "2\r\nok\r\n0\r\n\r\n", [.answerChunks]),
        ("2\r\nok\r\n0\r\n\n", "2\r\nok\r\n0\r\n\r\n", [.answerChunks]),
        ("2;a=b\r\nok\r\n0;c\r\n\r\n", "2\r\nok\r\n0\r\n\r\n", []),
        (
            "2\r\nok\r\n0\r\nX : y\n z\n\n", "2\r\nok\r\n0\r\nX: y z\r\n\r\n",
            [
                .answerLineEnds, .answerFieldNames, .answerFolding,
            ]
        ),
        (
            "2\r\nok\r\n0\r\nX: y\r\nContent-Length: 9\r\n\r\n", "2\r\nok\r\n0\r\nX: y\r\n\r\n",
            [
                .answerTrailers
            ]
        ),
    ]

    @Test("writes malformed chunks of an answer anew, and leaves out extensions", arguments: bodies.indices)
    func chunks(index: Int) {
        let row = Self.bodies[index]
        for chunk in ReaderRun.chunkSizes {
            let run = ReaderRun(Self.chunked + "\r\n" + row.received, chunk: chunk, methods: ["GET"])
            #expect(run.failure == nil)
            #expect(run.ends == 1)
            let sent = run.items.flatMap { item -> [UInt8] in
                switch item {
                case .framing(let bytes), .body(let bytes): bytes
                case .trailers(_, let fields): fields.section + [0x0d, 0x0a]
                case .request, .response, .end: []
                }
            }
            #expect(String(decoding: sent, as: UTF8.self) == row.sent)
            #expect(Set(run.notes) == Set(row.notes))
        }
    }

    private static let refusedBodies = [
        "2;a\nok\r\n0\r\n\r\n", "2;a\rb\r\nok\r\n0\r\n\r\n", " 2\r\nok\r\n0\r\n\r\n",
        "2 a\r\nok\r\n0\r\n\r\n",
        "2\r\nokk\r\n0\r\n\r\n", "\n2\r\nok\r\n0\r\n\r\n", "0x2\r\nok\r\n0\r\n\r\n",
        "2\r\nok\r\n0\r\nX: \0\r\n\r\n",
        "2\r\nok\r\n0\r\nX\r\n\r\n",
    ]

    @Test("refuses chunks of an answer that two clients read differently", arguments: refusedBodies)
    func refused(body: String) {
        let runs = ReaderRun.chunkSizes.map {
            ReaderRun(Self.chunked + "\r\n" + body, chunk: $0, methods: ["GET"])
        }
        for run in runs {
            #expect(run.failure != nil)
            #expect(run.ends == 0)
            #expect(run.failure == runs[0].failure)
        }
    }

    @Test("asks no further request of a connection whose interim answer broke a rule")
    func interim() throws {
        let run = ReaderRun(
            "HTTP/1.1 100 Continue\nContent-Length: 2\n\n" + Self.two + "\r\nok",
            methods: ["PUT"]
        )
        #expect(run.responses.map(\.status) == [100, 200])
        #expect(run.responses.first?.notes == [.answerLineEnds, .answerContentLength])
        #expect(run.body == "ok")
    }

    @Test("answers with empty list members break no rule, and are sent on with plain ones")
    func emptyMembersOfAnswers() throws {
        let run = ReaderRun(Self.ok + "Transfer-Encoding: ,chunked, \r\n\r\n0\r\n\r\n", methods: ["GET"])
        let head = try #require(run.responses.first)
        #expect(head.notes.isEmpty && head.framing == .chunked && run.ends == 1)
        #expect(head.fields.all("transfer-encoding") == ["chunked"])
    }

    @Test("requests with empty list members are sent on with plain ones", arguments: ReaderRun.chunkSizes)
    func emptyMembers(chunk: Int) throws {
        let run = ReaderRun(
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: , chunked ,\r\nConnection: , close\r\n\r\n0\r\n\r\n",
            chunk: chunk
        )
        let head = try #require(run.requests.first)
        #expect(head.framing == .chunked && !head.isKeepAlive)
        var output = ByteQueue()
        try HTTP1Writer.write(request: head, into: &output)
        #expect(
            String(decoding: output.prefix(), as: UTF8.self)
                == "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
    }

    private static let hosts = [
        ("http://a/", "b", true), ("http://a/", "a:8080", true), ("https://a/", "a:80", true),
        ("http://a/", "A", false), ("http://a/", "a:80", false), ("http://a:8/", "a:8", false),
        ("/", "b", false),
    ]

    @Test("keeps the Host beside a target in absolute-form, which decides alone", arguments: hosts)
    func host(target: String, host: String, isForeign: Bool) throws {
        let run = ReaderRun("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        let head = try #require(run.requests.first)
        #expect(head.hasForeignHost == isForeign)
        if case .absolute(let scheme, let authority, _) = head.target {
            #expect(head.authority(for: scheme) == authority)
        }
        var output = ByteQueue()
        try HTTP1Writer.write(request: head, into: &output)
        #expect(String(decoding: output.prefix(), as: UTF8.self) == "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    }
}
