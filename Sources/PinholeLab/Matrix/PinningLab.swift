import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeTrust

/// The lab: runs clients of any policy against attacks and legitimate changes on loopback, and reports which of these
/// the clients noticed.
///
/// Every cell is a real client that speaks TLS with the real proxy; nothing is simulated.
public struct PinningLab: Sendable {
    /// The certificates of all runs of this lab.
    package let world: LabWorld

    /// The settings of a run.
    public struct Options: Sendable {
        /// The number of runs of each cell; cells whose runs differ are inconclusive.
        public var repetitions = 1
        /// The number of scenarios that run at one time.
        public var jobs = 4
        /// The time that one visit may take; a longer one is inconclusive.
        public var patience = Duration.seconds(60)
        /// Whether clients that behave alike meet each server once, and judge it in memory by their policies.
        ///
        /// Tests of many policies save most handshakes by this. Scenarios in which a client comes back stay on the
        /// wire, as do clients that ask again in another way.
        package var judgesInMemory = false
        /// Called with each cell as soon as it is known, from any thread.
        public var progress: (@Sendable (LabCell) -> Void)?

        /// Creates the defaults.
        public init() {}
    }

    /// Makes a lab with certificates of its own.
    ///
    /// - Parameter host: The name that policies are for.
    /// - Throws: ``LabFailure`` when the host is no name or certificates cannot be made.
    public init(host: String = "api.pinned.test") async throws(LabFailure) {
        world = try LabFailure.wrapping("the lab's certificates could not be made") {
            try LabWorld(host: try Host(host))
        }
        guard world.host.name != nil else {
            throw LabFailure("expected the name of a host, found the address \(host)")
        }
    }

    /// Makes a lab of certificates that are there already.
    ///
    /// - Parameter world: The certificates, for a host that has a name.
    package init(in world: LabWorld) { self.world = world }

    /// Runs policies against scenarios.
    ///
    /// - Parameters:
    ///   - policies: The rows.
    ///   - scenarios: The columns.
    ///   - options: The settings of the run.
    /// - Returns: The matrix. Cells that could not be run are inconclusive and give the reason, as are cells that were
    ///   left when the task was cancelled.
    /// - Throws: ``LabFailure`` when there is nothing to run, or two policies have the same name.
    public func run(
        _ policies: [LabPolicy],
        against scenarios: [Scenario] = .all,
        _ options: Options = Options()
    ) async throws(LabFailure) -> LabReport {
        try Self.check(policies, scenarios)
        let rowsInOrder = policies
        let policies = policies.filter { !$0.isUndecided }
        guard !policies.isEmpty else { return emptyReport(rowsInOrder) }
        let started = LoopClock().now()
        let target = LabPolicy.Target(world: world, authority: Authority(host: world.host, port: 443))
        let rows = await prepared(policies, for: target, options)
        let columns = await Self.concurrently(scenarios, jobs: options.jobs) { scenario in
            await column(scenario, policies, rows, options)
        }
        let cells = policies.indices.flatMap { row in columns.map { $0[row] } }
        var diagnoses: [String: RowDiagnosis] = [:]
        for policy in policies where policy.stance == .own {
            diagnoses[policy.id] = diagnosis(policy, rows[policy.id], cells, scenarios, for: target)
        }
        return LabReport(
            policies: rowsInOrder,
            scenarios: scenarios,
            cells: cells,
            host: world.host,
            started: started,
            honest: world.identity.chain.map(\.facts),
            diagnoses: diagnoses
        )
    }

    /// Runs one policy against scenarios.
    ///
    /// - Parameters:
    ///   - policy: The row.
    ///   - scenarios: The columns.
    ///   - options: The settings of the run.
    /// - Returns: The matrix of one row.
    /// - Throws: ``LabFailure`` when there is nothing to run.
    public func run(
        _ policy: LabPolicy,
        against scenarios: [Scenario] = .all,
        _ options: Options = Options()
    ) async throws(LabFailure) -> LabReport {
        try await run([policy], against: scenarios, options)
    }

    /// The report of a run without a cell: of documents that decide nothing, or of a part that has no scenario.
    ///
    /// - Parameter policies: The rows.
    /// - Returns: A report with rows and no column.
    package func emptyReport(_ policies: [LabPolicy]) -> LabReport {
        LabReport(policies: policies, scenarios: [], cells: [], host: world.host, started: LoopClock().now())
    }

    /// Makes the report of one cell of a run that may still go on.
    ///
    /// - Parameters:
    ///   - cell: The cell.
    ///   - policy: Its row.
    ///   - scenario: Its column.
    /// - Returns: A report of one row and one column.
    package func report(of cell: LabCell, _ policy: LabPolicy, _ scenario: Scenario) -> LabReport {
        LabReport(
            policies: [policy],
            scenarios: [scenario],
            cells: [cell],
            host: world.host,
            started: world.now,
            honest: world.identity.chain.map(\.facts)
        )
    }

    private static func check(_ policies: [LabPolicy], _ scenarios: [Scenario]) throws(LabFailure) {
        guard !policies.isEmpty, !scenarios.isEmpty else {
            throw LabFailure("expected at least one policy and one scenario")
        }
        var ids: Set<String> = []
        for id in policies.map(\.id) + scenarios.map(\.id) where !ids.insert(id).inserted {
            throw LabFailure("expected each policy and each scenario once, found “\(id)” twice")
        }
    }
}

extension PinningLab {
    /// The facts about a row before its first scenario.
    private struct Preparation {
        /// The checks of each sound setting of its mechanism.
        let settings: [Safeguards]
        /// The cell of the honest server if the row refused that server: its other refusals prove nothing.
        var refusal: LabCell?
    }

