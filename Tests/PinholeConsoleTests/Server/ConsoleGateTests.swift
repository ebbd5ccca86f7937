import PinholeModel
import PinholeRuntime
import PinholeWire
import Testing

@testable import PinholeConsole

/// Who may ask: a row for each way in which other tools let strangers ask.
@Suite("ConsoleGate")
struct ConsoleGateTests {
    private let token = AccessToken()

    private func status(
        _ method: String = "GET",
        _ target: String = "/api/state",
        host: String = "127.0.0.1:8081",
        fields: [(String, String)] = [],
        isKnown: Bool = true
    ) throws -> Int? {
        try answer(method, target, host: host, fields: fields, isKnown: isKnown)?.status
    }

    private func answer(
        _ method: String = "GET",
        _ target: String = "/api/state",
        host: String = "127.0.0.1:8081",
        fields: [(String, String)] = [],
        isKnown: Bool = true
    ) throws -> ConsoleAnswer? {
        let loopback = try #require(IPAddress(bytes: [127, 0, 0, 1]))
        let gate = ConsoleGate(token: token, address: SocketAddress(loopback, port: 8081))
        let known = isKnown ? [("Authorization", "Bearer \(token.text)")] : []
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        for (name, value) in fields + known { text += "\(name): \(value)\r\n" }
        var reader = HTTP1Reader(reading: .requests, limits: Limits())
        var input = ByteQueue(Array((text + "\r\n").utf8))
        guard case .request(let head) = try reader.next(&input) else {
            Issue.record("no head in \(text)")
            return nil
        }
        guard case .refused(let answer) = gate.admission(of: head) else { return nil }
        return answer
    }

    @Test(
        "the token is asked for on every path, the page's files too",
        arguments: ["/api/state", "/", "/app.js", "/api/x"]
    )
    func tokenMissing(target: String) throws {
        #expect(try status(target == "/" ? "GET" : "HEAD", target, isKnown: false) == 401)
        #expect(try status("GET", target) == nil)
    }

    @Test("a token is taken from Authorization or from our cookie, whole and nowhere else")
    func ways() throws {
        let (text, half) = (token.text, String(token.text.dropLast()))
        func asks(_ name: String, _ value: String) throws -> Int? {
            try status(fields: [(name, value)], isKnown: false)
        }
        #expect(try asks("Authorization", "bearer \(text)") == nil)
        #expect(try asks("Cookie", "a=b; pinhole-token-8081=\(text); c=d") == nil)
        #expect(try asks("Authorization", "Bearer \(half)") == 401)
        #expect(try asks("Authorization", "Bearer \(text)x") == 401)
        #expect(try asks("Authorization", "Basic \(text)") == 401)
        #expect(try asks("Authorization", "Bearer") == 401)
        #expect(try asks("Cookie", "pinhole-token-8082=\(text)") == 401)
        #expect(try asks("Cookie", "xpinhole-token-8081=\(text)") == 401)
        #expect(try status("GET", "/api/state?token=\(text)", isKnown: false) == 401)
    }

    @Test("a missing token and a wrong token get different answers")
    func wrongToken() throws {
        func text(_ fields: [(String, String)]) throws -> String {
            guard
                case .bytes(let bytes)? = try answer("GET", "/api/state", fields: fields, isKnown: false)?
                    .body
            else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(try text([]).contains("token missing") && text([]).contains("found none"))
        for field in [("Authorization", "Bearer \(token.text)x"), ("Cookie", "pinhole-token-8081=x")] {
            #expect(try text([field]).contains("token wrong") && text([field]).contains("found another one"))
        }
        #expect(try text([("Cookie", "pinhole-token-9999=x")]).contains("token missing"))
    }

    @Test("the URL with the token sets the cookie, and the token is gone from the address")
    func signIn() throws {
        let answer = try #require(try answer("GET", "/?token=\(token.text)", isKnown: false))
        #expect(answer.status == 303)
        #expect(answer.fields.contains { $0 == ("Location", "/") })
        let cookie = answer.fields.first { $0.name == "Set-Cookie" }?.value
        #expect(cookie == "pinhole-token-8081=\(token.text); HttpOnly; SameSite=Strict; Path=/")
        #expect(try status("GET", "/?token=wrong", isKnown: false) == 401)
        #expect(try status("POST", "/?token=\(token.text)", isKnown: false) == 401)
    }

    @Test(
        "DNS rebinding: a name that is not ours is refused, with the token too",
        arguments: [
            "evil.example:8081", "127.0.0.1", "127.0.0.1:80", "localhost:8082", "localhost.evil.example:8081",
            "0.0.0.0:8081", "127.0.0.2:8081", "192.168.1.7:8081", "[::ffff:127.0.0.1]:8081",
            "pinhole.test:8081",
        ]
    )
    func foreignName(host: String) throws {
        #expect(try status(host: host) == 421)
    }

    @Test("our own names", arguments: ["127.0.0.1:8081", "localhost:8081", "LocalHost:8081", "[::1]:8081"])
    func ownName(host: String) throws {
        #expect(try status(host: host) == nil)
    }

    @Test(
        "a request as a proxy gets it is refused",
        arguments: ["http://127.0.0.1:8081/api/state", "http://evil.example/"]
    )
    func absoluteForm(target: String) throws {
        let host = target.contains("evil") ? "evil.example" : "127.0.0.1:8081"
        #expect(try status("GET", target, host: host) == 421)
    }

    @Test(
        "a foreign page changes nothing and asks for nothing",
        arguments: [
            ("GET", "/api/export?format=har"), ("GET", "/api/traffic/index?filter=~b%20x"),
            ("HEAD", "/api/state"), ("GET", "/%61pi/state"), ("GET", "/api/lab/%65vents"),
            ("DELETE", "/api/traffic"), ("PATCH", "/api/traffic/1"), ("PUT", "/api/recording"),
            ("GET", "/api/events"), ("GET", "/api/lab/events"), ("POST", "/api/lab/run"),
            ("POST", "/api/send"), ("POST", "/api/browser"), ("DELETE", "/api/browser/1"),
            ("POST", "/api/classroom"), ("PUT", "/api/settings"),
            ("PUT", "/api/settings/file"), ("PUT", "/api/rules"),
            ("DELETE", "/api/lab/run"),
        ]
    )
    func foreignPage(method: String, target: String) throws {
        for (name, value) in [
            ("Origin", "http://evil.example"), ("Origin", "null"), ("Origin", "http://127.0.0.1:3000"),
            ("Origin", "https://127.0.0.1:8081"), ("Origin", "http://localhost:8081"),
            ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"),
        ] {
            #expect(try status(method, target, fields: [(name, value)]) == 403, "\(name): \(value)")
        }
        let own = [("Origin", "http://127.0.0.1:8081"), ("Sec-Fetch-Site", "same-origin")]
        #expect(try status(method, target, fields: own) == nil)
        #expect(try status(method, target, fields: [("Sec-Fetch-Site", "none")]) == nil)
        #expect(try status(method, target) == nil)
    }

    @Test("a link on another page may lead to ours, which asks for the token")
    func link() throws {
        let fields = [("Sec-Fetch-Site", "cross-site")]
        #expect(try status("GET", "/", fields: fields) == nil)
        #expect(try status("GET", "/", fields: fields, isKnown: false) == 401)
    }
}
