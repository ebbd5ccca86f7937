import PinholeModel
import PinholeTrust
import Testing

@Suite("TrustKitPolicy")
struct TrustKitPolicyTests {
    private static let world = SyntheticWorld()
    private static let backup = Synthetic.pin("backup")

    /// One row: what is configured, who answers for which host, what TrustKit says.
    struct Row: CustomTestStringConvertible, Sendable {
        let title: String
        let domains: [String: TrustKitDomain]
        let server: SyntheticWorld.Server
        let host: String?
        let word: String
        var ignoresUserAnchors = false
        var testDescription: String { title }
    }

    private static func domain(
        _ pins: [String],
        enforce: Bool = true,
        subdomains: Bool = false,
        expires: Timestamp? = nil
    ) -> TrustKitDomain {
        TrustKitDomain(
            publicKeyHashes: pins.map(Synthetic.pin),
            enforcePinning: enforce,
            includeSubdomains: subdomains,
            expirationDate: expires
        )
    }

    private static let good = ["example.com": domain(["leaf", "backup"], subdomains: true)]
    private static let wrong = ["example.com": domain(["other", "backup"], subdomains: true)]
    private static let reporting = ["example.com": domain(["other"], enforce: false)]
    private static let past = Synthetic.now - .seconds(1)
    private static let future = Synthetic.now + .seconds(1)

    static let rows = [
        Row(title: "leaf pinned", domains: good, server: .real, host: "example.com", word: "trusted"),
        Row(
            title: "issuing CA pinned",
            domains: ["example.com": domain(["issuing", "backup"])],
            server: .real,
            host: "example.com",
            word: "trusted"
        ),
        Row(
            title: "root pinned, which was not sent",
            domains: ["example.com": domain(["root", "backup"])],
            server: .real,
            host: "example.com",
            word: "trusted"
        ),
        Row(title: "wrong pins", domains: wrong, server: .real, host: "example.com", word: "pinMismatch"),
        Row(title: "proxy", domains: good, server: .intercepted, host: "example.com", word: "pinMismatch"),
        Row(title: "no host blocks", domains: good, server: .real, host: nil, word: "unknownHost"),
        Row(
            title: "other host",
            domains: good,
            server: .intercepted,
            host: "other.test",
            word: "notApplicable"
        ),
        Row(
            title: "a name that ends alike is no subdomain",
            domains: good,
            server: .intercepted,
            host: "notexample.com",
            word: "notApplicable"
        ),
        Row(title: "subdomain", domains: wrong, server: .real, host: "api.example.com", word: "pinMismatch"),
        Row(
            title: "deep subdomain",
            domains: wrong,
            server: .real,
            host: "a.b.example.com",
            word: "pinMismatch"
        ),
        Row(
            title: "subdomains not included",
            domains: ["example.com": domain(["other", "backup"])],
            server: .real,
            host: "api.example.com",
            word: "notApplicable"
        ),
        Row(
            title: "letters are not folded",
            domains: ["Example.com": domain(["other", "backup"])],
            server: .intercepted,
            host: "example.com",
            word: "notApplicable"
        ),
        Row(
            title: "exact wins over parent",
            domains: [
                "example.com": domain(["other", "backup"], subdomains: true),
                "api.example.com": domain(["leaf", "backup"]),
            ],
            server: .real,
            host: "api.example.com",
            word: "trusted"
        ),
        Row(
            title: "the longest parent wins",
            domains: [
                "example.com": domain(["other", "backup"], subdomains: true),
                "b.example.com": domain(["leaf", "backup"], subdomains: true),
            ],
            server: .real,
            host: "a.b.example.com",
            word: "trusted"
        ),
        Row(
            title: "expired pins fail open",
            domains: ["example.com": domain(["other", "backup"], expires: past)],
            server: .intercepted,
            host: "example.com",
            word: "notApplicable"
        ),
        Row(
            title: "at the date itself they still hold",
            domains: ["example.com": domain(["other", "backup"], expires: Synthetic.now)],
            server: .intercepted,
            host: "example.com",
            word: "pinMismatch"
        ),
        Row(
            title: "before the date they hold",
            domains: ["example.com": domain(["other", "backup"], expires: future)],
            server: .real,
            host: "example.com",
            word: "pinMismatch"
        ),
        Row(
            title: "an excluded subdomain is not pinned",
            domains: good.merging(["api.example.com": .excluded]) { $1 },
            server: .intercepted,
            host: "api.example.com",
            word: "notApplicable"
        ),
        Row(title: "invalid chain", domains: good, server: .unknown, host: "example.com", word: "untrusted"),
        Row(title: "expired leaf", domains: good, server: .expired, host: "example.com", word: "expired"),
        Row(
            title: "an invalid chain blocks also without enforcement",
            domains: reporting,
            server: .unknown,
            host: "example.com",
            word: "untrusted"
        ),
        Row(
            title: "without enforcement a mismatch passes",
            domains: reporting,
            server: .intercepted,
            host: "example.com",
            word: "trusted"
        ),
        Row(
            title: "a user's CA passes on macOS",
            domains: good,
            server: .intercepted,
            host: "example.com",
            word: "trusted",
            ignoresUserAnchors: true
        ),
        Row(
            title: "a system's CA does not",
            domains: wrong,
            server: .real,
            host: "example.com",
            word: "pinMismatch",
            ignoresUserAnchors: true
        ),
    ]