    /// Tries every policy with the honest server.
    private func prepared(
        _ policies: [LabPolicy],
        for target: LabPolicy.Target,
        _ given: Options
    ) async -> [String: Preparation] {
        var options = Options()
        options.patience = given.patience
        options.judgesInMemory = given.judgesInMemory
        var rows = Dictionary(
            uniqueKeysWithValues: policies.map {
                ($0.id, Preparation(settings: $0.soundSettings(for: target)))
            }
        )
        for cell in await column(.control, policies, rows, options) where cell.outcome != .accepted {
            rows[cell.policy]?.refusal = cell
        }
        return rows
    }

    /// The diagnosis of a whole row.
    private func diagnosis(
        _ policy: LabPolicy,
        _ row: Preparation?,
        _ cells: [LabCell],
        _ scenarios: [Scenario],
        for target: LabPolicy.Target
    ) -> RowDiagnosis {
        if let refusal = row?.refusal {
            // If the honest server could not be tried, the policy is not at fault.
            guard refusal.outcome == .falseAlarm else { return RowDiagnosis() }
            return RowDiagnosis(
                fault: "refuses its own server: \(refusal.observations.last?.summary ?? refusal.reason)",
                advice: policy.adviceOnRefusal
            )
        }
        let failing = Set(
            cells.filter { $0.policy == policy.id && $0.grade == .must && $0.isFault }.map(\.scenario)
        )
        return RowDiagnosis(
            advice: policy.advice(on: scenarios.filter { failing.contains($0.id) }, for: target)
        )
    }

    private static let cancelled = "The run was cancelled."

    /// Runs one scenario for all policies and returns the cells in the order of the policies.
    private func column(
        _ scenario: Scenario,
        _ policies: [LabPolicy],
        _ rows: [String: Preparation],
        _ options: Options
    ) async -> [LabCell] {
        func told(_ cell: LabCell) -> LabCell {
            var cell = cell
            cell.grade = scenario.grade(among: rows[cell.policy]?.settings ?? .anyMechanism)
            options.progress?(cell)
            return cell
        }
        // The caller cancelled the run, so the other cells are not run.
        guard !Task.isCancelled else {
            return policies.map { LabCell($0.id, scenario, .inconclusive, Self.cancelled) }
        }
        let bench: ScenarioBench
        do {
            bench = try await ScenarioBench.start(
                try scenario.staging(world),
                world,
                patience: options.patience,
                judgesInMemory: options.judgesInMemory
            )
        } catch {
            return policies.map { told(LabCell($0.id, scenario, .inconclusive, "\(error)")) }
        }
        defer { bench.stop() }
        var cells: [LabCell] = []
        for policy in policies {
            if Task.isCancelled {
                cells.append(LabCell(policy.id, scenario, .inconclusive, Self.cancelled))
            } else if let refusal = rows[policy.id]?.refusal {
                let reason =
                    "The policy does not trust its own server, so nothing else says anything: \(refusal.reason)"
                cells.append(told(LabCell(policy.id, scenario, .inconclusive, reason)))
            } else {
                cells.append(told(await settled(policy, scenario, bench, options)))
            }
        }
        return cells
    }

    /// Runs a cell, and is inconclusive if the owner of the pins is unknown and the two readings disagree.
    private func settled(
        _ policy: LabPolicy,
        _ scenario: Scenario,
        _ bench: ScenarioBench,
        _ options: Options
    ) async -> LabCell {
        let found = await cell(policy, scenario, bench, options)
        guard let otherReading = policy.otherReading else { return found }
        var other = policy
        other.make = otherReading
        let second = await cell(other, scenario, bench, options)
        guard found.outcome != second.outcome else { return found }
        let reason = """
            It depends on whose keys the pins are: \(found.outcome.title) if they are the server's own, \
            \(second.outcome.title) if they are those of its CAs. Give the chain of the server.
            """
        return LabCell(policy.id, scenario, .inconclusive, reason, found.observations + second.observations)
    }

    private func cell(
        _ policy: LabPolicy,
        _ scenario: Scenario,
        _ bench: ScenarioBench,
        _ options: Options
    ) async -> LabCell {
        var observations: [Observation] = []
        for _ in 0..<max(1, options.repetitions) {
            do throws(LabFailure) {
                var observation = try await scenario.conduct(bench, policy)
                if let failure = observation.failure, let made = try? policy.make(bench.target) {
                    observation.reported = failure.reported(by: made, at: world.host)
                }
                observations.append(observation)
            } catch {
                return LabCell(policy.id, scenario, .inconclusive, error.description, observations)
            }
        }
        guard let first = observations.first, observations.allSatisfy({ $0.decision == first.decision })
        else {
            let decisions = observations.map(\.decision.rawValue).joined(separator: ", ")
            let reason = "\(observations.count) runs differ: \(decisions)."
            return LabCell(policy.id, scenario, .inconclusive, reason, observations)
        }
        let outcome = scenario.outcome(first.decision)
        return LabCell(policy.id, scenario, outcome, scenario.reason(outcome, first), observations)
    }

    /// Maps with `jobs` elements at a time under way; the results are in the order of the elements.
    private static func concurrently<Element: Sendable, Result: Sendable>(
        _ elements: [Element],
        jobs: Int,
        _ transform: @escaping @Sendable (Element) async -> Result
    ) async -> [Result] {
        await withTaskGroup(of: (Int, Result).self) { group in
            var results: [Int: Result] = [:]
            var waiting = elements.enumerated().makeIterator()
            func addNext() {
                guard let (index, element) = waiting.next() else { return }
                group.addTask { (index, await transform(element)) }
            }
            for _ in 0..<max(1, jobs) { addNext() }
            while let (index, result) = await group.next() {
                results[index] = result
                addNext()
            }
            return elements.indices.compactMap { results[$0] }
        }
    }
}
