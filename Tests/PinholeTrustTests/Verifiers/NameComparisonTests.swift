import Testing

@testable import PinholeTrust

/// Names before constraints, without certificates.
@Suite("Name comparison")
struct NameComparisonTests {
    @Test("an identifier is written as its numbers", arguments: ["2.5.29.32.0", "1.3.6.1.4.1.311.10.3.3"])
    func identifiers(_ text: String) {
        let known: [ObjectID] = [.anyPolicy, .microsoftGatedCrypto]
        #expect(known.map(\.description).contains(text))
    }

    @Test("a mailbox needs one @ with text on both sides, or quotes")
    func mailboxes() {
        for text in ["a@b.test", "\"a@c\"@b.test"] { #expect(MailComparison.isMailbox(text)) }
        for text in ["", "b.test", "@b.test", "a@", "a@c@b.test"] { #expect(!MailComparison.isMailbox(text)) }
    }

    @Test("a constraint with a dot at its beginning covers only the names below it")
    func domains() {
        let comparison = DomainComparison(rules: NameConstraintRules())
        #expect(comparison.covers("b.test", "b.test", isExcluding: false))
        #expect(comparison.covers("b.test", "a.b.test", isExcluding: false))
        #expect(!comparison.covers("b.test", "ab.test", isExcluding: false))
        #expect(!comparison.covers(".b.test", "b.test", isExcluding: false))
        #expect(comparison.covers(".b.test", "a.b.test", isExcluding: false))
    }

    @Test("the host of a URI is a name; an address has none")
    func hostsOfURIs() {
        #expect(DomainComparison.host(ofURI: "https://u@A.b.test:8443/x?y") == "a.b.test")
        for text in ["mailto:a@b.test", "https://192.0.2.1/", "https://[2001:db8::1]/", "https:///x", ""] {
            #expect(DomainComparison.host(ofURI: text) == nil)
        }
    }

    @Test("a malformed URI has no host")
    func malformedURIs() {
        for text in ["https://a.test@/", "mailto:x?y=://a.test", "://a.test", "//a.test"] {
            #expect(DomainComparison.host(ofURI: text) == nil)
        }
    }

    @Test("a constraint on hosts has labels of letters, digits and hyphens, without a wildcard or a scheme")
    func constraints() {
        for text in ["", ".", "a.test", ".a.test", "a.test.", "_x.a-b.test"] {
            #expect(DomainComparison.isConstraint(text, .names))
        }
        for text in ["*.a.test", "https://a.test", "..", "a..test", "[::1]", "a b"] {
            #expect(!DomainComparison.isConstraint(text, .names))
        }
        for text in ["*.a.test", "."] { #expect(DomainComparison.isConstraint(text, .labels)) }
        for text in ["a.test.", "a..test", "a b"] { #expect(!DomainComparison.isConstraint(text, .labels)) }
        for text in ["a@b.test", "b.test", ".b.test"] { #expect(MailComparison.isConstraint(text, .labels)) }
        for text in ["@b.test", "a@", "a@b@c.test", "b.test."] {
            #expect(!MailComparison.isConstraint(text, .labels))
        }
    }

    @Test("a dot at the end of a URI's host does not hide it from a constraint")
    func rootOfURI() {
        let comparison = DomainComparison(rules: VerifierProfile.rfc5280.nameConstraints)
        #expect(comparison.coversURI("a.test", "a.test.", isExcluding: true))
        #expect(comparison.coversURI("", "a.test", isExcluding: true))
        #expect(!comparison.coversURI("", "a.test", isExcluding: false))
        let go = DomainComparison(rules: VerifierProfile.go.nameConstraints)
        #expect(go.coversURI("", "a.test", isExcluding: false))
        #expect(go.coversURI("a.test", "b.a.test", isExcluding: true))
        #expect(MailComparison(rules: NameConstraintRules().mail).covers("a.test", "x@a.test."))
    }
}
