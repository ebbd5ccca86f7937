import PinholeModel
import PinholeTrust
import Testing

@Suite("HPKPPolicy")
struct HPKPPolicyTests {
    private let leaf = FakeFacts.certificate("leaf")
    private let root = FakeFacts.certificate("root")

    private func judge(
        _ pins: [Pin],
        maxAge: UInt64? = 60,
        reportOnly: Bool = false,
        host: String? = "api.pinned.test",
        fault: ChainFault.Kind? = nil
    ) -> Judgement {
        let header = HPKPHeader(pins: pins, maxAge: maxAge, reportURI: "https://r.test/")
        let evaluator = fault.map { TableEvaluator(fault: $0) } ?? TableEvaluator(root: root)
        let evidence = FakeFacts.evidence([leaf], host: host)
        return HPKPPolicy(header: header, reportOnly: reportOnly).judge(evidence, with: evaluator)
    }

    @Test("a key of the validated chain has to be pinned")
    func pins() {
        #expect(judge([FakeFacts.pin(root), FakeFacts.none]).word == "trusted")
        let other = FakeFacts.pin(FakeFacts.certificate("another"))
        #expect(judge([other, FakeFacts.none]).word == "pinMismatch")
        #expect(judge([FakeFacts.pin(leaf), FakeFacts.none], fault: .expired).word == "expired")
    }

    @Test("no browser notes a header without a backup pin, with max-age 0 or for an address")
    func notNoted() {
        let both = [FakeFacts.pin(leaf), FakeFacts.none]
        #expect(judge([FakeFacts.pin(leaf)]).detail.contains("backup"))
        #expect(judge([FakeFacts.pin(leaf), FakeFacts.pin(root)]).word == "notApplicable")
        #expect(judge([FakeFacts.none, FakeFacts.none]).word == "notApplicable")
        #expect(judge(both, maxAge: 0).detail.contains("forgets"))
        #expect(judge(both, host: "192.0.2.1").detail.contains("HPKP is for names"))
        #expect(judge(both, host: nil).word == "notApplicable")
        #expect(judge(both, maxAge: 0, fault: .untrusted).word == "untrusted")
    }

    @Test("Report-Only never blocks, and says where the report goes")
    func reportOnly() {
        let judgement = judge([FakeFacts.none], maxAge: nil, reportOnly: true)
        #expect(judgement.word == "trusted")
        #expect(
            judgement.steps.suffix(2) == ["pinned keys in the validated chain: failed", "report: skipped"]
        )
        #expect(judgement.checks.last?.detail.contains("https://r.test/") == true)
        #expect(
            judge([FakeFacts.pin(leaf)], reportOnly: true).steps.last
                == "pinned keys in the validated chain: passed"
        )
    }
}
