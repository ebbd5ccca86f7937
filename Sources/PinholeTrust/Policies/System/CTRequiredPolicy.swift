package import PinholeModel

/// Default handling that also demands signed certificate timestamps (RFC 6962), whatever the verifier demands.
package struct CTRequiredPolicy: TrustPolicy, Hashable {
    /// The timestamps that are demanded.
    package var rules: TransparencyRules

    /// The name `ct-required`.
    package var mechanism: String { "ct-required" }

    /// Creates a policy; without rules, timestamps of two logs are demanded of every chain.
    package init(_ rules: TransparencyRules = .logs(2)) { self.rules = rules }

    /// Requires a path from the device's anchors to a leaf that is logged.
    ///
    /// Browsers let the CAs of users issue certificates that are not logged; a number of logs holds for every CA.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        var question = question(evidence)
        if let rejection = judgement.requireSystemTrust(question, evaluator) { return rejection }
        var exemptsLocalAnchors = true
        if case .logs = rules { exemptsLocalAnchors = false }
        question.transparency = TransparencyDemand(
            rules,
            for: evidence,
            exemptsLocalAnchors: exemptsLocalAnchors
        )
        let name = "certificate timestamps (ct-required)"
        let answer = evaluator.evaluate(question)
        if let fault = answer.effectiveFault {
            return judgement.reject(name, .chain(fault.kind), fault.detail)
        }
        judgement.pass(name, answer.transparency?.detail ?? "The anchor is one of this device alone.")
        return judgement.trust()
    }
}

extension CTRequiredPolicy {
    /// The finding about a number of logs that CAs do not provide.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        guard case .logs(let logs) = rules, logs > 3 else { return [] }
        return [
            LintFinding.warning(
                .timestamps,
                at: "logs",
                "Certificates of public CAs come with timestamps of 2 or 3 logs; \(logs) are asked for.",
                remedy: "Ask for 2 or 3."
            )
        ]
    }

    /// The settings of any mechanism, with the timestamps.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        [Safeguards].anyMechanism.judged(by: chosen ?? verifier).adding(.timestamps)
    }
}
