import Foundation
import PinholeContent
import PinholeModel
import PinholeStore
import Testing

@testable import PinholeFormats

@Suite("Redaction")
struct RedactionTests {
    private static func found(_ text: String) -> [String] {
        let content = Array(text.utf8)
        return SecretPatterns.all(in: content).map { found in
            "\(found.kind.rawValue) \(String(decoding: content[found.range], as: UTF8.self))"
        }
    }

    @Test("secrets are recognised by their form")
    func patterns() {
        #expect(
            Self.found("mail <a.b+c@mail.example.org>, not a@b, @c.de or x@1.2") == [
                "email a.b+c@mail.example.org"
            ]
        )
        #expect(
            Self.found("4111-1111-1111-1111 4111111111111112 378282246310005") == [
                "card 4111-1111-1111-1111", "card 378282246310005",
            ]
        )
        // Times and identifiers are no cards.
        #expect(Self.found("1795766881962 12345678901234567 x4111111111111111") == [])
        #expect(
            Self.found("+49 (30) 901820, +1-202-555-0143. +0123456789 +12") == [
                "phone +49 (30) 901820", "phone +1-202-555-0143",
            ]
        )
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
        #expect(Self.found("t=\(jwt); eyJ") == ["token \(jwt)"])
        let key = "ghp_" + String(repeating: "a1", count: 18)
        #expect(Self.found("\(key) xghp_\(key) AKIA12") == ["token \(key)"])
        let pem = "-----BEGIN EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY-----"
        #expect(Self.found("x\(pem)y") == ["token \(pem)"])
        #expect(Self.found("-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----") == [])
    }

    @Test("a long content of beginnings of secrets has none, and is read to its end")
    func beginnings() {
        // A search that reads on from each beginning would take minutes, by its 3.3 s for 20 KB in an optimised build.
        for (piece, end) in [
            ("eyJ-", ""), ("-----BEGIN PRIVATE KEY-----", ""), ("-----BEGIN PRIVATE KEY-----", "-----END "),
            ("4 ", ""), ("1 ", ""), ("@a.", ""), ("+1", ""), ("sk_", ""), ("-----BEGIN ", ""),
        ] {
            let content = Array((String(repeating: piece, count: 16_000) + end).utf8)
            #expect(SecretPatterns.all(in: content).isEmpty, "\(piece)")
        }
        #expect(
            Self.found("eyJ-eyJ-a.\(String(repeating: "b", count: 30))") == [
                "token eyJ-eyJ-a.\(String(repeating: "b", count: 30))"
            ]
        )
    }

    private static func redacted(_ text: String, _ form: SecretFinder.Form) -> String {
        var redactor = Redactor(SecretFinder(names: ["X-Customer"]))
        redactor.collect(Array(text.utf8), form)
        redactor.prepare()
        let bytes = redactor.redacted(Array(text.utf8), form)
        return String(decoding: bytes, as: UTF8.self).replacing(/-[0-9a-f]{12}/, with: "")
    }

    @Test("values are secret by their names, and JSON stays JSON")
    func named() throws {
        let json =
            #"{"password":"a\"b","pin":1234,"n":1,"list":[{"access_token":"t","code":5}],"xcustomer":"me","#
        let clean = Self.redacted(json + #""last":true}"#, .json)
        #expect(
            clean == #"{"password":"redacted-credential","pin":"redacted-credential","n":1,"#
                + #""list":[{"access_token":"redacted-credential","code":5}],"xcustomer":"redacted-credential","last":true}"#
        )
        _ = try JSONValue(parsing: Array(clean.utf8))
        #expect(
            Self.redacted("code=1&a=2&pass=x+y&mail=a%40example.org", .form)
                == "code=redacted-credential&a=2&pass=redacted-credential&mail=redacted-email"
        )
        let part = "--b\r\nContent-Disposition: form-data; name=\"secret\"\r\n\r\nhush\r\n--b--"
        #expect(Self.redacted(part, .multipart) == part.replacing("hush", with: "redacted-credential"))
        // A text that was cut off is no reason to miss what is in it.
        #expect(Self.redacted(#"{"token":"abc"#, .json) == #"{"token":"redacted-credential"#)
        #expect(Self.redacted(#"{"token":"a\"#, .json) == #"{"token":"redacted-credential"#)
    }

    @Test("lists and objects with a secret name are secret as a whole")
    func nested() {
        let json =
            #"{"tokens":["tok-a",7],"session":{"key":"k1","of":{"id":"i1"}},"open":["o1"],"a":{"b":"c1"}}"#
        let clean = Self.redacted(json, .json)
        for secret in ["tok-a", "k1", "i1"] { #expect(!clean.contains("\"\(secret)\""), "\(clean)") }
        for open in ["o1", "c1"] { #expect(clean.contains("\"\(open)\""), "\(clean)") }
    }

    @Test(
        "a secret is found whatever characters of it are escaped",
        arguments: [
            ("hunter2\\u002dZebra\\u0021Quilt99", SecretFinder.Form.json),
            ("hunter2-Zebra&#33;Quilt99", .text),
            ("hunter2&#x2d;Zebra!Quilt99", .text), ("b=hunter2%2DZebra%21Quilt99", .form),
            ("c=%68unter2-Zebra!Quilt99", .form), ("mail <alice.wonder&#64;example.com>", .text),
        ]
    )
    func escapes(_ text: String, _ form: SecretFinder.Form) {
        var redactor = Redactor(SecretFinder())
        redactor.collect(Array(#"{"password":"hunter2-Zebra!Quilt99"}"#.utf8), .json)
        redactor.collect(Array(text.utf8), form)
        redactor.prepare()
        let clean = redactor.redacted(Array(text.utf8), form)
        #expect(String(decoding: clean, as: UTF8.self).contains("redacted-"))
        #expect(redactor.occurrences(in: clean).isEmpty)
    }

    @Test("a fragment of a URL is read like its query")
    func fragment() {
        let head = "HTTP/1.1 302 Found\r\nLocation: http://a.test/x#access_token=wonder-7781&a=1\r\n\r\n"
        var redactor = Redactor(SecretFinder())
        redactor.collect(Redactor.Message(head: Array(head.utf8)))
        redactor.prepare()
        let clean = String(decoding: redactor.redacted(head: Array(head.utf8)), as: UTF8.self)
        #expect(!clean.contains("wonder-7781") && clean.contains("&a=1"))
    }

    @Test("a secret on the folded line of a field is found everywhere")
    func folded() {
        let head = "HTTP/1.1 200 OK\r\nAuthorization: Bearer\r\n wonder-7781-quilt-zebra\r\nA: b\r\n\r\n"
        var redactor = Redactor(SecretFinder())
        redactor.collect(Redactor.Message(head: Array(head.utf8)))
        redactor.prepare()
        let clean = redactor.redacted(Array("it is wonder-7781-quilt-zebra".utf8), .text)
        #expect(!String(decoding: clean, as: UTF8.self).contains("wonder-7781"))
    }

    @Test("a kept kind of secret stays, whether its name or its form shows the kind")
    func kept() {
        let text = #"{"password":"hush","mail":"a@example.org"}"#
        for (kind, left) in [(Secret.Kind.credential, "hush"), (.email, "a@example.org")] {
            var redactor = Redactor(SecretFinder(keeping: [kind]))
            redactor.collect(Array(text.utf8), .json)
            redactor.prepare()
            let clean = String(decoding: redactor.redacted(Array(text.utf8), .json), as: UTF8.self)
            #expect(clean.contains(left) && clean.contains("redacted-"), "\(clean)")
        }
        let head = Array("GET / HTTP/1.1\r\nCookie: a=1\r\n\r\n".utf8)
        #expect(Redactor(SecretFinder(keeping: [.cookie])).redacted(head: head) == head)
    }

    @Test("heads are searched line by line")
    func heads() {
        let head = """
            GET /a?token=t1&page=2 HTTP/1.1\r
            Host: a.test\r
            Authorization: Bearer abc.def\r
            Cookie: id=123; theme=dark\r
            X-Api-Key: k\r
            X-Customer: me\r
            Referer: https://u:p@b.test/?sid=9\r
            Accept: a/b\r
            \r

            """
        var redactor = Redactor(SecretFinder(names: ["X-Customer"]))
        redactor.prepare()
        let clean = String(decoding: redactor.redacted(head: Array(head.utf8)), as: UTF8.self)
            .replacing(/redacted-([a-z]+)-[0-9a-f]{12}/) { "<\($0.output.1)>" }
        #expect(
            clean == """
                GET /a?token=<credential>&page=2 HTTP/1.1\r
                Host: a.test\r
                Authorization: Bearer <credential>\r
                Cookie: id=<cookie>; theme=<cookie>\r
                X-Api-Key: <credential>\r
                X-Customer: <credential>\r
                Referer: https://<credential>@b.test/?sid=<credential>\r
                Accept: a/b\r
                \r

                """
        )
    }

    @Test("a value is found in every encoding, at each position within Base64", arguments: 0..<40)
    func spellings(seed: Int) throws {
        let alphabet = Array(#"abcXYZ019 /+"'<>&%ü€\="#)
        var generator = SeededGenerator(state: UInt64(seed))
        let value = String(
            (0..<Int.random(in: 8...24, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? "a"
            }
        )
        let bytes = Array(value.utf8)
        let around = String((0..<seed % 5).map { _ in "z" })
        let data = Data((around + value + around).utf8)
        let json = String(decoding: try JSONSerialization.data(withJSONObject: [value]), as: UTF8.self)
        let escaped = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        var redactor = Redactor(SecretFinder(), named: [value])
        redactor.prepare()
        let spelled: [(Spelling, String)] = [
            (.plain, value), (.json, json), (.base64, data.base64EncodedString()), (.percent, escaped),
            (.percent, escaped.lowercased()), (.hex, bytes.map { String(format: "%02x", $0) }.joined()),
            (.hex, bytes.map { String(format: "%02X", $0) }.joined()),
            (
                .html,
                value.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            ),
        ]
        for (spelling, text) in spelled where spelling != .percent || !value.contains(where: \.isUppercase) {
            let content = Array("before \(text) after".utf8)
            #expect(!redactor.occurrences(in: content).isEmpty, "\(spelling): \(text)")
            let clean = redactor.redacted("before \(text) after")
            #expect(redactor.occurrences(in: Array(clean.utf8)).isEmpty, "\(clean)")
        }
    }

    @Test("a compressed body is compressed again, and its length agrees")
    func compressed() throws {
        let content = Array(#"{"password":"correct horse battery"}"#.utf8)
        let body = try #require(ContentEncoder.encode(content, codings: ["gzip"]))
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\nA: b\r\n\r\n"
        let message = Redactor.Message(head: Array(head.utf8), body: body)
        var redactor = Redactor(SecretFinder())
        redactor.collect(message)
        redactor.prepare()
        let (clean, hasBody) = redactor.redacted(message)
        #expect(hasBody)
        let plain = try ContentDecoder.decode(clean.body, codings: ["gzip"])
        #expect(String(decoding: plain, as: UTF8.self).hasPrefix(#"{"password":"redacted-credential-"#))
        let fields = MessageRecord(head: clean.head).fields
        #expect(fields.first("content-length") == String(clean.body.count) && fields.first("a") == "b")
        let broken = Redactor.Message(head: Array(head.utf8), body: [1, 2, 3])
        #expect(redactor.redacted(broken).hasBody == false)
    }

    @Test("content with counted lengths keeps them, and equal values get equal tags")
    func binary() throws {
        var content: [UInt8] = [0, 0, 0, 0, 19, 0x0a, 17] + Array("alice@example.com".utf8)
        content += content
        var redactor = Redactor(SecretFinder())
        redactor.collect(content, .binary)
        redactor.prepare()
        let clean = redactor.redacted(content, .binary)
        #expect(
            clean.count == content.count && clean[..<24] == clean[24...]
                && Array(clean[..<7]) == Array(content[..<7])
        )
        #expect(redactor.occurrences(in: clean).isEmpty)
    }
}

/// A generator whose numbers depend on its seed only.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
