import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholeLab

@Suite("RelocatedPolicy")
struct RelocatedPolicyTests {
    @Test("replaces the port that the policy names by the port of the lab's server, and nothing else")
    func ports() throws {
        let world = try LabWorld()
        let entry = KnownHosts.Entry(host: "api.pinned.test", service: "https", key: .spki(world.leaf.spki))
        let configuration = AndroidConfiguration(base: AndroidSettings(cleartextTrafficPermitted: false))
        let inner = AllPolicy(of: [
            TOFUPolicy(store: KnownHosts([entry])), try AndroidPolicy(configuration: configuration),
        ])
        let policy = RelocatedPolicy(
            inner,
            at: Authority(host: world.host, port: 443),
            insteadOf: Authority(host: world.host, port: 40_123)
        )
        var evidence = Evidence(
            host: world.host,
            presented: PresentedChain(world.identity.chain.map(\.facts)),
            anchors: world.deviceRoots,
            time: world.now
        )
        for (port, isTrusted) in [(40_123, true), (40_124, false)] as [(UInt16, Bool)] {
            evidence.port = port
            #expect((policy.judge(evidence, with: ChainVerifier()).verdict == .trusted) == isTrusted)
        }
        #expect(policy.mechanism == "all")
        #expect(policy.refusalOfCleartext(to: world.host) != nil)
    }
}
