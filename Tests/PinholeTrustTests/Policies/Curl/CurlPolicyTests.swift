import PinholeModel
import PinholeTrust
import Testing

@Suite("CurlPolicy")
struct CurlPolicyTests {
    private let leaf = FakeFacts.certificate("leaf", names: FakeFacts.evidence([]).host.map { [$0] } ?? [])
    private let root = FakeFacts.certificate("root")

    private func digests(_ certificate: CertificateFacts) -> CurlPinnedKey {
        CurlPinnedKey(digests: "sha256//\(FakeFacts.pin(certificate).base64)")
    }

    @Test("the leaf's key alone counts")
    func leafAlone() {
        let evaluator = TableEvaluator(root: root)
        let evidence = FakeFacts.evidence([leaf])
        #expect(CurlPolicy(pinnedPublicKey: digests(leaf)).judge(evidence, with: evaluator).word == "trusted")
        let other = CurlPolicy(pinnedPublicKey: digests(root)).judge(evidence, with: evaluator)
        #expect(other.word == "pinMismatch")
        #expect(other.detail.contains("curl error 90"))
        #expect(other.detail.contains("sha256//\(FakeFacts.pin(leaf).base64) (CN=leaf)"))
    }

    @Test("--insecure drops chain and host, the pin still decides; a pin does not replace a chain")
    func insecure() {
        let evaluator = TableEvaluator(fault: .selfSigned)
        let evidence = FakeFacts.evidence([leaf])
        func word(_ pin: CurlPinnedKey?, insecure: Bool) -> String {
            CurlPolicy(pinnedPublicKey: pin, insecure: insecure).judge(evidence, with: evaluator).word
        }
        #expect(word(digests(leaf), insecure: false) == "selfSigned")
        #expect(word(digests(leaf), insecure: true) == "trusted")
        #expect(word(digests(root), insecure: true) == "pinMismatch")
        #expect(word(nil, insecure: true) == "trusted")
    }

    @Test("fails closed, and names pins that can never match")
    func closed() {
        let evaluator = TableEvaluator(root: root)
        let evidence = FakeFacts.evidence([leaf])
        for pin in [
            CurlPinnedKey.unreadable("no such file"), .file([]), CurlPinnedKey(digests: "sha256//AAAA"),
        ] {
            let judgement = CurlPolicy(pinnedPublicKey: pin).judge(evidence, with: evaluator)
            #expect(judgement.word == "pinMismatch")
        }
        let unreadable = CurlPolicy(pinnedPublicKey: .unreadable("no such file"))
        #expect(unreadable.judge(evidence, with: evaluator).detail.contains("can never match: no such file"))
        let empty = CurlPolicy(pinnedPublicKey: digests(leaf), insecure: true)
        #expect(empty.judge(FakeFacts.evidence([]), with: evaluator).word == "empty")
    }

    @Test("hashes the key that the single parser found (CVE-2026-87866)")
    func oneParser() {
        // curl's second parser took an embedded key for the peer's; here certificate and key are one fact.
        let evidence = FakeFacts.evidence([FakeFacts.certificate("forged \(FakeFacts.pin(leaf).base64)")])
        let policy = CurlPolicy(pinnedPublicKey: digests(leaf), insecure: true)
        #expect(policy.judge(evidence, with: TableEvaluator(root: root)).word == "pinMismatch")
    }
}
