import Foundation
import PinholeLab
import Testing

@Suite("Reasons that exclude scenarios from audits")
struct AuditObstacleTests {
    private let kept = AuditObstacle.allCases.flatMap(\.scenarios)

    @Test("each scenario is kept out once, and is there")
    func known() {
        #expect(Set(kept).count == kept.count)
        #expect(Set(kept).isSubset(of: Scenario.catalogue.map(\.id)))
    }

    @Test("plain HTTP is audited with a proxy alone")
    func direct() {
        let onRequest = Set(["B24", "L23"]).intersection(Scenario.catalogue.map(\.id))
        let difference = Set(Scenario.auditable().map(\.id)).subtracting(
            Scenario.auditable(directly: true).map(\.id)
        )
        #expect(difference == Set(AuditObstacle.needsProxy.scenarios))
        let everyAuditable = Scenario.auditable(naming: ["B24", "L23"])
        #expect(Set(everyAuditable.map(\.id)).subtracting(Scenario.auditable().map(\.id)) == onRequest)
        #expect(everyAuditable.count + kept.count - difference.count == Scenario.catalogue.count)
    }

    @Test("docs/LAB.md has a row for each obstacle", arguments: AuditObstacle.allCases)
    func documented(_ obstacle: AuditObstacle) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/LAB.md"), encoding: .utf8)
        let row = "| \(obstacle.scenarios.joined(separator: ", ")) | \(obstacle.reason) |"
        #expect(page.contains(row), "expected the row: \(row)")
    }
}

extension AuditObstacle {
    /// The scenarios that the obstacle keeps out of audits, by their identifiers.
    fileprivate var scenarios: [String] {
        Scenario.catalogue.filter { $0.audit.obstacle == self }.map(\.id)
    }
}
