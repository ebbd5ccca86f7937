import PinholeModel
import Testing

@testable import PinholeProxy

@Suite("ServerPolicy")
struct ServerPolicyTests {
    @Test("the last exemption that matches gives the reason")
    func exemptions() throws {
        let policy = ServerPolicy(exemptions: [
            .init(pattern: try HostPattern("*.test"), reason: "all"),
            .init(pattern: try HostPattern("a.test:8443"), reason: "one"),
        ])
        #expect(policy.exemption(for: try Authority("a.test:443"))?.reason == "all")
        #expect(policy.exemption(for: try Authority("a.test:8443"))?.reason == "one")
        #expect(policy.exemption(for: try Authority("a.example:443")) == nil)
        #expect(policy.badCertificate == .refuse)
    }
}
