/// Trust in the policy's own anchors instead of the device's: `SecTrustSetAnchorCertificatesOnly`, `curl --cacert`.
package struct AnchorsOnlyPolicy: TrustPolicy, Hashable {
    /// The anchors, which need not be self-signed.
    package var anchors: [CertificateFacts]

    /// The name `anchors-only`.
    package var mechanism: String { "anchors-only" }

    /// Creates a policy that trusts chains to `anchors`.
    package init(anchors: [CertificateFacts]) {
        self.anchors = anchors
    }

    /// Requires a path from the policy's anchors to a leaf that names the host.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        var question = self.question(evidence)
        question.anchors = anchors
        question.allowsPartialChain = true
        judgement.skip("device's anchors", "not used: this policy has anchors of its own")
        let name = "chain and host against \(ChainText.count(anchors.count, "anchor")) of the policy"
        return judgement.require(name, evaluator.evaluate(question), to: question) ?? judgement.trust()
    }
}

extension AnchorsOnlyPolicy {
    /// The anchors as a list.
    package var pinLists: [PinList] {
        get { [PinList(anchors, at: "anchors", position: .authorities, comparison: .nothing)] }
        set { anchors.take(newValue.first) }
    }
}
