package import PinholeModel

/// Default handling: checks the chain, its dates, its purpose and the host name with the device's anchors.
///
/// Without a host no name is checked, but the purpose serverAuth is (`SecPolicyCreateSSL(true, nil)`).
package struct SystemPolicy: TrustPolicy, Hashable {
    /// The name `system`.
    package var mechanism: String { "system" }
    /// The rules by which paths are built and checked.
    package let verifier: VerifierProfile

    /// Creates the default handling of a client with this verifier.
    package init(by verifier: VerifierProfile = .apple) { self.verifier = verifier }

    /// Requires a path from the device's anchors to a leaf that names the host.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        return judgement.requireSystemTrust(question(evidence), evaluator) ?? judgement.trust()
    }
}

extension TrustPolicy {
    /// Chain and host by the rules of the client.
    package func defaultHandling(of authority: Authority) -> any TrustPolicy { SystemPolicy(by: verifier) }
}

extension JudgementBuilder {
    /// The name of the check of a chain with the device's anchors, the first one of most mechanisms.
    package static let systemCheck = "chain and host against the device's anchors"

    /// Rejects unless the chain leads to one of the device's anchors and the leaf names the host.
    package mutating func requireSystemTrust(
        _ question: ChainQuestion,
        _ evaluator: any ChainEvaluator
    ) -> Judgement? {
        require(Self.systemCheck, evaluator.evaluate(question), to: question)
    }
}
