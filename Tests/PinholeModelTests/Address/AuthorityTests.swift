import PinholeModel
import PinholeTestKit
import Testing

@Suite("Authority")
struct AuthorityTests {
    @Test(
        "parses host and port",
        arguments: [
            ("example.com:443", "example.com:443"), ("EXAMPLE.com.:1", "example.com:1"),
            ("[::1]:8443", "[::1]:8443"),
            ("192.0.2.7:80", "192.0.2.7:80"), ("_sip._tcp.example.com:5061", "_sip._tcp.example.com:5061"),
        ]
    )
    func parses(text: String, expected: String) throws {
        #expect(try Authority(text).description == expected)
    }

    @Test(
        "refuses an invalid authority",
        arguments: [
            "example.com", "example.com:0", "example.com:65536", "example.com:+1", ":443", "a..b:1",
            "[::1:443", "::1:443",
            "exa mple:1", "127.1:80", "0x7f.1:80", "b\u{fc}cher.example:443", "user@host:80",
            "[127.0.0.1]:80",
        ]
    )
    func refuses(text: String) {
        #expect(throws: AddressFailure.self) { try Authority(text) }
    }

    @Test("takes the default port only where none is written")
    func defaultPort() throws {
        #expect(try Authority("example.com", defaultPort: 443).description == "example.com:443")
        #expect(try Authority("[::1]", defaultPort: 443).description == "[::1]:443")
        #expect(try Authority("example.com:80", defaultPort: 443).port == 80)
        #expect(throws: AddressFailure.self) { try Authority("example.com:", defaultPort: 443) }
        #expect(throws: AddressFailure.self) { try Authority("", defaultPort: 443) }
    }

    @Test("leaves the scheme's own port out of a URL")
    func urlText() throws {
        let authority = try Authority("[2001:DB8::1]:443")
        #expect(authority.text(defaultPort: 443) == "[2001:db8::1]")
        #expect(authority.text(defaultPort: 80) == "[2001:db8::1]:443")
    }

    @Test("names the found and the expected value")
    func failure() {
        #expect {
            try Authority("example.com:99999")
        } throws: { error in
            let text = String(describing: error)
            return text.contains("example.com:99999") && text.contains("a port of 1 to 65535")
        }
    }

    @Test("survives any text", arguments: 0..<50)
    func anyText(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let alphabet = Array("a0.:[]*-_@/% \u{0}\u{e9}xX1f")
        for _ in 0..<100 {
            let length = Int.random(in: 0...12, using: &random)
            let text = String((0..<length).compactMap { _ in alphabet.randomElement(using: &random) })
            guard let authority = try? Authority(text) else { continue }
            #expect((try? Authority(authority.description)) == authority, "“\(text)”")
        }
    }
}
