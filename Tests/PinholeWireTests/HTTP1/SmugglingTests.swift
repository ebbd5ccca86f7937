import PinholeModel
import PinholeWire
import Testing

/// One row per way to make two recipients disagree about where a message ends or whom it is for.
@Suite("Smuggling")
struct SmugglingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var code: HTTP1Failure.Code
        var text: String
        var status = 400
        var testDescription: String { "\(code.rawValue): \(text.debugDescription)" }
    }

    private static let put = "PUT / HTTP/1.1\r\nHost: a\r\n"
    private static let chunked = put + "Transfer-Encoding: chunked\r\n\r\n"

    private static func get(_ line: String) -> String { "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n" }

    static let lengths: [Row] = [
        Row(
            code: .transferEncodingWithContentLength,
            text: put + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"
        ),
        Row(
            code: .transferEncodingWithContentLength,
            text: put + "Content-Length: 0\r\ntransfer-encoding: CHUNKED\r\n\r\n"
        ),
        Row(code: .contentLengthsDiffer, text: put + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n"),
        Row(code: .contentLengthsDiffer, text: put + "Content-Length: 5, 6\r\n\r\n"),
        Row(code: .badContentLength, text: put + "Content-Length: 5,\r\n\r\n"),
        Row(code: .badContentLength, text: put + "Content-Length: +5\r\n\r\n"),
        Row(code: .badContentLength, text: put + "Content-Length: -5\r\n\r\n"),
        Row(code: .badContentLength, text: put + "Content-Length: 0x5\r\n\r\n"),
        Row(code: .badContentLength, text: put + "Content-Length: 5 5\r\n\r\n"),
        Row(code: .badContentLength, text: put + "Content-Length:\r\n\r\n"),
        Row(code: .badContentLength, text: put + "Content-Length: \u{0665}\r\n\r\n"),
        Row(code: .badContentLength, text: put + "Content-Length: 9223372036854775808\r\n\r\n"),
        Row(code: .badContentLength, text: put + "Content-Length: 99999999999999999999999\r\n\r\n"),
    ]

    static let codings: [Row] = [
        Row(
            code: .unsupportedTransferEncoding,
            text: put + "Transfer-Encoding: gzip, chunked\r\n\r\n",
            status: 501
        ),
        Row(
            code: .unsupportedTransferEncoding,
            text: put + "Transfer-Encoding: identity\r\n\r\n",
            status: 501
        ),
        Row(
            code: .unsupportedTransferEncoding,
            text: put + "Transfer-Encoding: xchunked\r\n\r\n",
            status: 501
        ),
        Row(code: .badTransferEncoding, text: put + "Transfer-Encoding: chunked, chunked\r\n\r\n"),
        Row(code: .badTransferEncoding, text: put + "Transfer-Encoding: chunked, gzip\r\n\r\n"),
        Row(code: .badTransferEncoding, text: put + "Transfer-Encoding: chunked;q=1\r\n\r\n"),
        Row(code: .badTransferEncoding, text: put + "Transfer-Encoding: \"chunked\"\r\n\r\n"),
        Row(code: .badTransferEncoding, text: put + "Transfer-Encoding: \u{212a}chunked\r\n\r\n"),
        Row(code: .badTransferEncoding, text: put + "Transfer-Encoding:\r\n\r\n"),
        Row(
            code: .badTransferEncoding,
            text: put + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"
        ),
        Row(
            code: .badTransferEncoding,
            text: put + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n"
        ),
        Row(code: .badFieldValue, text: put + "Transfer-Encoding: \u{b}chunked\r\n\r\n"),
        Row(
            code: .transferEncodingInHTTP10,
            text: "PUT / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        ),
        Row(code: .whitespaceBeforeColon, text: put + "Transfer-Encoding : chunked\r\n\r\n"),
        Row(code: .whitespaceBeforeColon, text: put + "Content-Length\t: 5\r\n\r\n"),
        Row(code: .connectWithBody, text: "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nContent-Length: 5\r\n\r\n"),
        Row(
            code: .connectWithBody,
            text: "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nTransfer-Encoding: chunked\r\n\r\n"
        ),
    ]

    static let lines: [Row] = [
        Row(code: .obsFold, text: get("X: a\r\n b")),
        Row(code: .obsFold, text: get("X: a\r\n\tTransfer-Encoding: chunked")),
        Row(code: .obsFold, text: "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
        Row(code: .bareLineFeed, text: "GET / HTTP/1.1\nHost: a\n\n"),
        Row(code: .bareLineFeed, text: get("X: a\nY: b")),
        Row(code: .bareLineFeed, text: "GET / HTTP/1.1\r\nHost: a\r\n\n"),
        Row(code: .bareCarriageReturn, text: get("X: a\rY: b")),
        Row(code: .bareCarriageReturn, text: get("X: a\r\r\nY: b")),
        Row(code: .bareCarriageReturn, text: "GET /\rHTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .nul, text: get("X: a\0b")),
        Row(code: .nul, text: "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badFieldValue, text: get("X: a\u{1}b")),
        Row(code: .badFieldValue, text: get("X: a\u{7f}b")),
        Row(code: .badFieldName, text: get("X")),
        Row(code: .badFieldName, text: get(": x")),
        Row(code: .badFieldName, text: get("X Y: z")),
        Row(code: .badFieldName, text: get("X(Y): z")),
        Row(code: .badFieldName, text: get("X\u{fc}: z")),
        Row(code: .badFieldName, text: get("GET / HTTP/1.1")),
        Row(code: .badRequestLine, text: "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badRequestLine, text: " GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badRequestLine, text: "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badRequestLine, text: "GET /  HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badRequestLine, text: "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badRequestLine, text: "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badRequestLine, text: "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
        Row(code: .badRequestLine, text: "GET / http/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badRequestLine, text: "GET / HTTP/1.10\r\nHost: a\r\n\r\n"),
        Row(code: .badRequestLine, text: "GET /\r\n\r\n"),
        Row(code: .badRequestLine, text: "GET /\u{1} HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badRequestLine, text: "{}"),
        Row(code: .badMethod, text: "G(T / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .unsupportedVersion, text: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 505),
        Row(code: .unsupportedVersion, text: "GET / HTTP/0.9\r\nHost: a\r\n\r\n", status: 505),
    ]

    static let routes: [Row] = [
        Row(code: .twoHosts, text: "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n"),
        Row(code: .twoHosts, text: "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"),
        Row(code: .missingHost, text: "GET / HTTP/1.1\r\nX: y\r\n\r\n"),
        Row(code: .missingHost, text: "GET http://a/ HTTP/1.1\r\n\r\n"),
        Row(code: .badHost, text: "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
        Row(code: .badHost, text: "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
        Row(code: .badHost, text: "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
        Row(code: .badHost, text: "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n"),
        Row(code: .badHost, text: "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Row(code: .badHost, text: "GET / HTTP/1.1\r\nHost: a:0\r\n\r\n"),
        Row(code: .badHost, text: "GET / HTTP/1.1\r\nHost: a:80:80\r\n\r\n"),
        Row(code: .badHost, text: "GET / HTTP/1.1\r\nHost: \u{fc}.example\r\n\r\n"),
        Row(code: .twoHosts, text: "GET http://a/ HTTP/1.1\r\nHost: b\r\nHost: a\r\n\r\n"),
        Row(code: .badHost, text: "GET http://a/ HTTP/1.1\r\nHost: b c\r\n\r\n"),
        Row(code: .badTarget, text: "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badTarget, text: "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badTarget, text: "GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badTarget, text: "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badTarget, text: "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badTarget, text: "GET http:///b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badTarget, text: "GET http://u:p@a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badTarget, text: "CONNECT a HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badTarget, text: "CONNECT a:0 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badTarget, text: "CONNECT http://a:1/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        Row(code: .badTarget, text: "CONNECT /a HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]

    private static let chunkLines: [(String, HTTP1Failure.Code)] = [
        ("+5\r\nhello", .badChunk), ("-5\r\n", .badChunk), ("0x5\r\nhello", .badChunk),
        (" 5\r\nhello", .badChunk),
        ("5 \r\nhello", .badChunk), ("5\t\r\nhello", .badChunk), ("\r\n", .badChunk), (";a\r\n", .badChunk),
        ("5g\r\n", .badChunk), ("5;\r\n", .badChunk), ("5;a=\r\n", .badChunk), ("5;a=\"b\r\n", .badChunk),
        ("5;a b\r\n", .badChunk), ("5;a=\"b\"c\r\n", .badChunk), ("5;a\u{1}\r\n", .badChunk),
        ("8000000000000000\r\n", .badChunk), ("ffffffffffffffff\r\n", .badChunk),
        ("00000000000000005\r\nhello", .badChunk), ("1_0\r\n", .badChunk), ("5\nhello\r\n", .bareLineFeed),
        ("5;a\nb\r\n", .bareLineFeed), ("5\rhello", .bareCarriageReturn), ("5;a\rb\r\n", .bareCarriageReturn),
        ("5\r\nhelloX\r\n", .badChunk), ("5\r\nhello\n0\r\n\r\n", .badChunk), ("5\r\nhello\rX", .badChunk),
        ("5\r\nhello\r\n\r\n0\r\n\r\n", .badChunk), ("0\r\n\rX", .badChunk), ("0\r\n\n", .bareLineFeed),
        ("0\r\nContent-Length: 5\r\n\r\n", .forbiddenTrailer), ("0\r\nhost: b\r\n\r\n", .forbiddenTrailer),
        ("0\r\nTransfer-Encoding: chunked\r\n\r\n", .forbiddenTrailer),
        ("0\r\nTrailer: a\r\n\r\n", .forbiddenTrailer), ("0\r\nAuthorization: a\r\n\r\n", .forbiddenTrailer),
        ("0\r\nX : a\r\n\r\n", .whitespaceBeforeColon), ("0\r\nX: a\r\n b\r\n\r\n", .obsFold),
        ("0\r\n X: a\r\n\r\n", .obsFold), ("0\r\nX: a\nY: b\r\n\r\n", .bareLineFeed),
        ("0\r\nX: a\0\r\n\r\n", .nul), ("0\r\nX\r\n\r\n", .badFieldName),
    ]

    static let chunks = chunkLines.map { Row(code: $0.1, text: chunked + $0.0) }

    @Test("refuses each request", arguments: lengths + codings + lines + routes + chunks)
    func requests(row: Row) {
        let runs = ReaderRun.chunkSizes.map { ReaderRun(row.text, chunk: $0) }
        for run in runs {
            #expect(run.failure?.code == row.code)
            #expect(run.failure?.status == row.status)
            #expect(run.failure?.fault == .peer)
            #expect(run.ends == 0)
            #expect(run.items == runs[0].items)
            #expect(run.failure == runs[0].failure)
        }
        let detail = runs[0].failure?.detail ?? ""
        #expect(detail.hasSuffix(".") && detail.utf8.count < 500)
        #expect(!detail.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f })
    }

    private static let answers: [(String, HTTP1Failure.Code)] = [
        (
            "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
            .transferEncodingWithContentLength
        ),
        ("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked, identity\r\n\r\n", .badTransferEncoding),
        ("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked;q=1\r\n\r\n", .badTransferEncoding),
        ("HTTP/1.1 200 X\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .unsupportedTransferEncoding),
        ("HTTP/1.1 200 X\r\nTransfer-Encoding : chunked\r\n\r\n", .whitespaceBeforeColon),
        ("HTTP/1.1 200 X\r\nTransfer-Encoding:\r\n chunked\r\n\r\n", .obsFold),
        ("HTTP/1.1 200 X\r\nContent-Length: 1\r\n 2\r\n\r\n", .obsFold),
        ("HTTP/1.1 200 X\r\n Content-Length: 2\r\n\r\n", .obsFold),
        ("HTTP/1.1 200 X\r\nTransfer-Encoding: \u{b}chunked\r\n\r\n", .badFieldValue),
        ("HTTP/1.1 200 X\r\nTransfer-Encoding\u{b}: chunked\r\n\r\n", .badFieldValue),
        ("HTTP/1.1 200 X\r\nContent\u{ad}-Length: 5\r\n\r\n", .badFieldName),
        ("HTTP/1.1 200 X\r\nContent-Length: 1\r2\r\n\r\n", .bareCarriageReturn),
        ("HTTP/1.1 200 X\r\nA: b\r\n\r\r\n\r\n", .bareCarriageReturn),
        ("HTTP/1.1 200 X\r\nA: b\r\n \r\r\n\r\n", .bareCarriageReturn),
        ("HTTP/1.1 200 X\nA: b\0\n\n", .nul),
        ("HTTP/1.1 200 X\r\nA\0: b\r\n\r\n", .nul),
        ("HTTP/1.1 200 X\r\nA\r\n\r\n", .badFieldName),
        ("HTTP/1.1 200 X\nContent-Length: 5\nContent-Length: 6\n\n", .contentLengthsDiffer),
        ("HTTP/1.1 200 X\r\nTransfer-Encoding: gzip\r\n\r\n", .unsupportedTransferEncoding),
        ("HTTP/1.1 200 X\r\nContent-Length: 5, 6\r\n\r\n", .contentLengthsDiffer),
        ("HTTP/1.1 200 X\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", .contentLengthsDiffer),
        ("HTTP/1.1 200 X\r\nContent-Length: 5x\r\n\r\n", .badContentLength),
        ("HTTP/1.1 200 X\0\r\n\r\n", .nul),
        ("HTTP/1.1 200X\r\n\r\n", .badStatusLine),
        ("http/1.1 20 X\r\n\r\n", .badStatusLine),
        ("http/2.0 200 X\r\n\r\n", .unsupportedVersion),
        ("hello", .badStatusLine),
        ("HTTP/1.1 20 X\r\n\r\n", .badStatusLine),
        ("HTTP/1.1 2000\r\n\r\n", .badStatusLine),
        ("HTTP/1.1 +20 X\r\n\r\n", .badStatusLine),
        ("HTTP/1.1 099 X\r\n\r\n", .badStatusLine),
        ("HTTP/1.1\r\n\r\n", .badStatusLine),
        ("HTTP/11 200 X\r\n\r\n", .badStatusLine),
        ("HTTP/2.0 200 X\r\n\r\n", .unsupportedVersion),
        ("\r\nHTTP/1.1 200 X\r\n\r\n", .badStatusLine),
        ("<html>", .badStatusLine),
        ("SSH-2.0-OpenSSH_9.2\r\n", .badStatusLine),
        ("HTTP/1.1 204 X\r\n\r\nHTTP/1.1 200 OK\r\n", .unexpectedResponse),
    ]

    static let responses = answers.map { Row(code: $0.1, text: $0.0, status: 502) }

    @Test("refuses each response", arguments: responses)
    func refusesResponses(row: Row) {
        let runs = ReaderRun.chunkSizes.map { ReaderRun(row.text, chunk: $0, methods: ["GET"]) }
        for run in runs {
            #expect(run.failure?.code == row.code)
            #expect(run.failure?.status == 502)
            #expect(run.items == runs[0].items)
            #expect(run.failure == runs[0].failure)
        }
    }
}
