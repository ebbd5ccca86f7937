import PinholeTestKit
import Testing

@testable import PinholeLab

/// A policy with one line changed turns the right cells red, and no others.
@Suite("Policies with one line changed")
struct MutationTests {
    /// Every document and every changed one.
    ///
    /// Documents change policies and hardly any client, so most cells are judged in memory.
    static func rows() throws -> [LabPolicy] {
        try MutationDocuments.rows(in: TemporaryDirectory(prefix: "mutations"), pinning: LabWorld())
    }

    /// Their part of the whole matrix.
    private static let run = Task {
        let run = try await WholeMatrix.run.value
        return (report: run.memory.part(try rows()), world: run.lab.world)
    }

    @Test("exactly the cells change that the line is about", arguments: MutationDocuments.mutations)
    func changes(_ mutation: MutationDocuments.Mutation) async throws {
        let report = try await Self.run.value.report
        var found: [String: LabOutcome] = [:]
        for scenario in Scenario.catalogue {
            let base = try #require(report.cell(mutation.base, scenario.id))
            let changed = try #require(report.cell(mutation.id, scenario.id))
            if base.outcome != changed.outcome { found[scenario.id] = changed.outcome }
        }
        #expect(found == mutation.changes)
        #expect(!found.isEmpty)
    }

    @Test("the rules predict each cell of every document, also of every changed document")
    func predictions() async throws {
        let (report, world) = try await Self.run.value
        #expect(report.unpredicted(in: world) == [])
        #expect(report.contradictions(in: world) == [])
        #expect(report.inconclusive.map { "\($0.policy) \($0.scenario): \($0.reason)" } == [])
    }
}
