import PinholeTestKit

@testable import PinholeLab

/// The matrix of all built-in rows and of one more in every scenario, run once over the wire for all suites.
enum WholeMatrix {
    /// The run, and its lab.
    static let run = Task {
        let lab = try await PinningLab()
        let rows = LabPolicy.builtIn + [SpecialRows.searches]
        let report = try await MatrixTurn.shared.run { try await lab.run(rows, .patient) }
        return (report: report, lab: lab)
    }

    /// Returns the part of the run with these rows and columns.
    static func report(
        _ policies: [LabPolicy],
        against scenarios: [Scenario] = .all
    ) async throws -> LabReport {
        try await run.value.report.part(policies, against: scenarios)
    }
}

extension LabReport {
    /// Returns the part of a report with these rows and columns.
    func part(_ policies: [LabPolicy], against scenarios: [Scenario]) -> LabReport {
        let rows = Set(policies.map(\.id))
        let columns = Set(scenarios.map(\.id))
        return LabReport(
            policies: policies,
            scenarios: scenarios,
            cells: cells.filter { rows.contains($0.policy) && columns.contains($0.scenario) },
            host: host,
            started: started,
            honest: honest,
            diagnoses: diagnoses.filter { rows.contains($0.key) }
        )
    }
}
