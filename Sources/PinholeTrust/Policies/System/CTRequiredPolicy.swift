package import PinholeModel

/// Default handling that also requires signed certificate timestamps (RFC 6962) of several logs.
///
/// This is Pinhole's own mechanism, similar to the browsers' policies. It counts claims: neither signatures
/// nor logs are verified. So it shows what an app with such a policy would miss, but it does not stop a forger.
package struct CTRequiredPolicy: TrustPolicy, Hashable {
    /// The number of different logs whose timestamps are required.
    package var logs: Int

    /// The name `ct-required`.
    package var mechanism: String { "ct-required" }

    /// Creates a policy.
    package init(logs: Int = 2) { self.logs = logs }

    /// Requires a path from the device's anchors, and then counts the logs.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = judgement.requireSystemTrust(question(evidence), evaluator) { return rejection }
        let name = "certificate timestamps"
        let collection = TimestampCollection(evidence)
        let count = collection.logs(until: evidence.time).count
        var found =
            "\(ChainText.count(collection.entries.count, "timestamp")) of \(ChainText.count(count, "log"))"
        for source in collection.malformed { found += ", a list that cannot be read (\(source.rawValue))" }
        guard count >= logs else {
            return judgement.reject(
                name,
                .notLogged,
                "expected signed certificate timestamps of \(ChainText.count(logs, "log")), found \(found)"
            )
        }
        judgement.pass(name, "\(found); their signatures are not verified")
        return judgement.trust()
    }
}

extension CTRequiredPolicy {
    /// The finding about a number of logs that CAs do not provide.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        guard logs > 3 else { return [] }
        return [
            LintFinding(
                .timestamps,
                .warning,
                at: "logs",
                "Certificates of public CAs come with timestamps of 2 or 3 logs; \(logs) are asked for.",
                remedy: "Ask for 2 or 3."
            )
        ]
    }

    /// The settings of any mechanism, with the timestamps.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        .anyMechanism.adding(.timestamps).judged(by: chosen ?? verifier)
    }
}
