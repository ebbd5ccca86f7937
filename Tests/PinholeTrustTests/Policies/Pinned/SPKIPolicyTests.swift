import PinholeModel
import PinholeTrust
import Testing

@Suite("SPKIPolicy, CertificatePolicy, RawKeyPolicy")
struct SPKIPolicyTests {
    private let leaf = FakeFacts.certificate("leaf")
    private let root = FakeFacts.certificate("root")
    private var evaluator: TableEvaluator { TableEvaluator(root: root) }
    private var evidence: Evidence { FakeFacts.evidence([leaf]) }

    @Test("the chain is checked before the pins")
    func order() {
        let policies: [any TrustPolicy] = [
            SPKIPolicy(pins: [FakeFacts.pin(leaf)]), CertificatePolicy(certificates: [leaf]),
            RawKeyPolicy(pins: [FakeFacts.pin(leaf)]),
        ]
        for policy in policies {
            let judgement = policy.judge(evidence, with: TableEvaluator(fault: .expired))
            #expect(judgement.word == "expired")
            #expect(judgement.steps == ["\(JudgementBuilder.systemCheck): failed"])
        }
    }

    @Test("without pins every peer is refused")
    func noPins() {
        let policies: [any TrustPolicy] = [
            SPKIPolicy(pins: []), CertificatePolicy(certificates: []), RawKeyPolicy(pins: []),
        ]
        for policy in policies { #expect(policy.judge(evidence, with: evaluator).word == "noPins") }
    }

    @Test("a mismatch holds the chain's pins to paste, and the configured ones")
    func mismatch() {
        let judgement = SPKIPolicy(pins: [FakeFacts.none]).judge(evidence, with: evaluator)
        #expect(judgement.word == "pinMismatch")
        for text in [
            "\(FakeFacts.pin(leaf)) (CN=leaf)", "\(FakeFacts.pin(root)) (CN=root)",
            "configured: \(FakeFacts.none)",
        ] {
            #expect(judgement.detail.contains(text), "\(judgement.detail)")
        }
        let certificates = CertificatePolicy(certificates: [FakeFacts.certificate("other")])
        let detail = certificates.judge(evidence, with: evaluator).detail
        #expect(detail.contains("CN=leaf (SHA-256 ") && detail.contains("pinned: CN=other (SHA-256 "))
    }

    @Test("the scope of the leaf leaves the rest of the chain out")
    func scope() {
        let pin = FakeFacts.pin(root)
        #expect(SPKIPolicy(pins: [pin]).judge(evidence, with: evaluator).word == "trusted")
        let narrow = SPKIPolicy(pins: [pin], scope: .leaf).judge(evidence, with: evaluator)
        #expect(narrow.word == "pinMismatch")
        #expect(!narrow.detail.contains("CN=root"))
    }

    @Test("the digest of a raw key or of a certificate is not taken for a pin")
    func confusions() throws {
        let raw = try #require(leaf.rawKeySHA256.flatMap { Pin(digest: $0) })
        let detail = SPKIPolicy(pins: [raw]).judge(evidence, with: evaluator).detail
        #expect(detail.contains("SecKeyCopyExternalRepresentation"))
        #expect(detail.hasSuffix("write \(FakeFacts.pin(leaf))"))
        let whole = try #require(Pin(digest: leaf.sha256))
        let other = SPKIPolicy(pins: [whole]).judge(evidence, with: evaluator).detail
        #expect(other.contains("the digest of the whole certificate CN=leaf"))
    }

    @Test("a raw key hash is the leaf's alone, and no pin")
    func rawKey() throws {
        let raw = try #require(leaf.rawKeySHA256.flatMap { Pin(digest: $0) })
        #expect(RawKeyPolicy(pins: [raw]).judge(evidence, with: evaluator).word == "trusted")
        let mixed = RawKeyPolicy(pins: [FakeFacts.pin(leaf)]).judge(evidence, with: evaluator)
        #expect(mixed.word == "pinMismatch")
        #expect(mixed.detail.contains("use the mechanism “spki” with it"))
        let plain = FakeFacts.evidence([FakeFacts.certificate("edwards", raw: false)])
        #expect(RawKeyPolicy(pins: [raw]).judge(plain, with: evaluator).word == "unsupportedKey")
    }

    @Test("compares the validated chain, never a certificate that was presented beside it (CVE-2016-2402)")
    func presented() {
        let stuffed = FakeFacts.evidence([FakeFacts.certificate("forged"), leaf])
        let answer = ChainAnswer(path: ValidatedChain([FakeFacts.certificate("forged"), root]))
        let evaluator = TableEvaluator { _ in answer }
        let pins = [FakeFacts.pin(leaf)]
        let line = OkHttpPin(.exact(.name("api.pinned.test")), FakeFacts.pin(leaf))
        let header = HPKPHeader(pins: pins + [FakeFacts.none], maxAge: 1)
        let policies: [any TrustPolicy] = [
            SPKIPolicy(pins: pins), CertificatePolicy(certificates: [leaf]), OkHttpPolicy(pins: [line]),
            HPKPPolicy(header: header), AlamofirePublicKeysPolicy(certificates: [leaf]),
            AFSecurityPolicy(pinningMode: .publicKey, pinnedCertificates: [leaf]),
        ]
        for policy in policies {
            #expect(policy.judge(stuffed, with: evaluator).word == "pinMismatch", "\(policy.mechanism)")
        }
        let broken = BrokenPolicy(.presentedSPKI, pins: pins).judge(stuffed, with: evaluator)
        #expect(broken.word == "trusted")
        #expect(broken.checks.first?.detail.contains("CVE-2016-2402") == true)
    }
}
