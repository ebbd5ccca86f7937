import PinholeModel
import PinholeTrust

@testable import PinholeLab

extension LabReport {
    /// The cells, each with its prediction; `nil` if the rules cannot predict the cell.
    ///
    /// - Parameter world: The certificates of the run.
    /// - Returns: The cells and predictions, in the order of the cells.
    func predictions(in world: LabWorld) -> [(cell: LabCell, prediction: Prediction?)] {
        let rows = Dictionary(uniqueKeysWithValues: policies.map { ($0.id, $0) })
        let columns = Dictionary(uniqueKeysWithValues: scenarios.map { ($0.id, $0) })
        return cells.map { cell in
            guard let policy = rows[cell.policy], let scenario = columns[cell.scenario] else {
                return (cell, nil)
            }
            let target = LabPolicy.Target(
                world: world,
                authority: Authority(host: world.host, port: 443),
                isFirstContact: scenario.facts?.isFirstContact ?? false
            )
            return (cell, policy.prediction(in: scenario, for: target))
        }
    }

    /// The cells whose outcome is not the predicted one: defects of the lab.
    ///
    /// - Parameter world: The certificates of the run.
    /// - Returns: A line for each cell.
    func contradictions(in world: LabWorld) -> [String] {
        predictions(in: world).compactMap { cell, prediction in
            guard let prediction, cell.outcome != .inconclusive,
                let predicted = scenarios.first(where: { $0.id == cell.scenario })?.outcome(
                    prediction.decision
                ),
                predicted != cell.outcome
            else { return nil }
            return "\(cell.policy) \(cell.scenario): the rules say \(predicted.title)"
                + " (\(prediction.rule.rawValue): \(prediction.rule.title)), the wire says"
                + " \(cell.outcome.title): \(cell.reason)"
        }
    }

    /// The cells that the rules do not predict and that are not inconclusive.
    ///
    /// - Parameter world: The certificates of the run.
    /// - Returns: The row and the column of each cell.
    func unpredicted(in world: LabWorld) -> [String] {
        predictions(in: world).filter { $0.prediction == nil && $0.cell.outcome != .inconclusive }
            .map { "\($0.cell.policy) \($0.cell.scenario)" }
    }
}

extension LabPolicy {
    /// The behaviour of a row, or the reason why it is unknown.
    enum Semantics: Hashable, Sendable {
        /// The behaviour.
        case known(PolicySemantics)
        /// The reason why the rules do not tell the behaviour.
        case unknown(String)
    }

    /// The behaviour of the row: written down for the lab's own rows, read from the settings of others.
    ///
    /// - Parameter target: The server that the policy is made for.
    /// - Returns: The semantics.
    func semantics(for target: Target) -> Semantics {
        if group != .own, let written = PolicySemantics.rows[id] { return .known(written) }
        return settings(for: target)
    }

    /// The behaviour that the settings of the row's policy declare.
    ///
    /// - Parameter target: The server that the policy is made for.
    /// - Returns: The semantics.
    func settings(for target: Target) -> Semantics {
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
                let permitted = policy.permitted(context)
                judgings[asked] = [
                    JudgingSemantics {
                        $0.refusesCleartext = refusesCleartext
                        $0.permits = permitted
                    }
                ]
            case .unknown(let why): return .unknown(why)
            }
        }
        return .known(PolicySemantics(judgings))
    }

    /// The outcome that the row must have in a scenario; `nil` if the rules do not tell it.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - target: The server that the policy is made for.
    /// - Returns: The prediction; in both readings the same, where it is not known whose its pins are.
    func prediction(in scenario: Scenario, for target: Target) -> Prediction? {
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
