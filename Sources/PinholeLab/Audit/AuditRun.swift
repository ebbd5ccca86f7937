import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeTrust

/// Runs one program against scenarios and reads its decisions from the wire (docs/LAB.md#what-is-read-from-the-wire).
///
/// The scenarios run one after another: the program is the user's, and two runs at one time could disturb each other on
/// this machine.
package struct AuditRun: Sendable {
    /// The certificates of the run.
    package let world: LabWorld
    /// The program's name, for the row.
    package let name: String
    /// A short description of the program for its row.
    package let title: String
    /// The program that is audited, or the connections that stand for it.
    package private(set) var subject: any AuditSubject
    /// The number of runs of each scenario.
    package var repetitions = 1
    /// The file that the row stands for in reports; `nil` if there is none.
    package var file: String?
    /// A SHA-256 in hexadecimal that distinguishes one command from another; `nil` if there is none.
    package var digest: String?
    /// The listener for programs that connect without a proxy; `nil` for programs that use the proxy.
    package var entry: DirectEntry?
    /// The protocol by which the program comes to TLS at ``entry``; `nil` for TLS from the first byte.
    package var startTLS: StartTLS?
    /// The time in which the lab's own parts must connect and shake hands.
    package var patience = Duration.seconds(60)
    /// The time that the lab waits, after a visit, for the connections that the program left open.
    package var aftermath = Duration.seconds(5)
    /// Called with the behaviour at the honest server, before the other scenarios run.
    package var controlled: (@Sendable (Observation) -> Void)?
    /// Called before each run of a scenario, the controls included.
    package var begins: (@Sendable (Scenario) -> Void)?
    /// Called with each cell as soon as it is known.
    package var progress: (@Sendable (LabCell) -> Void)?

    /// The number of runs: those of the scenarios, the honest server, a man in the middle who is not trusted (the first
    /// run of A01, if that is among the scenarios), and one who hides STARTTLS.
    package func runs(of scenarios: [Scenario]) -> Int {
        let isShared = scenarios.contains { $0.id == Scenario.untrusted.id }
        return (startTLS == nil ? 1 : 2) + (isShared ? 0 : 1) + scenarios.count * repetitions
    }

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
    /// - Returns: The report.
    /// - Throws: ``LabFailure`` when the program cannot be started, or the run is cancelled.
    package func run(_ scenarios: [Scenario]) async throws(LabFailure) -> AuditReport {
        let started = LoopClock().now()
        let honest = try await observe(.control, times: 1)
        if let first = honest.first { controlled?(first) }
        let isControlled = honest.first?.isRequest == true
        let habits = honest.first.map { Habits($0.wire) } ?? Habits()
        let untrusted = isControlled ? try await observe(.untrusted, times: 1, habits) : []
        var unoffered: Observation?
        if isControlled, startTLS != nil {
            unoffered = try await observe(.withoutStartTLS, times: 1, habits).first
        }
        var cells: [LabCell] = []
        for scenario in scenarios {
            let earlier = scenario.id == Scenario.untrusted.id ? untrusted : []
            let cell =
                isControlled
                ? try await cell(scenario, habits, after: earlier)
                : cell(scenario, .inconclusive, Self.uncontrolled, [])
            cells.append(cell)
            progress?(cell)
        }
        var diagnosis: RowDiagnosis?
        if honest.first?.isUnprotected == true {
            diagnosis = RowDiagnosis(fault: Self.neverStarts, advice: Self.startAdvice)
        } else if untrusted.first?.isRequest == true {
            diagnosis = RowDiagnosis(fault: Self.open, advice: Self.openAdvice)
        } else if untrusted.first?.isUnprotected == true {
            diagnosis = RowDiagnosis(fault: Self.comesBack, advice: Self.startAdvice)
        } else if unoffered?.isUnprotected == true {
            diagnosis = RowDiagnosis(fault: Self.fallsBack, advice: Self.startAdvice)
        }
        let report = LabReport(
            policies: [row],
            scenarios: scenarios,
            cells: cells,
            host: world.host,
            started: started,
            honest: world.identity.chain.map(\.facts),
            diagnoses: diagnosis.map { [name: $0] } ?? [:]
        )
        return AuditReport(
            report: report,
            honest: honest.first ?? Observation(.undecided, "The control was not run."),
            untrusted: untrusted.first ?? Observation(.undecided, "The control was not run."),
            unoffered: unoffered
        )
    }

    /// Returns the same run with another program.
    package func auditing(_ subject: any AuditSubject) -> AuditRun {
        var run = self
        run.subject = subject
        return run
    }

    /// Lets the program visit a scenario, and returns the behaviour that decides.
    package func observation(of scenario: Scenario) async throws(LabFailure) -> Observation {
        try await observe(scenario, times: repetitions).decisive
            ?? Observation(.undecided, "The program was not run.")
    }

    /// The reason for inconclusive cells if the control failed.
    private static let uncontrolled =
        "The program failed with the honest server, so a refusal proves nothing."

    /// The fault of a program that accepts any certificate.
    private static let open = "does not validate certificates: it takes one by a CA that it does not trust"
    private static let openAdvice = "Switch the validation of certificates on."

    /// The faults of a program that sends without TLS what it should protect.
    private static let neverStarts = "does not use TLS, though the server offers STARTTLS"
    private static let fallsBack = "goes on without TLS if a man in the middle hides STARTTLS"
    private static let comesBack = "refuses a man in the middle, and comes back without TLS"
    private static let startAdvice = "Require TLS, as curl --ssl-reqd does."

    private var row: LabPolicy {
        let name = name
        var row = LabPolicy(name, title, .own) { _ throws(LabFailure) in
            throw LabFailure("\(name) is a program: it decides by itself")
        }
        row.file = file
        row.digest = digest
        return row
    }
}

