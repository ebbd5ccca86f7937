import PinholeModel
import PinholeTrust
import Testing

@Suite("ServerVerification")
struct ServerVerificationTests {
    private let leaf = FakeFacts.certificate("leaf")
    private let other = FakeFacts.certificate("other")
    private let root = FakeFacts.certificate("root")
    private var evaluator: TableEvaluator { TableEvaluator(root: root) }
    private var evidence: Evidence { FakeFacts.evidence([leaf]) }

    private func key(_ certificate: CertificateFacts) -> PinnedValue {
        PinnedValue(FakeFacts.pin(certificate))
    }

    @Test("an unchecked chain passes with a pin of the leaf, and without pins everything passes")
    func unchecked() {
        let faulty = TableEvaluator(fault: .untrusted)
        let open = ServerVerification("proxy", .unchecked, names: .unchecked)
        #expect(open.judge(evidence, with: faulty).word == "trusted")
        #expect(open.findings(in: PolicyLint(time: FakeFacts.now)).map(\.code) == [.acceptsEverything])
        let pinned = ServerVerification("proxy", .unchecked, names: .unchecked, pins: [key(leaf)])
        #expect(pinned.judge(evidence, with: faulty).word == "trusted")
        let wrong = ServerVerification("proxy", .unchecked, names: .unchecked, pins: [key(other)])
        #expect(wrong.judge(evidence, with: faulty).word == "pinMismatch")
        #expect(wrong.findings(in: PolicyLint(time: FakeFacts.now)).map(\.severity) == [.hint])
    }

    @Test("a chain that is checked decides before the pins")
    func checked() {
        let policy = ServerVerification("proxy", .device, pins: [key(leaf)])
        #expect(policy.judge(evidence, with: TableEvaluator(fault: .expired)).word == "expired")
        #expect(policy.judge(evidence, with: evaluator).word == "trusted")
        #expect(policy.findings(in: PolicyLint(time: FakeFacts.now)).isEmpty)
        let none = ServerVerification("proxy", .device, pins: [])
        #expect(none.judge(evidence, with: evaluator).word == "noPins")
    }

    @Test("compares the pins of the leaf, of the path and of the presented chain separately")
    func scopes() {
        let stuffed = FakeFacts.evidence([leaf, other])
        func word(_ pin: CertificateFacts, _ scope: ServerVerification.Scope) -> String {
            ServerVerification("proxy", .device, names: .unchecked, pins: [key(pin)], scope: scope)
                .judge(stuffed, with: evaluator).word
        }
        #expect(word(leaf, .leaf) == "trusted" && word(root, .leaf) == "pinMismatch")
        #expect(word(root, .validated) == "trusted" && word(other, .leaf) == "pinMismatch")
        #expect(word(other, .presented) == "trusted")
        let hole = ServerVerification(
            "proxy",
            .unchecked,
            names: .unchecked,
            pins: [key(other)],
            scope: .presented
        )
        #expect(hole.findings(in: PolicyLint(time: FakeFacts.now)).map(\.severity) == [.error])
    }

    @Test("a list of names replaces the host, and no names leave the Spinner hole")
    func names() throws {
        let listed = ServerVerification("proxy", .device, names: .listed([try Host("nowhere.test")]))
        #expect(listed.judge(evidence, with: evaluator).word == "wrongName")
        let unchecked = ServerVerification("proxy", .device, names: .unchecked)
        #expect(unchecked.judge(evidence, with: evaluator).word == "trusted")
        let findings = unchecked.findings(in: PolicyLint(time: FakeFacts.now))
        #expect(findings.map(\.code) == [.authorityWithoutHost] && findings.allSatisfy(\.isFault))
    }

    @Test("pins are replaced in their own notation")
    func replacing() {
        var policy = ServerVerification(
            "proxy",
            .device,
            pins: [key(leaf), PinnedValue(.certificateSHA256, leaf.sha256)]
        )
        var lists = policy.pinLists
        lists[0].values = [key(other), PinnedValue(other)]
        policy.pinLists = lists
        #expect(policy.pins == [key(other), PinnedValue(.certificateSHA256, other.sha256)])
    }
}

@Suite("PublicSuffixes")
struct PublicSuffixesTests {
    @Test("single labels are suffixes without a list, and a list is named with its age")
    func reasons() {
        #expect(PublicSuffixes.labels.reason(for: "com") == "what looks like a public suffix")
        #expect(PublicSuffixes.labels.reason(for: "co.uk") == nil)
        let list = PublicSuffixes("the list of 2026-01-02") { $0 == "co.uk" }
        #expect(list.reason(for: "co.uk") == "a public suffix (the list of 2026-01-02)")
        #expect(list.reason(for: "example.co.uk") == nil && list.reason(for: "") == nil)
    }
}
