import PinholeModel
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
        "refuses what is no authority",
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
}
