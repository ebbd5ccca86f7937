import PinholeModel
import PinholeTrust
import Testing

@Suite("Evidence")
struct EvidenceTests {
    @Test("every spelling of a host leads to the same pins")
    func canonicalHost() throws {
        let leaf = FakeFacts.certificate("leaf", names: [try Host("192.0.2.1")])
        let pin = SPKIPolicy(pins: [FakeFacts.none], scope: .leaf)
        let pinned = HostPolicies([(patterns: [try HostPattern("192.0.2.1")], policy: pin)])
        for spelling in ["192.0.2.1", "::ffff:192.0.2.1", "[::ffff:c000:201]"] {
            var evidence = FakeFacts.evidence([leaf], host: spelling)
            #expect(evidence.host == .address(try #require(IPAddress("192.0.2.1"))))
            let judgement = pinned.judge(evidence, with: TableEvaluator(root: FakeFacts.certificate("root")))
            #expect(judgement.word == "pinMismatch", "\(spelling)")
            evidence.host = try Host("::ffff:192.0.2.2")
            #expect(evidence.host == .address(try #require(IPAddress("192.0.2.2"))))
        }
    }
}
