import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeWire

@Suite("RequestHead: HTTP/2")
struct RequestHeadStreamTests {
    private func fields(_ pairs: [(String, String)]) -> HeaderFields {
        var fields = HeaderFields()
        for (name, value) in pairs { fields.append(name, value) }
        return fields
    }

    private func head(
        _ more: [(String, String)] = [],
        method: String = "GET",
        path: String = "/a?b",
        scheme: String = "https",
        authority: String = "www.example.com",
        endsStream: Bool = true
    ) throws(StreamHeadFailure) -> RequestHead {
        try RequestHead(
            stream: fields(
                [(":method", method), (":scheme", scheme), (":authority", authority), (":path", path)] + more
            ),
            endsStream: endsStream
        )
    }

    private func lines(_ fields: HeaderFields) -> [String] { fields.pairs.map { "\($0.name): \($0.value)" } }

    private func http1(_ text: String) throws -> RequestHead {
        var reader = HTTP1Reader(reading: .requests, limits: Limits())
        var input = ByteQueue(Array(text.utf8))
        guard case .request(let head)? = try reader.next(&input) else { throw Missing() }
        return head
    }

    private struct Missing: Error {}

    @Test("reads the requested resource and its host")
    func reads() throws {
        let head = try head([("content-length", "12")])
        #expect(head.method == "GET" && head.rawTarget == "/a?b" && head.scheme == .https)
        #expect(head.authority(for: .https) == Authority(host: .name("www.example.com"), port: 443))
        #expect(head.contentLength == 12 && head.protocolName == nil)
    }

    @Test("tells a path that is not UTF-8 in percent signs, and sends it on as it came")
    func bytes() throws {
        var lines = fields([(":method", "GET"), (":scheme", "https"), (":authority", "a.test")])
        lines.append(":path", [0x2f, 0xc3, 0xa9, 0xff])
        let head = try RequestHead(stream: lines, endsStream: true)
        #expect(head.textualPath == "/%C3%A9%FF")
        let changed = try head.changed(
            method: "PUT",
            scheme: .https,
            authority: nil,
            path: nil,
            fields: lines
        )
        #expect(changed.method == "PUT" && changed.fields.pathBytes == [0x2f, 0xc3, 0xa9, 0xff])
        #expect(try self.head(path: "/é").textualPath == "/é")
    }