extension AuditRun {
    /// The behaviour of the program at the honest server, by which its other visits are read.
    struct Habits {
        /// The number of its connections.
        var connections = 1
        /// The longest time from a handshake to a request.
        var pace = Duration.zero

        init() {}

        init(_ wire: WireObservation) {
            connections = wire.flows.count { $0.clientHandshake != nil }
            pace = wire.requestDelay
        }
    }

    private func cell(
        _ scenario: Scenario,
        _ habits: Habits,
        after earlier: [Observation]
    ) async throws(LabFailure) -> LabCell {
        let observations = try await earlier + observe(scenario, times: repetitions - earlier.count, habits)
        guard let decisive = observations.decisive else {
            return cell(scenario, .inconclusive, "The program was not run.", observations)
        }
        let outcome = scenario.outcome(decisive.decision)
        return cell(scenario, outcome, scenario.reason(outcome, decisive), observations)
    }

    private func cell(
        _ scenario: Scenario,
        _ outcome: LabOutcome,
        _ reason: String,
        _ observations: [Observation]
    ) -> LabCell {
        var cell = LabCell(name, scenario, outcome, reason, observations)
        cell.grade = scenario.grade(among: .anyMechanism)
        return cell
    }

    /// Lets the program visit a scenario; each visit has a stage of its own, so that one leaves nothing to the next.
    func observe(
        _ scenario: Scenario,
        times: Int,
        _ habits: Habits = Habits()
    ) async throws(LabFailure) -> [Observation] {
        var observations: [Observation] = []
        for _ in 0..<max(0, times) {
            begins?(scenario)
            for staging in try scenario.auditStagings(world, connections: habits.connections) {
                guard !Task.isCancelled else { throw LabFailure("the audit was interrupted") }
                observations.append(try await visit(scenario, staging, pace: habits.pace))
            }
        }
        return observations
    }

    private func visit(
        _ scenario: Scenario,
        _ staging: Staging,
        pace: Duration
    ) async throws(LabFailure) -> Observation {
        let bench = try await ScenarioBench.start(staging, world, patience: patience)
        defer { bench.stop() }
        let before = Lock<[WireSignal]>([])
        if let entry {
            let authority = Authority(host: world.host, port: bench.origin.secureAddress.port)
            var target = DirectEntry.Target(proxy: bench.proxyAddress, authority: authority.description)
            target.startTLS = startTLS
            if staging.hidesStartTLS { target.startTLS?.isOffered = false }
            target.tell = { signal in before.withLock { $0.append(signal) } }
            entry.lead(to: target)
        }
        defer { entry?.lead(to: nil) }
        let visit = try await subject.visit(AuditStage(scenario, bench, entry: entry?.address))
        guard !Task.isCancelled else { throw LabFailure("the audit was interrupted") }
        var wire = await bench.sink.collect(within: aftermath)
        wire.pace = pace
        let story = WireTranscript(
            wire,
            visit,
            host: world.host,
            ports: [bench.origin.secureAddress.port, bench.origin.plainAddress.port],
            attempts: staging.journal.take(),
            before: before.withLock { $0 }
        )
        guard staging.patience > 0 else { return story.observation(by: scenario.audit.reading) }
        var observation = story.observation(by: .later(honest: world.leaf.der))
        let count = staging.patience
        observation.summary =
            "With the first \(count == 1 ? "connection" : "\(count) connections") left alone: \(observation.summary)"
        return observation
    }
}

extension [Observation] {
    /// The observation that decides: a client accepted if it did so once, and refused if it always did.
    package var decisive: Observation? {
        first { $0.decision == .accepted } ?? last { $0.decision == .undecided }
            ?? self.min { ($0.signal?.rank ?? .max) < ($1.signal?.rank ?? .max) }
    }
}
