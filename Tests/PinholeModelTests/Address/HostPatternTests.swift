import PinholeModel
import Testing

@Suite("HostPattern")
struct HostPatternTests {
    @Test(
        "matches",
        arguments: [
            ("example.com", "example.com:443"), ("Example.COM.", "example.com:1"), ("*", "example.com:443"),
            ("*", "[::1]:443"), ("*.example.com", "a.example.com:443"),
            ("*.example.com", "a.b.example.com:443"),
            ("*example.com", "example.com:443"), ("api-*.example.*", "api-7.example.org:443"),
            ("*:8443", "example.com:8443"), ("example.com:443", "example.com:443"),
            ("192.0.2.*", "192.0.2.77:443"),
            ("2001:db8:0:0::1", "[2001:db8::1]:443"), ("[2001:DB8::1]:443", "[2001:db8::1]:443"),
            ("[::1]", "[::1]:80"), ("a*b*c", "aXbbXbc:443"), ("**", "example.com:443"),
        ]
    )
    func matches(pattern: String, authority: String) throws {
        #expect(try HostPattern(pattern).matches(Authority(authority)))
    }

    @Test(
        "does not match",
        arguments: [
            ("example.com", "www.example.com:443"), ("example.com", "example.com.evil.test:443"),
            ("*.example.com", "example.com:443"), ("*.example.com", "badexample.com:443"),
            ("example.com:443", "example.com:8443"), ("*:8443", "example.com:443"), ("a*b*c", "aXbbXb:443"),
            ("192.0.2.*", "192.0.20.1:443"), ("::1", "127.0.0.1:443"), ("exampleXcom", "example.com:443"),
        ]
    )
    func differs(pattern: String, authority: String) throws {
        #expect(try !HostPattern(pattern).matches(Authority(authority)))
    }

    @Test(
        "refuses patterns that match no host",
        arguments: [
            "", ".", ":443", "example.com:", "example.com:0", "example.com:65536", "example.com:+443",
            "example.com:x", "https://example.com", "example.com/path", "a b", "!example.com", "[::1",
            "[::g]",
            "[example.com]", "b\u{fc}cher.example", "^.*$", "..", "shop..example.com", ".example.com",
            "127.1",
            "*..example.com", "*" + String(repeating: "a", count: 253),
            String(repeating: "a.", count: 2500) + "b",
        ]
    )
    func refuses(text: String) {
        #expect(throws: AddressFailure.self) { try HostPattern(text) }
    }

    @Test("calls an invalid pattern a pattern, and not an address")
    func sentence() {
        let failure = #expect(throws: AddressFailure.self) { try HostPattern("a b") }
        #expect(
            failure?.description.hasPrefix("“a b” is not a valid pattern of hosts: expected letters") == true
        )
    }

    @Test("keeps the text as it was written")
    func text() throws {
        #expect(try HostPattern("*.Example.com:443").description == "*.Example.com:443")
    }

    @Test("needs no more than quadratic time for a hostile pattern")
    func hostile() throws {
        let pattern = try HostPattern(String(repeating: "a*", count: 100) + "b")
        let name = [String](repeating: String(repeating: "a", count: 62), count: 4).joined(separator: ".")
        #expect(try !pattern.matches(Authority("\(name):443")))
    }
}

@Suite("HostRules")
struct HostRulesTests {
    @Test(
        "lets the last rule that matches decide",
        arguments: [
            ("a.example.com:443", true, "*.example.com"), ("b.example.com:443", false, "!b.example.com"),
            ("c.b.example.com:443", true, "*.b.example.com"), ("example.org:443", false, nil),
        ]
    )
    func lastDecides(authority: String, isIn: Bool, rule: String?) throws {
        let rules = try HostRules(["*.example.com", "!b.example.com", "*.b.example.com"])
        #expect(try rules.contains(Authority(authority)) == isIn)
        #expect(try rules.deciding(Authority(authority))?.description == rule)
    }

    @Test("takes nothing in when it is empty")
    func empty() throws {
        #expect(try !HostRules().contains(Authority("example.com:443")))
    }

    @Test("refuses a list with an invalid rule")
    func refuses() {
        #expect(throws: AddressFailure.self) { try HostRules(["*", "!!example.com"]) }
        #expect(throws: AddressFailure.self) { try HostRules(["!"]) }
    }
}

extension HostRules {
    /// Whether the rules include `authority`.
    fileprivate func contains(_ authority: Authority) -> Bool {
        deciding(authority).map { !$0.isNegated } ?? false
    }
}
