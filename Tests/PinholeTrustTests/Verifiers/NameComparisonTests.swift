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
}
