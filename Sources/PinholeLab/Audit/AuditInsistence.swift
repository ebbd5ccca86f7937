/// The facts about a server that a program insists on, and the proof.
package struct AuditInsistence: Sendable {
    /// The behaviour of a program at one server.
    package struct Step: Sendable {
        /// The fact that was spoiled last; `nil` for the honest server.
        package let fact: AuditFact?
        /// All facts that were spoiled.
        package let spoiled: Set<AuditFact>
        /// The order of the facts to which the step belongs, counted from 0.
        package let order: Int
        /// The behaviour of the program.
        package let observation: Observation

        /// Whether the program sent its request in TLS all the same.
        package var isAccepted: Bool { observation.isRequest }
    }

    /// The facts that a program insists on, found by giving up one fact after the other in an order.
    package struct Trial: Sendable {
        /// The servers in their order; the first one is the honest server.
        package internal(set) var steps: [Step] = []
        /// The facts that the program insists on, each if the others are right.
        package internal(set) var facts: [AuditFact] = []
        /// The facts that the program does not miss, all at the same time.
        package internal(set) var spoiled: Set<AuditFact> = []
    }

    /// The trials, the one with the fewest facts first; none if the program refused the honest server.
    package let trials: [Trial]
    /// The behaviour of the program at the honest server.
    package let honest: Observation

    /// Whether the program accepts a server that has nothing of the honest one, neither key nor CA nor a trusted root.
    package var validatesNothing: Bool {
        trials.first.map { Set($0.facts).isDisjoint(with: [.certificate, .key, .issuer, .anchor]) } ?? false
    }
}

extension AuditRun {
    /// The most servers that a program is asked to visit to find what it insists on.
    package static let whySteps = 1 + 2 * AuditFact.allCases.count

    /// Finds the facts that the program insists on.
    ///
    /// Beginning with the honest server, one fact after the other is spoiled. If the program does not mind, the fact stays
    /// spoiled; else it is restored, and the program insists on it. What is left at the end cannot be made smaller by
    /// one fact.
    ///
    /// - Parameter tell: Called after each step.
    /// - Returns: The facts and the steps.
    /// - Throws: ``LabFailure`` when the program cannot be started, or the run is cancelled.
    package func insistence(
        tell: (AuditInsistence.Step) -> Void = { _ in }
    ) async throws(LabFailure) -> AuditInsistence {
        let honest = try await step([], nil, 0)
        tell(honest)
        guard honest.isAccepted else { return AuditInsistence(trials: [], honest: honest.observation) }
        var known: [Set<AuditFact>: AuditInsistence.Step] = [:]
        var trials: [AuditInsistence.Trial] = []
        for (number, order) in AuditFact.orders.enumerated() {
            var trial = AuditInsistence.Trial(steps: [honest])
            for fact in order {
                // The other facts of a certificate cannot be spoiled in the same one.
                let isFixed = trial.facts.contains(.certificate) && fact.isInCertificate
                guard !isFixed else { continue }
                let spoiled = trial.spoiled.union([fact])
                if known[spoiled] == nil {
                    let step = try await step(spoiled, fact, number)
                    known[spoiled] = step
                    tell(step)
                }
                guard let step = known[spoiled] else { continue }
                trial.steps.append(step)
                if step.isAccepted { trial.spoiled = spoiled } else { trial.facts.append(fact) }
            }
            if !trials.contains(where: { Set($0.facts) == Set(trial.facts) }) { trials.append(trial) }
        }
        return AuditInsistence(
            trials: trials.sorted { $0.facts.count < $1.facts.count },
            honest: honest.observation
        )
    }

    private func step(
        _ spoiled: Set<AuditFact>,
        _ last: AuditFact?,
        _ order: Int
    ) async throws(LabFailure) -> AuditInsistence.Step {
        let observation = try await observation(of: .spoiling(spoiled, last: last))
        return AuditInsistence.Step(fact: last, spoiled: spoiled, order: order, observation: observation)
    }
}

extension AuditFact {
    /// Whether the fact is one of the certificate, so that another certificate has to be shown to spoil it.
    fileprivate var isInCertificate: Bool {
        switch self {
        case .certificate, .key, .issuer, .timestamps, .purpose, .validity, .name: true
        case .status, .alpn, .version, .anchor: false
        }
    }
}