    @Test("decides as its source says", arguments: rows)
    func decision(row: Row) throws {
        let policy = try TrustKitPolicy(
            pinnedDomains: row.domains,
            ignorePinningForUserDefinedTrustAnchors: row.ignoresUserAnchors
        )
        let evidence = Self.world.evidence(row.server, host: row.host)
        let judgement = policy.judge(evidence, with: SyntheticEvaluator())
        #expect(judgement.verdict.word == row.word, "\(judgement)")
    }

    @Test("a mismatch that is only reported shows in the checks")
    func reported() throws {
        let policy = try TrustKitPolicy(pinnedDomains: Self.reporting)
        let evidence = Self.world.evidence(.real, host: "example.com")
        let judgement = policy.judge(evidence, with: SyntheticEvaluator())
        #expect(judgement.verdict == .trusted)
        #expect(judgement.checks.map(\.outcome) == [.passed, .passed, .failed, .skipped])
        #expect(judgement.checks.last?.detail.contains("kTSKEnforcePinning is NO") == true)
    }

    @Test("a rejection holds the pins to paste")
    func pasting() throws {
        let policy = try TrustKitPolicy(pinnedDomains: Self.wrong)
        let judgement = policy.judge(
            Self.world.evidence(.real, host: "example.com"),
            with: SyntheticEvaluator()
        )
        guard case .rejected(let rejection) = judgement.verdict else {
            Issue.record("\(judgement)")
            return
        }
        for name in ["leaf", "issuing", "root"] {
            #expect(rejection.detail.contains("\(Synthetic.pin(name)) (CN=\(name))"), "\(rejection.detail)")
        }
    }

    @Test(
        "knows RSA 2048, 3072, 4096, P-256 and P-384; any other key of the chain blocks",
        arguments: [
            (CertificateFacts.Key.rsa(2048), true), (.rsa(3072), true), (.rsa(4096), true),
            (.rsa(8192), false),
            (.rsa(1024), false), (.curve("prime256v1"), true), (.curve("secp384r1"), true),
            (.curve("secp521r1"), false), (.other("ED25519"), false),
        ]
    )
    func keys(kind: CertificateFacts.Key, isKnown: Bool) throws {
        let policy = try TrustKitPolicy(pinnedDomains: Self.good)
        var world = SyntheticWorld()
        world.leaf = Synthetic.certificate("leaf", by: "issuing", key: kind, hosts: SyntheticWorld.hosts)
        let judgement = policy.judge(world.evidence(.real, host: "example.com"), with: SyntheticEvaluator())
        #expect(judgement.verdict.word == (isKnown ? "trusted" : "unsupportedKey"), "\(judgement)")
    }

    @Test("a root with an unknown key blocks although the leaf is pinned: keys are read from the root down")
    func unknownRoot() throws {
        let policy = try TrustKitPolicy(pinnedDomains: Self.good)
        var evidence = Self.world.evidence(.real, host: "example.com")
        evidence.anchors = [Synthetic.certificate("root", key: .curve("secp521r1"))]
        #expect(policy.judge(evidence, with: SyntheticEvaluator()).verdict.word == "unsupportedKey")
    }

    @Test("blocks where nothing was presented")
    func nothing() throws {
        var evidence = Self.world.evidence(.real, host: "other.test")
        evidence.presented = PresentedChain([])
        let policy = try TrustKitPolicy(pinnedDomains: Self.good)
        #expect(policy.judge(evidence, with: SyntheticEvaluator()).verdict.word == "empty")
    }

    @Test(
        "refuses the configurations that TrustKit throws at",
        arguments: [
            ([:], "found none"),
            (["example.com": domain(["leaf"])], "at least 2"),
            (["example.com": domain(["leaf", "leaf"])], "found 1"),
            (["example.com": domain([])], "found 0"),
            (["example.com": domain([], enforce: false)], "at least 1"),
            (["com": domain(["leaf", "backup"], subdomains: true)], "two labels"),
            (["api.example.com": .excluded], "parent"),
            (["api.example.com": .excluded, "example.com": domain(["leaf", "backup"])], "parent"),
        ] as [([String: TrustKitDomain], String)]
    )
    func refused(domains: [String: TrustKitDomain], word: String) {
        let failure = #expect(throws: PolicyFailure.self) { try TrustKitPolicy(pinnedDomains: domains) }
        #expect(failure?.description.contains(word) == true, "\(String(describing: failure))")
    }

    @Test("the lint sees enforcement off, and the user's CAs let through")
    func outline() throws {
        let policy = try TrustKitPolicy(
            pinnedDomains: Self.reporting,
            ignorePinningForUserDefinedTrustAnchors: true
        )
        let codes = PolicyLint(time: Synthetic.now).findings(for: policy).map(\.code)
        #expect(Set(codes) == [.notEnforced, .overridden, .noBackup])
    }
}

extension TrustKitDomain {
    /// The settings of a domain that is excluded from its parent's policy.
    static var excluded: TrustKitDomain {
        TrustKitDomain(publicKeyHashes: [], excludeSubdomainFromParentPolicy: true)
    }
}
