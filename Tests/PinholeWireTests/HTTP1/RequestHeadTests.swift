import PinholeModel
import PinholeWire
import Testing

@Suite("RequestHead")
struct RequestHeadTests {
    private static let fields = HeaderFields(section: "Host: b:81\r\n".utf8)

    @Test("a head that was made here has the target of its form")
    func madeHere() throws {
        let server = try Authority("[::1]:80")
        let rows: [(String, RequestTarget, String, String)] = [
            ("GET", .origin("/a"), "/a", "b:81"), ("OPTIONS", .asterisk, "*", "b:81"),
            ("CONNECT", .authority(server), "[::1]:80", "[::1]:80"),
            ("GET", .absolute(.http, server, path: "/a"), "http://[::1]/a", "[::1]:80"),
            ("OPTIONS", .absolute(.https, server, path: "*"), "https://[::1]:80", "[::1]:80"),
        ]
        for (method, target, raw, authority) in rows {
            let head = RequestHead(method: method, target: target, fields: Self.fields)
            #expect(head.rawTarget == raw)
            #expect(head.authority(for: .http)?.description == authority)
            #expect(try RequestTarget(raw, method: method) == target)
        }
    }

    @Test(
        "a refused target is quoted without its user name and password",
        arguments: [
            ("GET", "http://ann:hunter2@b.test/"), ("CONNECT", "ann:hunter2@b.test:443"),
            ("GET", "ftp://ann:hunter2@b.test/"),
            ("GET", "http://ann:\(String(repeating: "x", count: 70))hunter2@b.test/"),
        ]
    )
    func refusedTarget(_ method: String, _ target: String) {
        let failure = #expect(throws: HTTP1Failure.self) { try RequestTarget(target, method: method) }
        #expect(failure?.detail.contains("...@b.test") == true)
        #expect(failure?.detail.contains("hunter2") == false && failure?.detail.contains("xxx") == false)
    }

    @Test("the record of a refused stream has neither")
    func refusedStream() throws {
        var fields = HeaderFields()
        for (name, value) in [
            (":method", "GET"), (":scheme", "https"), (":authority", "ann:hunter2@b.test"),
            (":path", "http://ann:hunter2@b.test/"),
        ] { fields.append(name, value) }
        let head = RequestHead(refused: fields, assuming: .https)
        #expect(head.rawTarget == "http://…@b.test/")
        #expect(head.fields.first(":authority") == "…@b.test")
    }

    @Test("takes the port of the scheme where Host has none, and nothing where there is no Host")
    func authority() throws {
        let bare = HeaderFields(section: "Host: b\r\n".utf8)
        let head = RequestHead(method: "GET", target: .origin("/"), fields: bare)
        #expect(head.authority(for: .http)?.port == 80)
        #expect(head.authority(for: .https)?.port == 443)
        let none = RequestHead(method: "GET", target: .origin("/"), version: .http10, fields: HeaderFields())
        #expect(none.authority(for: .http) == nil)
        #expect(none.host == nil)
        #expect(try HostField(Array("b:1".utf8)[...]).authority(for: .http).port == 1)
    }
}
