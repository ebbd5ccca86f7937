import Foundation
import PinholeLab
import PinholeReports
import Testing

@Suite("The app's pinning")
struct PinningTests {
    /// What this app knows it does not notice, and why that is accepted.
    private static let accepted: [String: String] = [
        "B11": "it follows no redirects",
        "B25": "the server staples nothing; keys are rotated within a day",
        "B26": "its certificates do not ask for staples",
    ]

    @Test("the configuration that the app ships notices every attack but those that are accepted")
    func attacks() async throws {
        let policy = try shippedConfiguration()
        let lab = try await PinningLab(for: policy)
        let report = try await lab.run(policy, against: .attacks)
        let missed = report.missed.filter { Self.accepted[$0.scenario] == nil }
        #expect(missed.isEmpty, "\(report.markdown)")
        #expect(report.inconclusive.isEmpty)
    }

    @Test("renewal and rotation raise no alarm")
    func changes() async throws {
        let policy = try shippedConfiguration()
        let lab = try await PinningLab(for: policy)
        let changes = [Scenario].changes.filter { ["L01", "L02", "L03", "L05"].contains($0.id) }
        let report = try await lab.run(policy, against: changes)
        #expect(report.falseAlarms.isEmpty, "\(report.markdown)")
    }

    @Test("a validator of the app's own is tried the same way")
    func ownCode() async throws {
        let row = LabPolicy.custom("own", "pins the leaf's key") { server in
            guard server.validated != nil, let leaf = server.presented.first else { return false }
            return server.pins.leaf.contains(leaf.pin)
        }
        let interception = [Scenario].attacks.filter { ["A01", "A02", "A03"].contains($0.id) }
        let report = try await PinningLab().run(row, against: interception)
        #expect(report.missed.isEmpty, "\(report.markdown)")
    }

    private func shippedConfiguration() throws -> LabPolicy {
        let folder = try #require(Bundle.module.url(forResource: "Policies", withExtension: nil))
        // With the chain of the server it is known which pin is whose.
        return try LabPolicy.document(
            folder.appendingPathComponent("network_security_config.xml").path,
            host: "api.example.com",
            chain: folder.appendingPathComponent("server.pem").path
        )
    }
}
