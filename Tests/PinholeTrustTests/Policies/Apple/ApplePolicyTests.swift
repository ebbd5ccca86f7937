import PinholeModel
import PinholeTrust
import Testing

@Suite("ApplePolicy")
struct ApplePolicyTests {
    private static let world = SyntheticWorld()

    /// One row: the lists of `example.com`, who answers for which host, what the system says.
    struct Row: CustomTestStringConvertible, Sendable {
        let title: String
        var leaf: [String] = []
        var authorities: [String] = []
        var includesSubdomains = false
        var server = SyntheticWorld.Server.real
        var host: String? = "example.com"
        let word: String
        var testDescription: String { title }
    }

    static let rows = [
        Row(title: "leaf in the leaf list", leaf: ["other", "leaf"], word: "trusted"),
        Row(title: "CA in the leaf list", leaf: ["issuing", "root"], word: "pinMismatch"),
        Row(title: "intermediate in the CA list", authorities: ["issuing"], word: "trusted"),
        Row(title: "root in the CA list, root not sent", authorities: ["root"], word: "trusted"),
        Row(title: "leaf in the CA list", authorities: ["leaf"], word: "pinMismatch"),
        Row(title: "both lists match", leaf: ["leaf"], authorities: ["root"], word: "trusted"),
        Row(title: "leaf alone matches", leaf: ["leaf"], authorities: ["other"], word: "pinMismatch"),
        Row(title: "CA alone matches", leaf: ["other"], authorities: ["root"], word: "pinMismatch"),
        Row(title: "installed proxy CA", leaf: ["leaf"], server: .intercepted, word: "pinMismatch"),
        Row(title: "pins do not make an anchor", leaf: ["stranger"], server: .unknown, word: "untrusted"),
        Row(title: "expired", leaf: ["leaf"], server: .expired, word: "expired"),
        Row(title: "no host", leaf: ["leaf"], host: nil, word: "notApplicable"),
        Row(title: "other host", leaf: ["leaf"], host: "other.test", word: "notApplicable"),
        Row(title: "subdomain not included", leaf: ["other"], host: "api.example.com", word: "notApplicable"),
        Row(
            title: "one label more",
            leaf: ["other"],
            includesSubdomains: true,
            host: "api.example.com",
            word: "pinMismatch"
        ),
        Row(
            title: "two labels more are not meant",
            leaf: ["other"],
            includesSubdomains: true,
            host: "a.b.example.com",
            word: "notApplicable"
        ),
        Row(
            title: "the domain itself with subdomains",
            leaf: ["other"],
            includesSubdomains: true,
            word: "pinMismatch"
        ),
    ]

    @Test("decides as Apple documents it", arguments: rows)
    func decision(row: Row) throws {
        let domain = ApplePinnedDomain(
            leafIdentities: row.leaf.map(Synthetic.pin),
            caIdentities: row.authorities.map(Synthetic.pin),
            includesSubdomains: row.includesSubdomains
        )
        let policy = try ApplePolicy(domains: ["example.com": domain])
        let evidence = Self.world.evidence(row.server, host: row.host)
        let judgement = policy.judge(evidence, with: SyntheticEvaluator())
        #expect(judgement.verdict.word == row.word, "\(judgement)")
    }

    @Test("an exact entry wins over its parent's")
    func exact() throws {
        let parent = ApplePinnedDomain(leafIdentities: [Synthetic.pin("other")], includesSubdomains: true)
        let own = ApplePinnedDomain(leafIdentities: [Synthetic.pin("leaf")])
        let policy = try ApplePolicy(domains: ["example.com": parent, "api.example.com": own])
        let evidence = Self.world.evidence(.real, host: "api.example.com")
        #expect(policy.judge(evidence, with: SyntheticEvaluator()).verdict == .trusted)
    }

    @Test("a chain of a leaf alone, which is the anchor, has no CA to match")
    func lonely() throws {
        let leaf = Synthetic.certificate("leaf", hosts: ["example.com"])
        let evidence = Evidence(
            host: .name("example.com"),
            presented: PresentedChain([leaf]),
            anchors: [leaf],
            time: Synthetic.now
        )
        let pins = ApplePinnedDomain(caIdentities: [Synthetic.pin("leaf")])
        let policy = try ApplePolicy(domains: ["example.com": pins])
        #expect(policy.judge(evidence, with: SyntheticEvaluator()).verdict.word == "pinMismatch")
    }

    @Test("a domain without either list is refused")
    func refused() {
        #expect(throws: PolicyFailure.self) { try ApplePolicy(domains: ["example.com": ApplePinnedDomain()]) }
    }

    @Test("ATS refuses before pins are looked at, and on hosts without pins, too")
    func transportSecurity() throws {
        var world = SyntheticWorld()
        world.leaf = Synthetic.certificate(
            "leaf",
            by: "issuing",
            key: .rsa(1024),
            hosts: SyntheticWorld.hosts
        )
        let pins = ApplePinnedDomain(leafIdentities: [Synthetic.pin("leaf")])
        let policy = try ApplePolicy(
            domains: ["example.com": pins],
            transportSecurity: AppleTransportSecurity()
        )
        for host in ["example.com", "other.test"] {
            let judgement = policy.judge(world.evidence(.real, host: host), with: SyntheticEvaluator())
            #expect(judgement.verdict.word == "tooWeak", "\(judgement)")
        }
        let unpinned = Self.world.evidence(.real, host: "other.test")
        #expect(policy.judge(unpinned, with: SyntheticEvaluator()).verdict.word == "notApplicable")
    }

    @Test("the lint sees single pins, hosts that cannot match, and connections that ATS permits")
    func outline() throws {
        var security = AppleTransportSecurity()
        security.allowsArbitraryLoads = true
        var exception = AppleTransportSecurity.Exception()
        exception.allowsInsecureHTTPLoads = true
        exception.minimumTLSVersion = "TLSv1.0"
        security.exceptions = ["*.example.com": exception]
        let domains = [
            "Example.com": ApplePinnedDomain(leafIdentities: [Synthetic.pin("leaf")]),
            "com": ApplePinnedDomain(
                caIdentities: [Synthetic.pin("a"), Synthetic.pin("b")],
                includesSubdomains: true
            ),
        ]
        let policy = try ApplePolicy(domains: domains, transportSecurity: security)
        let codes = PolicyLint(time: Synthetic.now).findings(for: policy).map(\.code)
        #expect(Set(codes) == [.neverMatches, .noBackup, .publicSuffix, .weakTransport, .cleartext])
    }
}
