import PinholeTestKit

@testable import PinholeLab

/// The matrix of all built-in rows and of the rows of all suites in every scenario, run once.
enum WholeMatrix {
    /// The built-in rows that meet every server themselves: the client modes, the rows about clients, and one row of
    /// each other mechanism.
    static let visiting = LabPolicy.builtIn.enumerated().filter { index, row in
        [.modes, .clients].contains(row.group)
            || LabPolicy.builtIn[..<index].allSatisfy { $0.group != row.group }
    }.map(\.element)

    /// The run, and its lab.
    static let run = Task {
        let lab = try await PinningLab()
        let wire = try await MatrixTurn.shared.run {
            try await lab.run(visiting + [SpecialRows.searches], .patient)
        }
        let others = try MutationTests.rows() + ClientAgreementTests.rows()
        // The evidence of each scenario, judged by all rows. `JudgedInMemoryTests` compares it with the wire.
        let memory = try await MatrixTurn.shared.run {
            try await lab.run(LabPolicy.builtIn + others, .inMemory)
        }
        return (wire: wire, memory: memory, lab: lab)
    }

    /// Returns the part of the run with these rows and columns: over the wire, or in memory for rows that visit nothing.
    static func report(
        _ policies: [LabPolicy],
        against scenarios: [Scenario] = .all
    ) async throws -> LabReport {
        let (wire, memory, _) = try await run.value
        return wire.part(policies, against: scenarios, or: memory)
    }
}

extension LabReport {
    /// Returns the part of a report with these rows and columns, with the rows that it lacks from another report.
    func part(
        _ policies: [LabPolicy],
        against scenarios: [Scenario] = .all,
        or other: LabReport? = nil
    )
        -> LabReport
    {
        let columns = Set(scenarios.map(\.id))
        let own = Dictionary(grouping: cells, by: \.policy)
        let others = Dictionary(grouping: other?.cells ?? [], by: \.policy)
        return LabReport(
            policies: policies,
            scenarios: scenarios,
            cells: policies.flatMap { own[$0.id] ?? others[$0.id] ?? [] }.filter {
                columns.contains($0.scenario)
            },
            host: host,
            started: started,
            honest: honest
        )
    }
}
