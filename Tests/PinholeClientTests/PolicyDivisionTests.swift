import PinholeModel
import PinholeRuntime
import PinholeTrust
import Testing

@testable import PinholeClient
@testable import PinholeLab

@Suite("The enforcer of a policy")
struct PolicyDivisionTests {
    private func isSystem(_ policy: any TrustPolicy, _ host: String) throws -> Bool {
        PolicyDivision(policy).isDefaultHandling(for: Authority(host: try Host(host), port: 443))
    }

    @Test("each host by its own entry, whatever the entries of others are")
    func hosts() throws {
        let policy = HostPolicies([
            (patterns: [try HostPattern("a.test")], policy: OkHttpPolicy(pins: [])),
            (patterns: [try HostPattern("b.test")], policy: SPKIPolicy(pins: [])),
        ])
        #expect(try isSystem(policy, "a.test"))
        #expect(try !isSystem(policy, "b.test"))
        #expect(try isSystem(policy, "c.test"))
    }

    @Test("a combination is the app's where a part of it is")
    func combinations() throws {
        #expect(try !isSystem(AllPolicy(of: [SystemPolicy(), SPKIPolicy(pins: [])]), "a.test"))
        #expect(try isSystem(AllPolicy(of: [SystemPolicy()]), "a.test"))
        #expect(try !isSystem(AnyPolicy(of: [BrokenPolicy(.acceptAll)]), "a.test"))
    }

    @Test("a refusal is -1202 where the system refuses, -999 where the delegate does")
    func codes() async throws {
        try await ClientStage.run { stage in
            let wrong = try ClientStage.wrongPin()
            let port = Int(stage.origin.secureAddress.port)
            let policy = HostPolicies([
                (patterns: [try HostPattern("shop.example.test")], policy: SPKIPolicy(pins: [wrong])),
                (
                    patterns: [try HostPattern("api.example.test:\(port)")],
                    policy: OkHttpPolicy(pins: [
                        OkHttpPin(try OkHttpPin.Pattern("api.example.test"), wrong)
                    ])
                ),
            ])
            let table: [(Host, URLErrorCode)] = [
                (VirtualHost.shop, .cancelled), (VirtualHost.api, .serverCertificateUntrusted),
            ]
            for (host, code) in table {
                let delegate = PolicyDivision(policy).delegate
                let outcome = try await stage.fetch("/json", host, delegate: delegate) {
                    $0.defaultPolicy = policy
                }
                #expect(outcome.failure?.code == code, "\(outcome)")
            }
        }
    }
}
