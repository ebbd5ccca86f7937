import PinholeModel
import PinholeTrust

extension LabCell {
    /// Notes what the rules say of it.
    mutating func predict(_ policy: LabPolicy, _ scenario: Scenario, for target: LabPolicy.Target) {
        guard let prediction = policy.prediction(in: scenario, for: target) else { return }
        predicted = scenario.outcome(prediction.decision)
        rule = prediction.rule
    }
}

extension LabPolicy {
    /// What a row does, or why that cannot be said.
    package enum Semantics: Hashable, Sendable {
        /// It does this.
        case known(PolicySemantics)
        /// The rules cannot say, and why.
        case unknown(String)
    }

    /// What the row does: written down for rows that the lab brings along, read from the settings of others.
    ///
    /// - Parameter target: Whom the policy is made for.
    /// - Returns: The semantics.
    package func semantics(for target: Target) -> Semantics {
        if group != .own, let written = PolicySemantics.rows[id] { return .known(written) }
        return settings(for: target)
    }

    /// What the settings of the row's policy say.
    ///
    /// - Parameter target: Whom the policy is made for.
    /// - Returns: The semantics.
    package func settings(for target: Target) -> Semantics {
        let policy: any TrustPolicy
        do throws(LabFailure) {
            policy = try make(target)
        } catch {
            return .unknown(error.description)
        }
        var judgings: [Encounter.Asked: [JudgingSemantics]] = [:]
        for asked in Encounter.Asked.allCases {
            let context = SemanticsContext(world: target.world, asked: asked, port: target.authority.port)
            switch policy.reading(context) {
            case .judges(let list): judgings[asked] = list
            case .silent(let refusesCleartext):
                judgings[asked] = [JudgingSemantics { $0.refusesCleartext = refusesCleartext }]
            case .unknown(let why): return .unknown(why)
            }
        }
        return .known(PolicySemantics(judgings))
    }

    /// What the row has to do in a scenario; `nil` where the rules cannot say.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - target: Whom the policy is made for.
    /// - Returns: The prediction; in both readings the same, where it is not known whose its pins are.
    package func prediction(in scenario: Scenario, for target: Target) -> Prediction? {
        guard let facts = scenario.facts, case .known(let semantics) = semantics(for: target) else {
            return nil
        }
        let prediction = Prediction(facts, semantics)
        guard let otherReading else { return prediction }
        var other = self
        other.make = otherReading
        other.otherReading = nil
        let second = other.prediction(in: scenario, for: target)
        return second?.decision == prediction.decision ? prediction : nil
    }
}
