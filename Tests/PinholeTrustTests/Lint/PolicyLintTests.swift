import PinholeModel
import PinholeTestKit
import PinholeTrust
import Testing

@Suite("PolicyLint")
struct PolicyLintTests {
    private static let world = SyntheticWorld()
    private static let day = Duration.seconds(86_400)

    /// A policy with one list that can be anything.
    private struct OneList: TrustPolicy {
        let list: PinList
        var mechanism: String { "test" }
        var pinLists: [PinList] {
            get { [list] }
            set {}
        }
        func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
            Judgement(.trusted, checks: [])
        }
    }

    private func codes(
        _ pins: [Pin],
        domain: String? = "example.com",
        hosts: [String] = [],
        chain: [CertificateFacts] = [],
        _ change: (inout PinList) -> Void = { _ in }
    ) -> Set<LintFinding.Code> {
        let rule = domain.map { DomainRule($0, .exact) }
        var list = PinList(pins, at: "list", for: rule.map { HostScope($0) })
        change(&list)
        let lint = PolicyLint(
            time: Synthetic.now,
            hosts: hosts.compactMap { try? Host($0) },
            chain: chain
        )
        return Set(lint.findings(for: OneList(list: list)).map(\.code))
    }

    private static let two = [Synthetic.pin("leaf"), Synthetic.pin("backup")]
    private static let chain = [world.leaf, world.issuing, world.root]

    @Test("finds nothing wrong with two pins, one of them a spare")
    func fine() {
        #expect(codes(Self.two).isEmpty)
        #expect(codes(Self.two, hosts: ["example.com"], chain: Self.chain).isEmpty)
    }

    @Test("finds a single pin, a repeated pin and a missing backup")
    func backups() {
        #expect(codes([Synthetic.pin("leaf")]) == [.noBackup])
        #expect(codes([Synthetic.pin("leaf"), Synthetic.pin("leaf")]) == [.noBackup, .duplicate])
        #expect(codes([Synthetic.pin("leaf"), Synthetic.pin("root")], chain: Self.chain) == [.backupInUse])
    }

    @Test("does not take the square of the time for many patterns and records", .patience)
    func many() throws {
        let lint = PolicyLint(time: Synthetic.now)
        let pins = (0..<20_000).map { OkHttpPin(.exact(.name("h\($0).example.com")), Synthetic.pin("leaf")) }
        #expect(lint.findings(for: OkHttpPolicy(pins: pins)).count == pins.count)
        let records = (0..<20_000).compactMap { index in
            let data = (0..<32).map { UInt8(truncatingIfNeeded: index >> ($0 % 3 * 8)) }
            return TLSARecord(.daneEE, .spki, .sha256, data: data)
        }
        #expect(DANEPolicy(records: records).strongest.count == records.count)
        let two = TrustKitDomain(publicKeyHashes: Self.two, includeSubdomains: true)
        var domains = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("d\($0).test", two) })
        for index in 0..<10_000 { domains["excluded.d\(index).test"] = .excluded }
        #expect(try TrustKitPolicy(pinnedDomains: domains).domain(for: "a.b.d7.test") == "d7.test")
    }

    @Test("expired pins, and pins that expire within 30 days")
    func expiration() {
        #expect(codes(Self.two) { $0.expiration = Synthetic.now - Self.day } == [.expired])
        #expect(codes(Self.two) { $0.expiration = Synthetic.now + Self.day * 29 } == [.expiresSoon])
        #expect(codes(Self.two) { $0.expiration = Synthetic.now + Self.day * 31 } == [])
    }

    @Test("domains that match none of the hosts, or none at all")
    func scopes() {
        #expect(codes(Self.two, hosts: ["other.test"]) == [.matchesNothing])
        #expect(codes(Self.two, domain: "*.example.com") == [.neverMatches])
        #expect(codes(Self.two, domain: "https://example.com", hosts: ["example.com"]) == [.neverMatches])
        #expect(codes(Self.two, domain: nil, hosts: ["other.test"]) == [])
    }

    @Test("the hash of a raw key, with the right pin as the remedy")
    func rawKeys() throws {
        let pins = [Synthetic.rawPin("leaf"), Synthetic.pin("backup")]
        #expect(codes(pins, chain: Self.chain) == [.rawKey, .noMatch])
        #expect(codes(pins, chain: Self.chain) { $0.comparison = .rawKeys } == [])
        let list = PinList(pins, at: "list")
        let findings = PolicyLint(time: Synthetic.now, chain: Self.chain).findings(for: OneList(list: list))
        let finding = try #require(findings.first { $0.code == .rawKey })
        #expect(finding.remedy.contains("\(Synthetic.pin("leaf"))"))
        #expect(finding.severity == .error && finding.path == "list")
    }

    @Test("pins that do not match the given chain, at the certificates that are compared")
    func mismatch() {
        #expect(codes([Synthetic.pin("x"), Synthetic.pin("y")], chain: Self.chain) == [.noMatch])
        #expect(codes(Self.two, chain: Self.chain) { $0.position = .authorities } == [.noMatch])
        #expect(codes(Self.two, chain: Self.chain) { $0.position = .leaf } == [])
        let other = [Synthetic.pin("x"), Synthetic.pin("y")]
        #expect(codes(other, hosts: ["other.test"], chain: Self.chain) == [.matchesNothing])
    }

    @Test("without hosts one list that matches is enough, the others are for other servers")
    func severalLists() throws {
        let policy = try TrustKitPolicy(pinnedDomains: [
            "example.com": TrustKitDomain(publicKeyHashes: Self.two),
            "other.test": TrustKitDomain(publicKeyHashes: [Synthetic.pin("x"), Synthetic.pin("y")]),
        ])
        #expect(PolicyLint(time: Synthetic.now, chain: Self.chain).findings(for: policy).isEmpty)
        let hosts = [Host.name("other.test"), .name("example.com")]
        let findings = PolicyLint(time: Synthetic.now, hosts: hosts, chain: Self.chain).findings(for: policy)
        #expect(findings.map(\.code) == [.noMatch])
        #expect(findings.first?.path == "TSKPinnedDomains/other.test/TSKPublicKeyHashes")
    }

    @Test("the most severe finding is first")
    func order() {
        let findings = [LintFinding.Severity.hint, .error, .warning, .error].map {
            LintFinding(.ignored, $0, at: "", "", remedy: "")
        }
        #expect(LintFinding.sorted(findings).map(\.severity) == [.error, .error, .warning, .hint])
    }
}
