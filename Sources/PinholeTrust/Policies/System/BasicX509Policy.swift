/// A check of the chain only, without the host name and the purpose (`SecPolicyCreateBasicX509`).
package struct BasicX509Policy: TrustPolicy, Hashable {
    /// The name `basic-x509`.
    package var mechanism: String { "basic-x509" }

    /// Creates a policy, which has no settings.
    package init() {}

    /// Requires a path from the device's anchors.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        var question = self.question(evidence)
        question.host = nil
        question.requiresServerPurpose = false
        let answer = evaluator.evaluate(question)
        if let rejection = judgement.require("chain to the device's anchors", answer, to: question) {
            return rejection
        }
        judgement.skip("host", "the basic X.509 policy compares no name: the certificate of any host passes")
        return judgement.trust()
    }
}
