import PinholeModel
import PinholeTrust
import Testing

@Suite("The lint of each mechanism")
struct MechanismLintTests {
    private static let world = SyntheticWorld()
    private static let spare = Synthetic.certificate("spare")
    private static let pins = [Synthetic.pin("leaf"), Synthetic.pin("backup")]

    private func codes(_ policy: any TrustPolicy, hosts: [Host] = []) -> Set<LintFinding.Code> {
        let chain = [Self.world.leaf, Self.world.issuing, Self.world.root]
        return Set(
            PolicyLint(time: Synthetic.now, hosts: hosts, chain: chain).findings(for: policy).map(\.code)
        )
    }

    @Test(
        "AFSecurityPolicy: ignored, missing and leaf certificates, invalid chains, hosts that are not checked"
    )
    func afNetworking() {
        typealias Policy = AFSecurityPolicy
        let leaf = Self.world.leaf
        let root = Self.world.root
        let rows: [(Policy, Set<LintFinding.Code>)] = [
            (Policy(pinningMode: .publicKey, pinnedCertificates: [leaf, Self.spare]), []),
            (Policy(pinningMode: .none, pinnedCertificates: [leaf]), [.pinsIgnored]),
            (Policy(pinningMode: .publicKey), [.noPins]),
            (Policy(pinningMode: .none, allowInvalidCertificates: true), [.noPins]),
            (
                Policy(pinningMode: .none, allowInvalidCertificates: true, validatesDomainName: false),
                [.acceptsEverything]
            ),
            (
                Policy(
                    pinningMode: .publicKey,
                    allowInvalidCertificates: true,
                    pinnedCertificates: [leaf, Self.spare]
                ),
                [.invalidAllowed, .authorityWithoutHost]
            ),
            (
                Policy(
                    pinningMode: .certificate,
                    validatesDomainName: false,
                    pinnedCertificates: [root, Self.spare]
                ),
                [.authorityWithoutHost]
            ),
            (Policy(pinningMode: .certificate, pinnedCertificates: [leaf, Self.spare]), [.leafCertificate]),
            (Policy(pinningMode: .certificate, pinnedCertificates: [Self.spare]), [.noBackup, .noMatch]),
            (Policy(pinningMode: .none, version: .version251), [.acceptsEverything]),
        ]
        for (policy, expected) in rows { #expect(codes(policy) == expected, "\(policy)") }
    }

    @Test("must-staple and ct-required: settings that lock servers out")
    func evidence() {
        #expect(codes(MustStaplePolicy()) == [])
        #expect(codes(MustStaplePolicy(always: true)) == [.staple])
        #expect(codes(CTRequiredPolicy(.logs(3))) == [])
        #expect(codes(CTRequiredPolicy(.logs(4))) == [.timestamps])
    }

    @Test("a renewed certificate with the same key does not match where whole certificates are compared")
    func renewed() {
        let old = Synthetic.certificate("leaf", by: "older", hosts: ["example.com"])
        #expect(codes(CertificatePolicy(certificates: [old, Self.spare])) == [.leafCertificate, .noMatch])
        #expect(codes(AlamofirePublicKeysPolicy(certificates: [old, Self.spare])) == [])
    }

    @Test("Alamofire: no certificates, validations that are left out, everything disabled")
    func alamofire() throws {
        let all = [Self.world.root, Self.spare]
        #expect(codes(AlamofirePinnedCertificatesPolicy(certificates: [])) == [.noPins])
        #expect(codes(AlamofirePublicKeysPolicy(certificates: [])) == [.noPins])
        let loose = AlamofirePinnedCertificatesPolicy(
            certificates: all,
            performDefaultValidation: false,
            validateHost: false
        )
        #expect(codes(loose) == [.invalidAllowed, .authorityWithoutHost])
        #expect(codes(AlamofireDisabledPolicy()) == [.acceptsEverything])
        #expect(
            try codes(AlamofireCompositePolicy(evaluators: [AlamofireDisabledPolicy()])) == [
                .acceptsEverything
            ]
        )
    }

    @Test("plain pins: none, raw hashes, the scope that counts")
    func plain() {
        #expect(codes(SPKIPolicy(pins: Self.pins)) == [])
        #expect(codes(SPKIPolicy(pins: [])) == [.noPins])
        let authority = [Synthetic.pin("root"), Synthetic.pin("backup")]
        #expect(codes(SPKIPolicy(pins: authority, scope: .leaf)) == [.noMatch])
        #expect(codes(SPKIPolicy(pins: [Synthetic.rawPin("leaf"), Self.pins[1]])) == [.rawKey, .noMatch])
        #expect(codes(RawKeyPolicy(pins: [Synthetic.rawPin("leaf"), Self.pins[1]])) == [.rawKey])
        #expect(codes(CertificatePolicy(certificates: [])) == [.noPins])
    }

