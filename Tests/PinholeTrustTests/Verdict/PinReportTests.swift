import PinholeModel
import PinholeTrust
import Testing

@Suite("PinReport")
struct PinReportTests {
    private let leaf = FakeFacts.certificate("leaf")
    private let root = FakeFacts.certificate("root")

    private func report(_ policy: some TrustPolicy, fault: ChainFault.Kind? = nil) -> PinReport? {
        let evidence = FakeFacts.evidence([leaf], host: "api.pinned.test")
        let evaluator = fault.map { TableEvaluator(fault: $0) } ?? TableEvaluator(root: root)
        return policy.report(evidence, policy.judge(evidence, with: evaluator))
    }

    private func hpkp(
        _ pins: [Pin],
        to address: String? = "https://r.test/",
        reportOnly: Bool = false
    )
        -> HPKPPolicy
    {
        HPKPPolicy(
            header: HPKPHeader(pins: pins, maxAge: 60, reportURI: address),
            reportOnly: reportOnly
        )
    }

    private func trustKit(
        _ pins: [Pin],
        to addresses: [String] = ["https://r.test/"],
        enforced: Bool = true
    ) throws -> TrustKitPolicy {
        var domain = TrustKitDomain(publicKeyHashes: pins, enforcePinning: enforced)
        domain.reportURIs = addresses
        return try TrustKitPolicy(pinnedDomains: ["api.pinned.test": domain])
    }

    private var others: [Pin] { [FakeFacts.pin(FakeFacts.certificate("another")), FakeFacts.none] }
    private var own: [Pin] { [FakeFacts.pin(leaf), FakeFacts.none] }

    @Test("a mismatch is reported to where the settings say, enforced or not")
    func mismatch() throws {
        for reportOnly in [false, true] {
            let found = try #require(report(hpkp(others, reportOnly: reportOnly)))
            #expect(found.addresses == ["https://r.test/"])
            let body = String(decoding: found.body, as: UTF8.self)
            #expect(body.hasPrefix(#"{"hostname":"api.pinned.test","port":443,"known-pins":["sha256/"#))
            #expect(body.contains(Base64.encode(root.der)))
            #expect(try report(trustKit(others, enforced: !reportOnly)) == found)
        }
    }

    @Test("no report is sent if pins match, without a path, and without recipients")
    func silence() throws {
        #expect(report(hpkp(own)) == nil)
        #expect(report(hpkp(others), fault: .untrusted) == nil)
        #expect(report(hpkp(others, to: nil)) == nil)
        #expect(try report(trustKit(own)) == nil)
        #expect(try report(trustKit(others), fault: .expired) == nil)
        #expect(try report(trustKit(others, to: [])) == nil)
    }
}
