import PinholeCrypto
import PinholeModel
import PinholeRuntime

/// Runs one program against scenarios and reads from the wire what it decided (docs/AUDIT.md).
///
/// Nothing runs side by side: the program is the user's, and so may be what it does to the machine.
package struct AuditRun: Sendable {
    /// The certificates.
    package let world: LabWorld
    /// The program's name, for the row.
    package let name: String
    /// What it is, in a few words.
    package let title: String
    /// What is let loose.
    package let subject: any AuditSubject
    /// How often each scenario is run.
    package var repetitions = 1
    /// Where programs connect straight to, without a proxy; `nil` for those that use the proxy.
    package var entry: DirectEntry?
    /// How long what a program left open may take to be over.
    package var aftermath = Duration.seconds(5)
    /// Is told of each cell as soon as it is known.
    package var progress: (@Sendable (LabCell) -> Void)?

    /// Creates a run.
    package init(_ name: String, _ title: String, _ subject: any AuditSubject, in world: LabWorld) {
        self.name = name
        self.title = title
        self.subject = subject
        self.world = world
    }

    /// Runs the controls, then the scenarios.
    ///
    /// - Parameter scenarios: The columns; each has to be auditable.
    /// - Returns: What was found.
    /// - Throws: ``LabFailure`` when the program cannot be started, or the run is cancelled.
    package func run(_ scenarios: [Scenario]) async throws(LabFailure) -> AuditReport {
        let clock = LoopClock()
        let started = clock.now()
        let honest = try await observe(.control, times: 1)
        let isControlled = honest.first?.decision == .accepted
        let untrusted = isControlled ? try await observe(.untrusted, times: 1) : []
        var cells: [LabCell] = []
        for scenario in scenarios {
            let cell =
                isControlled
                ? try await cell(scenario) : cell(scenario, .inconclusive, Self.uncontrolled, [])
            cells.append(cell)
            progress?(cell)
        }
        let report = LabReport(
            policies: [row],
            scenarios: scenarios,
            cells: cells,
            host: world.host,
            started: started,
            duration: clock.now() - started
        )
        return AuditReport(
            report: report,
            honest: honest.first ?? Observation(.undecided, "The control was not run."),
            untrusted: untrusted.first ?? Observation(.undecided, "The control was not run.")
        )
    }

    /// Why nothing is said where the control failed.
    private static let uncontrolled =
        "The program does not get along with the honest server, so a refusal says nothing."

    private var row: LabPolicy {
        let name = name
        return LabPolicy(name, title, .own) { _ throws(LabFailure) in
            throw LabFailure("\(name) is a program: it decides by itself")
        }
    }
}

extension AuditRun {
    private func cell(_ scenario: Scenario) async throws(LabFailure) -> LabCell {
        let observations = try await observe(scenario, times: repetitions)
        let signals = observations.flatMap(\.wire.signals)
        guard let (decision, _) = WireClassifier.decision(of: signals),
            let decisive = observations.first(where: { $0.decision == decision }) ?? observations.first
        else {
            let reason = observations.first?.summary ?? "The program was not run."
            return cell(scenario, .inconclusive, reason, observations)
        }
        // A run without a connection is no refusal, however the others went.
        if decision == .rejected, let silent = observations.first(where: { $0.wire.flows.isEmpty }) {
            return cell(scenario, .inconclusive, silent.summary, observations)
        }
        let outcome = scenario.outcome(decision)
        return cell(scenario, outcome, scenario.reason(outcome, decisive), observations)
    }

    private func cell(
        _ scenario: Scenario,
        _ outcome: LabOutcome,
        _ reason: String,
        _ observations: [Observation]
    ) -> LabCell {
        LabCell(
            policy: name,
            scenario: scenario.id,
            expected: scenario.expected,
            outcome: outcome,
            reason: reason,
            observations: observations
        )
    }

    /// Lets the program visit a scenario; each visit has a stage of its own, so that nothing of one is left
    /// in the next.
    private func observe(
        _ scenario: Scenario,
        times: Int
    ) async throws(LabFailure) -> [Observation] {
        var observations: [Observation] = []
        for _ in 0..<max(1, times) {
            guard !Task.isCancelled else { throw LabFailure("the audit was interrupted") }
            observations.append(try await visit(scenario))
        }
        return observations
    }

    private func visit(_ scenario: Scenario) async throws(LabFailure) -> Observation {
        let bench = try await ScenarioBench.start(try scenario.auditStaging(world), world)
        defer { bench.stop() }
        if let entry {
            let authority = Authority(host: world.host, port: bench.origin.secureAddress.port)
            entry.lead(to: DirectEntry.Target(proxy: bench.proxyAddress, authority: authority.description))
        }
        defer { entry?.lead(to: nil) }
        let visit = try await subject.visit(AuditStage(scenario, bench, entry: entry?.address))
        guard !Task.isCancelled else { throw LabFailure("the audit was interrupted") }
        let wire = await bench.sink.collect(within: aftermath)
        return Self.observation(wire, visit, port: bench.origin.secureAddress.port)
    }

    /// What a visit shows.
    static func observation(_ wire: WireObservation, _ visit: AuditVisit, port: UInt16) -> Observation {
        // A program may speak with others, too; a listener's port is another one in its requests than here.
        let requested = Set(wire.exchanges.filter { $0.authority.port == port }.map(\.flow))
        var meant = wire
        meant.flows = wire.flows.filter { flow in
            requested.contains(flow.id) || flow.authority?.hasSuffix(":\(port)") == true
        }
        let flows = Set(meant.flows.map(\.id))
        meant.exchanges = wire.exchanges.filter { flows.contains($0.flow) }
        var observation: Observation
        let signals = meant.signals
        if let (decision, decisive) = WireClassifier.decision(of: signals) {
            var summary = decisive.sentence
            if decision == .undecided, signals.contains(where: { $0.decision == .rejected }) {
                summary = "Of \(signals.count) connections some were refused, and one was not: \(summary)"
            }
            // What a program says of its refusal shows whether it had the reason that is looked for.
            if decision != .accepted, visit.end != .done { summary += " \(visit.phrase.asSentence)" }
            observation = Observation(decision, summary)
        } else {
            observation = Observation(.undecided, nobodyCame(wire, visit))
        }
        let chain = meant.flows.lazy.compactMap(\.clientHandshake?.presentedChain).first ?? []
        observation.presented = chain.compactMap { try? Certificate(der: $0).facts }
        observation.wire = meant
        return observation
    }

    private static func nobodyCame(_ wire: WireObservation, _ visit: AuditVisit) -> String {
        let elsewhere = Set(wire.flows.compactMap(\.authority)).sorted()
        let place = elsewhere.isEmpty ? "" : " but to \(elsewhere.prefix(3).joined(separator: ", "))"
        return "The program made no connection to the lab\(place); \(visit.phrase)."
    }
}
