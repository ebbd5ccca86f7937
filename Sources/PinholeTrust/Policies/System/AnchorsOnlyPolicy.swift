/// Own anchors instead of the device's: `SecTrustSetAnchorCertificatesOnly`, `curl --cacert`.
package struct AnchorsOnlyPolicy: TrustPolicy, Hashable {
    /// What a path may end at; an anchor need not be self-signed.
    package var anchors: [CertificateFacts]

    /// `anchors-only`.
    package var mechanism: String { "anchors-only" }

    /// Trusts what leads to one of `anchors`.
    package init(anchors: [CertificateFacts]) {
        self.anchors = anchors
    }

    /// Asks for a path from the own anchors to a leaf that names the host.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        var question = ChainQuestion(evidence)
        question.anchors = anchors
        question.allowsPartialChain = true
        judgement.skip("device's anchors", "not used: this policy has anchors of its own")
        let name = "chain and host against \(ChainText.count(anchors.count, "anchor")) of the policy"
        return judgement.require(name, evaluator.evaluate(question), to: question) ?? judgement.trust()
    }
}
