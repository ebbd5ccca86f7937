import PinholeModel
import Testing

@testable import PinholeProxy

@Suite("InterceptionRules")
struct InterceptionRulesTests {
    private func decide(_ rules: [String], _ authority: String) throws -> InterceptionRules.Decision {
        try InterceptionRules(passthrough: HostRules(rules)).decide(Authority(authority))
    }

    @Test("the last rule that matches decides, and is named")
    func rules() throws {
        let rules = ["*.bank.test", "!www.bank.test", "*:8443"]
        for (authority, treatment, rule) in [
            ("a.bank.test:443", Treatment.passedThrough, "“*.bank.test”"),
            ("www.bank.test:443", .intercepted, "“!www.bank.test”"),
            ("www.bank.test:8443", .passedThrough, "“*:8443”"),
            ("bank.test:443", .intercepted, "no rule"), ("A.BANK.test:443", .passedThrough, "“*.bank.test”"),
        ] {
            let decision = try decide(rules, authority)
            #expect(decision.treatment == treatment, "\(authority)")
            #expect(decision.reason.contains(rule), "\(decision.reason)")
        }
    }

    @Test("passes through hosts that the CA may not sign for, unless a rule says otherwise")
    func permitted() throws {
        var rules = InterceptionRules(passthrough: try HostRules()) { $0.description.hasSuffix(".mine.test") }
        #expect(rules.decide(try Authority("a.mine.test:443")).treatment == .intercepted)
        let decision = rules.decide(try Authority("other.test:443"))
        #expect(decision.treatment == .passedThrough && decision.reason.contains("ca.permittedDomains"))
        rules.passthrough = try HostRules(["!other.test"])
        #expect(rules.decide(try Authority("other.test:443")).treatment == .intercepted)
    }
}
