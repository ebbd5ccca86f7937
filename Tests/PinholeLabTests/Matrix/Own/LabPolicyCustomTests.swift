import PinholeLab
import Testing

@Suite("A validator of one's own")
struct LabPolicyCustomTests {
    @Test("a closure that pins detects the attack, a closure that accepts everything does not")
    func closures() async throws {
        let pinned = LabPolicy.custom("mine", "leaf pins after default handling") { server in
            guard let leaf = server.validated?.first else { return false }
            return server.pins.leaf.contains(leaf.pin)
        }
        let careless = LabPolicy.custom("yes", "accepts everything") { _ in true }
        let whole = LabPolicy.custom("whole", "the certificate itself") { server in
            server.presented.first == server.pins.leafCertificate && server.fault == nil
        }
        let report = try await PinningLab().run(
            [pinned, careless, whole],
            against: Scenario.catalogue.filter { ["A01", "A02", "L02", "L03"].contains($0.id) },
            .patient
        )
        #expect(report.inconclusive.isEmpty)
        #expect(report.missed.map(\.policy) == ["yes", "yes"])
        #expect(report.falseAlarms.map(\.policy) == ["whole", "whole"])
    }

    @Test("the closure is shown host, chains and pins")
    func shown() async throws {
        let row = LabPolicy.custom("seen", "looks at everything") { server in
            server.host == "shop.example" && server.port > 0 && server.presented.count == 2
                && server.validated?.count == 3 && server.validated?.last == server.pins.rootCertificate
                && server.presented.last == server.pins.authorityCertificate
                && server.presented.last?.pin == server.pins.authorities.first
                && server.presented.first?.subject == "CN=shop.example" && server.pins.leaf.count == 2
        }
        let changes = Scenario.catalogue.filter { $0.id == "L02" }
        let report = try await PinningLab(host: "shop.example").run(row, against: changes, .patient)
        #expect(report.cells.map(\.outcome) == [.accepted])
    }
}