    @Test("keeps the received part of a refused head")
    func keepsRefused() {
        let nothing = RequestHead(refused: HeaderFields(), assuming: .https)
        #expect(nothing.method == "?" && nothing.rawTarget == "" && nothing.authority(for: .https) == nil)
        #expect(String(decoding: nothing.recorded, as: UTF8.self) == "? * HTTP/2\r\n\r\n")
        let pairs = [
            (":method", "G T"), (":authority", "a b"), (":path", "/x"), ("x", "y"), (":scheme", "https"),
        ]
        let some = RequestHead(refused: fields(pairs), assuming: .https)
        #expect(
            some.method == "?" && some.rawTarget == "/x" && some.authority(for: .https) == nil
                && some.scheme == .https
        )
        #expect(String(decoding: some.recorded, as: UTF8.self).contains("x: y\r\n"))
        let ports = [("a.test:8443", Scheme.https, 8443), ("a.test", .https, 443), ("a.test", .http, 80)]
        for (authority, scheme, port) in ports {
            for field in [":authority", "host"] {
                let named = RequestHead(refused: fields([(field, authority)]), assuming: scheme)
                #expect(named.authority(for: scheme) == Authority(host: .name("a.test"), port: UInt16(port)))
            }
        }
        let both = fields([(":authority", "a b"), ("host", "a.test")])
        #expect(RequestHead(refused: both, assuming: .https).authority(for: .https)?.host == .name("a.test"))
    }

    @Test("takes Host where there is no :authority, and CONNECT in both forms")
    func forms() throws {
        let pairs = [(":method", "GET"), (":scheme", "http"), (":path", "/"), ("host", "a.test:81")]
        #expect(try RequestHead(stream: fields(pairs), endsStream: true).authority(for: .http)?.port == 81)
        let plain = [(":method", "CONNECT"), (":authority", "a.test:443")]
        #expect(try RequestHead(stream: fields(plain), endsStream: true).rawTarget == "")
        let extended = try head([(":protocol", "websocket")], method: "CONNECT")
        #expect(extended.protocolName == "websocket" && extended.rawTarget == "/a?b")
    }

    @Test("reads the server of each request on a connection, whatever the last one was")
    func serversInTurn() throws {
        var last = LastStreamServer()
        func server(_ scheme: String, _ name: String) throws -> Authority? {
            let pairs = [(":method", "GET"), (":scheme", scheme), (":path", "/"), (":authority", name)]
            return try RequestHead(stream: fields(pairs), endsStream: true, after: &last).authority(
                for: .http
            )
        }
        #expect(try server("http", "a.example")?.description == "a.example:80")
        #expect(try server("http", "a.example")?.description == "a.example:80")
        #expect(try server("https", "a.example")?.description == "a.example:443")
        #expect(throws: StreamHeadFailure.self) { try server("https", "a:b") }
        #expect(throws: StreamHeadFailure.self) { try server("https", "a:b") }
        #expect(try server("https", "") == nil)
        #expect(try server("https", "b.example:8443")?.port == 8443)
    }

    @Test(
        "refuses requests that servers read differently",
        arguments: ["/a b", "/a#b", "a", "", "*"]
    )
    func badPath(path: String) {
        #expect(throws: StreamHeadFailure.self) { try head(path: path) }
    }

    @Test("refuses two names, user information, a foreign scheme and a CONNECT with a path")
    func refused() {
        #expect(throws: StreamHeadFailure.self) { try head([("host", "other.test")]) }
        #expect(throws: StreamHeadFailure.self) { try head(authority: "user@www.example.com") }
        #expect(throws: StreamHeadFailure.self) { try head(scheme: "ftp") }
        #expect(throws: StreamHeadFailure.self) { try head(method: "CONNECT") }
        #expect(throws: StreamHeadFailure.self) { try head(method: "G T") }
    }

    @Test("records the fields as they came, without the password of the proxy")
    func recorded() throws {
        let head = try head([("proxy-authorization", "Basic eA=="), ("x", "1"), ("x", "2")])
        #expect(
            String(decoding: head.recorded, as: UTF8.self)
                == "GET /a?b HTTP/2\r\n:method: GET\r\n:scheme: https\r\n:authority: www.example.com\r\n"
                + ":path: /a?b\r\nproxy-authorization: (removed)\r\nx: 1\r\nx: 2\r\n\r\n"
        )
    }

    @Test("becomes HTTP/1: Host first, crumbs joined, chunks where no length is known")
    func toHTTP1() throws {
        let head = try head(
            [
                ("cookie", "a=1"), ("x-b", "c"), ("cookie", "d=2"), ("te", "trailers"),
                ("host", "www.example.com"),
            ],
            method: "POST",
            endsStream: false
        )
        let translated = try head.http1()
        #expect(
            lines(translated.fields) == [
                "Host: www.example.com", "x-b: c", "cookie: a=1; d=2", "TE: trailers", "Connection: TE",
                "Transfer-Encoding: chunked",
            ]
        )
        #expect(translated.framing == .chunked && translated.rawTarget == "/a?b")
        #expect(try self.head(method: "POST").http1().framing == .length(0))
        #expect(try self.head().http1().framing == BodyFraming.none)
        #expect(try self.head([("content-length", "3")]).http1().framing == .length(3))
        #expect(try self.head(method: "OPTIONS", path: "*").http1().target == .asterisk)
    }

    @Test(
        "a path that is not UTF-8 passes in its bytes, both ways",
        arguments: [[0xff], [0xc3, 0x28], [0xef, 0xbf, 0xbd]]
    )
    func foreignPath(bytes: [UInt8]) throws {
        let path = Array("/a".utf8) + bytes + Array("?b".utf8)
        var fields = fields([(":method", "GET"), (":scheme", "https"), (":authority", "a.test")])
        fields.append(":path", path)
        let head = try RequestHead(stream: fields, endsStream: true)
        var line = ByteQueue()
        try HTTP1Writer.write(request: try head.http1(), into: &line)
        #expect(line.prefix().starts(with: Array("GET ".utf8) + path + Array(" HTTP/1.1\r\n".utf8)))
        #expect(head.recorded.starts(with: Array("GET ".utf8) + path + Array(" HTTP/2\r\n".utf8)))

        var reader = HTTP1Reader(reading: .requests, limits: Limits())
        guard case .request(let received)? = try reader.next(&line) else { throw Missing() }
        let authority = Authority(host: .name("a.test"), port: 443)
        let back = received.http2(scheme: .https, authority: authority)
        #expect(
            back.fields.indices.last { back.fields.isNamed(":path", at: $0) }.map {
                Array(back.fields.value(at: $0))
            } == path
        )
    }

    @Test("an extended CONNECT has no form in HTTP/1")
    func extendedConnect() throws {
        let head = try head([(":protocol", "websocket")], method: "CONNECT")
        #expect(throws: StreamHeadFailure.self) { try head.http1() }
    }

    @Test("comes from HTTP/1 without fields of the connection")
    func fromHTTP1() throws {
        let head = try http1(
            "POST /a HTTP/1.1\r\nHost: a.test\r\nConnection: keep-alive, X-Gone, TE\r\nX-Gone: 1\r\nTE: trailers\r\n"
                + "Upgrade: h2c\r\nHTTP2-Settings: x\r\nTransfer-Encoding: chunked\r\nX-Kept: Yes\r\n\r\n"
        )
        let authority = Authority(host: .name("a.test"), port: 443)
        let translated = head.http2(scheme: .https, authority: authority)
        #expect(
            lines(translated.fields) == [
                ":method: POST", ":scheme: https", ":authority: a.test", ":path: /a", "x-kept: Yes",
                "te: trailers",
            ]
        )
        let sized = try http1("PUT /a HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\n\r\n")
        #expect(sized.http2(scheme: .http, authority: authority).contentLength == 5)
    }
}
