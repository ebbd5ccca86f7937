import PinholeModel
import Testing

@Suite("Host")
struct HostTests {
    @Test(
        "parses names in lower case and without the last dot",
        arguments: [
            ("Example.COM", "example.com"), ("example.com.", "example.com"), ("localhost", "localhost"),
            ("_dmarc.example.com", "_dmarc.example.com"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("1.example", "1.example"), ("3com", "3com"),
        ]
    )
    func names(text: String, expected: String) throws {
        let host = try Host(text)
        #expect(host.name == expected)
        #expect(host.address == nil)
        #expect(host.uriText == expected)
    }

    @Test(
        "parses addresses and writes IPv6 in brackets in a URL",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("2001:DB8::1", "[2001:db8::1]"), ("[2001:db8::1]", "[2001:db8::1]"),
        ]
    )
    func addresses(text: String, uriText: String) throws {
        let host = try Host(text)
        #expect(host.name == nil)
        #expect(host.address != nil)
        #expect(host.uriText == uriText)
    }

    @Test(
        "refuses other values",
        arguments: [
            "", ".", "..", "a..b", ".a", "a b", "a/b", "a@b", "*", "[192.0.2.1]", "[example.com]", "[::1",
            "b\u{fc}cher.example", "127.1", "1.2.3.4.5", "0x7f.0.0.1", "256.0.0.1", "example.1", "a\u{0}b",
            "a\r\nb", String(repeating: "a", count: 64),
            String(repeating: "a.", count: 128),
        ]
    )
    func refuses(text: String) {
        #expect(throws: AddressFailure.self) { try Host(text) }
    }

    @Test("takes names up to the limits of DNS")
    func limits() throws {
        let label = String(repeating: "a", count: 63)
        let name = "\(label).\(label).\(label).\(String(repeating: "b", count: 61))"
        #expect(name.utf8.count == 253)
        #expect(try Host(name).name == name)
        #expect(throws: AddressFailure.self) { try Host(name + "b") }
    }

    @Test("tells how to write an internationalised name")
    func internationalised() {
        #expect {
            try Host("b\u{fc}cher.example")
        } throws: { error in
            String(describing: error).contains("xn--")
        }
    }
}
