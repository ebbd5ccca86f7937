import PinholeTrust
import Testing

@Suite("DomainRule")
struct DomainRuleTests {
    @Test(
        "covers the domain itself, one more label, or all subdomains",
        arguments: [
            ("example.com", true, true, true), ("a.example.com", false, true, true),
            ("b.a.example.com", false, false, true), ("notexample.com", false, false, false),
            ("com", false, false, false), ("example.com.test", false, false, false),
            (".example.com", false, true, true),
        ]
    )
    func reach(host: String, exact: Bool, oneLabel: Bool, everything: Bool) {
        #expect(DomainRule("example.com", .exact).matches(host) == exact)
        #expect(DomainRule("example.com", .oneLabel).matches(host) == oneLabel)
        #expect(DomainRule("example.com", .everything).matches(host) == everything)
    }

    @Test("an empty domain reaches nothing")
    func empty() {
        #expect(!DomainRule("", .everything).matches("example.com"))
    }

    @Test(
        "says why no host can match",
        arguments: [
            ("https://example.com", "URL"), ("example.com/path", "path"), ("*.example.com", "wildcard"),
            ("Example.com", "lower case"), ("example.com.", "dot"), (".example.com", "dot"),
            ("bücher.example", "A-label"), ("example.com:443", "port"), ("exa mple.com", "white space"),
            ("", "empty"), ("2001:DB8::1", "lower case"), ("2001:db8:0::1", "written"),
        ]
    )
    func faults(domain: String, word: String) throws {
        let fault = try #require(DomainRule(domain, .exact).fault)
        #expect(fault.contains(word), "\(fault)")
    }

    @Test(
        "finds nothing wrong with hosts",
        arguments: ["example.com", "xn--bcher-kva.example", "192.0.2.1", "::1", "nas"]
    )
    func right(domain: String) {
        #expect(DomainRule(domain, .exact).fault == nil)
    }

    @Test("a single label counts as a public suffix; the list of them is not known")
    func suffixes() {
        #expect(DomainRule("com", .everything).isSingleLabel)
        #expect(!DomainRule("co.uk", .everything).isSingleLabel)
    }
}
