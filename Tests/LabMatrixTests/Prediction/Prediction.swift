@testable import PinholeLab

/// What a row has to do in a scenario, by the scenario's facts and the row's semantics alone.
struct Prediction: Hashable, Sendable {
    /// What the client has to do.
    let decision: Observation.Decision
    /// The rule that decided.
    let rule: PredictionRule

    /// Creates a prediction.
    init(_ decision: Observation.Decision, by rule: PredictionRule) {
        self.decision = decision
        self.rule = rule
    }

    /// Goes through the rules; the first one that says something decides.
    ///
    /// - Parameters:
    ///   - facts: What is the case.
    ///   - semantics: What the row does.
    init(_ facts: ScenarioFacts, _ semantics: PolicySemantics) {
        for rule in PredictionRule.allCases {
            guard let decision = rule.decision(facts, semantics) else { continue }
            // Who asks again by default handling alone is as good as that.
            if decision == .rejected, rule.refusesServers, semantics.client.asksAgainByDefault {
                self.init(facts, PolicySemantics(JudgingSemantics()))
            } else {
                self.init(decision, by: rule)
            }
            return
        }
        self.init(.accepted, by: .nothingAgainst)
    }
}
