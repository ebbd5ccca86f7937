/// Default handling: the chain, its dates, its purpose and the host's name, against the device's anchors.
///
/// Without a host no name is checked, the serverAuth purpose still is (`SecPolicyCreateSSL(true, nil)`).
package struct SystemPolicy: TrustPolicy, Hashable {
    /// `system`.
    package var mechanism: String { "system" }

    /// Creates it; there is nothing to set.
    package init() {}

    /// Asks for a path from the device's anchors to a leaf that names the host.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        return judgement.requireSystemTrust(evidence, evaluator) ?? judgement.trust()
    }
}

extension JudgementBuilder {
    /// The check of a chain against the device's anchors, as most mechanisms begin.
    package static let systemCheck = "chain and host against the device's anchors"

    /// Rejects unless the chain leads to one of the device's anchors and the leaf names the host.
    package mutating func requireSystemTrust(
        _ evidence: Evidence,
        _ evaluator: any ChainEvaluator
    ) -> Judgement? {
        let question = ChainQuestion(evidence)
        return require(Self.systemCheck, evaluator.evaluate(question), to: question)
    }
}
