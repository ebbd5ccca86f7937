import Foundation
import PinholeLab
import Testing

@Suite("The app's pinning")
struct PinningTests {
    @Test("the configuration that the app ships notices every attack, and raises no alarm where it need not")
    func shippedConfiguration() async throws {
        let folder = try #require(Bundle.module.url(forResource: "Policies", withExtension: nil))
        let file = folder.appendingPathComponent("network_security_config.xml").path
        let policy = try LabPolicy.document(file, host: "api.example.com")
        let lab = try await PinningLab(host: "api.example.com")
        let report = try await lab.run(policy, against: .all)
        #expect(report.missed.isEmpty, "\(report.markdown)")
        #expect(report.inconclusive.isEmpty)
    }
}