    @Test("OkHttp: one list a pattern, SHA-1, public suffixes")
    func okHttp() throws {
        let lines = "**.example.com \(Self.pins[0]) \(Self.pins[1])\n"
        #expect(codes(OkHttpPolicy(pins: try OkHttpPin.read(lines: lines))) == [])
        let others = [Host.name("example.net")]
        #expect(
            codes(OkHttpPolicy(pins: try OkHttpPin.read(lines: lines)), hosts: others) == [.matchesNothing]
        )
        let short = "*.com \(Self.pins[0]) sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"
        #expect(codes(OkHttpPolicy(pins: try OkHttpPin.read(lines: short))) == [.publicSuffix, .weakDigest])
        #expect(codes(OkHttpPolicy(pins: [])) == [.noPins])
    }

    @Test("curl: digests that are none, key files, --insecure")
    func curl() {
        let good = Self.pins.map { "sha256//\($0.base64)" }.joined(separator: ";")
        #expect(codes(CurlPolicy(pinnedPublicKey: CurlPinnedKey(digests: good))) == [])
        let bad = CurlPinnedKey(digests: good + ";sha256//AAAA")
        #expect(codes(CurlPolicy(pinnedPublicKey: bad, insecure: true)) == [.wrongLength, .invalidAllowed])
        #expect(codes(CurlPolicy(pinnedPublicKey: CurlPinnedKey(digests: good + ";sha256//?"))) == [.notAPin])
        #expect(codes(CurlPolicy(pinnedPublicKey: .file([1]))) == [.noBackup])
        #expect(codes(CurlPolicy(pinnedPublicKey: .unreadable("gone"))) == [.notAPin])
    }

    @Test("HPKP: no spare key, max-age 0, report-only")
    func hpkp() {
        let good = HPKPHeader(pins: Self.pins, maxAge: 10)
        #expect(codes(HPKPPolicy(header: good)) == [.ignored])
        let used = HPKPHeader(pins: [Self.pins[0], Synthetic.pin("root")], maxAge: 0)
        #expect(
            codes(HPKPPolicy(header: used, reportOnly: true)) == [
                .ignored, .backupInUse, .expired, .reportOnly,
            ]
        )
    }

    @Test("known_hosts: expired and repeated entries, other hosts, other keys")
    func knownHosts() {
        typealias Entry = KnownHosts.Entry
        let known = Entry.Key.spki(Self.world.leaf.spki)
        let other = Entry.Key.spki(Self.spare.spki)
        let host = Host.name("example.com")
        let entry = { (name: String, key: Entry.Key, expiration: Int64) in
            Entry(host: name, service: "443", expiration: expiration, key: key)
        }
        let rows: [([Entry], [Host], Set<LintFinding.Code>)] = [
            ([entry("example.com", known, 0)], [host], []),
            ([entry("*", known, 0)], [host], []),
            (
                [entry("example.com", known, 1), entry("example.com", known, 0)], [host],
                [.expired, .duplicate]
            ),
            ([entry("example.com", known, 1)], [], [.expired]),
            ([entry("example.com", other, 0)], [host], [.noMatch]),
            ([entry("example.com", other, 0)], [], [.noMatch]),
            ([entry("example.com", other, 0), entry("a.test", known, 0)], [], []),
            ([entry("a.test", known, 0)], [host], [.matchesNothing]),
        ]
        for (entries, hosts, expected) in rows {
            #expect(codes(TOFUPolicy(store: KnownHosts(entries)), hosts: hosts) == expected, "\(entries)")
        }
    }

    @Test("DANE: whole certificates, no records, digests that do not match")
    func dane() throws {
        let record = { (usage: TLSARecord.Usage, pin: Pin) in
            TLSARecord(usage, .spki, .sha256, data: pin.digest)
        }
        let good = [record(.daneEE, Self.pins[0]), record(.daneEE, Self.pins[1])].compactMap { $0 }
        #expect(codes(DANEPolicy(records: good)) == [])
        let wrong = [record(.daneEE, Synthetic.pin("root")), record(.daneEE, Self.pins[1])].compactMap { $0 }
        #expect(codes(DANEPolicy(records: wrong)) == [.noMatch])
        let whole = try #require(TLSARecord(.daneEE, .certificate, .sha256, data: Self.world.leaf.sha256))
        #expect(codes(DANEPolicy(records: [whole])) == [.leafCertificate])
        #expect(codes(DANEPolicy(records: [])) == [.noPins])
    }

    @Test("combinations say where; lists of hosts hold for their hosts")
    func combinations() throws {
        let one = SPKIPolicy(pins: [Self.pins[0]])
        for policy in [AllPolicy(of: [one]), AnyPolicy(of: [one])] as [any TrustPolicy] {
            let findings = PolicyLint(time: Synthetic.now).findings(for: policy)
            #expect(findings.map(\.path) == ["of[0]/pins"])
        }
        let hosts = HostPolicies([([try HostPattern("*.example.com")], one)])
        #expect(codes(hosts, hosts: [.name("other.test")]) == [.noBackup, .matchesNothing])
        #expect(codes(hosts, hosts: [.name("api.example.com")]) == [.noBackup])
    }

    @Test("names mechanisms that are broken on purpose", arguments: BrokenPolicy.Kind.allCases)
    func broken(kind: BrokenPolicy.Kind) throws {
        let findings = PolicyLint(time: Synthetic.now).findings(for: BrokenPolicy(kind, pins: Self.pins))
        let finding = try #require(findings.first)
        #expect(finding.severity == .error && finding.sentence.contains("BROKEN ON PURPOSE"))
    }
}
